/**
 * The checkpoints of a loop, newest first: each holds on to the one before it, so that one more costs the same
 * however many there are. Who looks for one mostly wants a new one.
 */
export type CheckpointList = { name: string; tree: string | null; earlier: CheckpointList | null }

/** The newest of this name; undefined where there is none, null where nothing was saved. */
export function treeOf(saved: CheckpointList | null, name: string): string | null | undefined {
  for (let at = saved; at; at = at.earlier) if (at.name === name) return at.tree
  return undefined
}

/** Each once, oldest first. */
export function namesOf(saved: CheckpointList | null): string[] {
  const names: string[] = []
  for (let at = saved; at; at = at.earlier) names.push(at.name)
  return [...new Set(names.toReversed())]
}

const mostNames = 20

/** For a message: the newest of them. */
export function nameWords(saved: CheckpointList | null): string {
  const names = namesOf(saved)
  const more = names.length > mostNames ? `${names.length - mostNames} older ones, ` : ''
  return more + (names.slice(-mostNames).join(', ') || 'none')
}
