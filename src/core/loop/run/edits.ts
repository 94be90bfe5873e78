/** How often a run has edited each file. The breaker against thrashing uses the most edited one. */

export type Edits = Map<string, number>

/** Distinct files that are counted; an agent that edits more in one run is not thrashing one. */
const mostFiles = 10_000

export function countEdit(edits: Edits, path: string): void {
  if (edits.has(path) || edits.size < mostFiles) edits.set(path, (edits.get(path) ?? 0) + 1)
}

export function mostEdited(edits: Edits): { path: string; times: number } | null {
  let most: { path: string; times: number } | null = null
  for (const [path, times] of edits) if (!most || times > most.times) most = { path, times }
  return most
}
