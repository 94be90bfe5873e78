/** The events of one journal, after the last that the reader has. */
import type { Positions } from '../../../engine/feed/positions.ts'
import { eventLook } from '../../../engine/feed/source.ts'
import { failureJson } from '../../../failures/words.ts'
import type { Following, Part } from './part.ts'

export function journalPart({ store }: Following, positions: Positions, loop: string): Part {
  const known = store.heads.get(loop)
  const look = eventLook(store, loop, positions.journals.get(loop) ?? 0)
  let unknown = known.ok ? null : failureJson(known.failure)
  return {
    everyMs: Number.POSITIVE_INFINITY,
    reached: at => void positions.journals.set(loop, at),
    look() {
      const at = positions.journals.get(loop) ?? 0
      if (!known.ok) {
        const error = unknown
        unknown = null
        return error ? [{ frame: { event: 'failure', data: { loop, error }, loop }, at }] : []
      }
      return (look() ?? []).map(item =>
        'kind' in item
          ? { frame: { event: 'event', data: item, loop }, at: item.seq }
          : { frame: { event: 'failure', data: { loop, error: failureJson(item) }, loop }, at },
      )
    },
  }
}
