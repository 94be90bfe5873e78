/**
 * The positions of the nodes of a graph: the column by the number of nodes that must end before, the row near the
 * needed nodes, so that few edges cross. Pure; the graph has at most 200 nodes.
 */

type Wanted = { id: string; needs: readonly string[] }
type Placed = { id: string; column: number; row: number }

export function placed(nodes: readonly Wanted[]): Placed[] {
  const columns = new Map<string, number>()
  const byId = new Map(nodes.map(node => [node.id, node]))
  const columnOf = (id: string, above: ReadonlySet<string>): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    // Plans have no cycles, but a damaged journal must not hang the page.
    if (above.has(id)) return 0
    const needs = (byId.get(id)?.needs ?? []).filter(need => byId.has(need))
    const column = needs.reduce(
      (most, need) => Math.max(most, columnOf(need, new Set([...above, id])) + 1),
      0,
    )
    columns.set(id, column)
    return column
  }
  for (const { id } of nodes) columnOf(id, new Set())
  const rows = new Map<string, number>()
  const inColumns = Map.groupBy(nodes, ({ id }) => columns.get(id) ?? 0)
  for (const column of [...inColumns.keys()].sort((a, b) => a - b)) {
    const sorted = (inColumns.get(column) ?? [])
      .map((node, i) => ({ node, at: middle(node.needs, rows) ?? i }))
      .sort((a, b) => a.at - b.at)
    for (const [row, { node }] of sorted.entries()) rows.set(node.id, row)
  }
  const tallest = Math.max(1, ...Array.from(inColumns.values(), some => some.length))
  return nodes.map(({ id }) => {
    const column = columns.get(id) ?? 0
    const many = inColumns.get(column)?.length ?? 1
    return { id, column, row: (rows.get(id) ?? 0) + (tallest - many) / 2 }
  })
}

/** The mean row of the needed nodes; null without needs. */
function middle(needs: readonly string[], rows: ReadonlyMap<string, number>): number | null {
  const known = needs.flatMap(need => rows.get(need) ?? [])
  return known.length === 0 ? null : known.reduce((sum, row) => sum + row, 0) / known.length
}
