/** The attempts of a group side by side: what each came to, every compared value, and the choice among them. */
import type { Ranked } from '../../model/group/event.ts'
import { judgementsIn } from './judge.ts'
import { type GroupState, isKind } from './state.ts'

export function comparison(state: GroupState) {
  const chosen = state.nodes.findLast(one => isKind(one, 'choose') && one.end?.choice)?.end?.choice ?? null
  const attempts = state.nodes.flatMap(({ node, member, stage, end, copy }) => {
    if (node.kind !== 'loop' || node.reads) return []
    const ranked = chosen?.order.find(one => one.node === node.id)
    return [
      {
        node: node.id,
        member,
        stage,
        copy: copy?.path ?? null,
        approach: node.approach ?? null,
        ...end,
        values: valuesOf(state, node.id, ranked),
      },
    ]
  })
  const { id, inTree } = state
  const { winner = null, by = null } = chosen ?? {}
  return { id, chosen, winner, by, inTree, attempts, judged: judgementsIn(state) }
}

type Measured = { value: number | null; command: string | null }

/** Also before anything was chosen. */
function valuesOf({ nodes }: GroupState, id: string, ranked: Ranked | undefined): Record<string, Measured> {
  const values: Record<string, Measured> = {}
  for (const [name, value] of Object.entries(ranked?.values ?? {})) values[name] = { value, command: null }
  for (const one of nodes) {
    if (!isKind(one, 'command') || one.node.of !== id || !one.node.measure) continue
    const { name } = one.node.measure
    values[name] = { value: values[name]?.value ?? one.end?.value ?? null, command: one.node.command }
  }
  return values
}
