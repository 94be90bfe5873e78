/** The words for things that garbage collection has removed. */

type Gone = { name: string; at: number | null }

/** `2026-11-17 03:12 UTC` */
function momentWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Why a requested checkpoint is not available, and which ones are. */
export function goneWords(loop: string, { name, at }: Gone, left: readonly string[]): string {
  const how = at === null ? unknownHow : `loop gc threw it away on ${momentWords(at)}`
  const rest = left.length > 0 ? `Still saved: ${listed(left)}.` : 'None of its checkpoints is left.'
  return `Checkpoint ${name} of loop ${loop} is gone: ${how}. ${rest}`
}

/** For the saved states of a group: a loop's result, or an earlier tree. */
export function groupGoneWords(group: string, { name, at }: Gone): string {
  const how = at === null ? unknownHow : `loop gc threw it away on ${momentWords(at)} (checkpoint_retention)`
  return `What group ${group} saved as ${name} is gone: ${how}.`
}

const unknownHow = 'it is not in the store any more, and there is no note of when it went'

/** For the history: what is gone since when, and what is left. Empty if nothing is gone. */
export function discardedWords(gone: readonly Gone[], left: readonly string[]): string[] {
  if (gone.length === 0) return []
  const lines = [...Map.groupBy(gone, ({ at }) => at)].map(([at, some]) => {
    const names = listed(some.map(({ name }) => name))
    return at === null
      ? `Gone, with no note of when: ${names}`
      : `Thrown away by loop gc on ${momentWords(at)}: ${names}`
  })
  return [...lines, left.length > 0 ? `Still saved: ${listed(left)}` : 'No checkpoint of it is left.']
}

const mostNames = 12

/** The first and the newest, if there are many. */
function listed(names: readonly string[]): string {
  if (names.length <= mostNames) return names.join(', ')
  const half = mostNames / 2
  const between = `… ${names.length - mostNames} more …`
  return [...names.slice(0, half), between, ...names.slice(-half)].join(', ')
}

/** Includes prompts. */
export function outputsGoneWords(loop: string, at: number | null): string {
  const when = at === null ? '' : ` on ${momentWords(at)}`
  return `The output of loop ${loop} is gone: loop gc threw it away${when} (output_retention).`
}
