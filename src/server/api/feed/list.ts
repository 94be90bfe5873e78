/** The rows of the list as they change. A reader that is too far behind is told to read the list again. */

import type { Positions } from '../../../engine/feed/positions.ts'
import type { FailingSeries } from '../../../engine/shown/failing.ts'
import { rowsOf } from '../../../engine/shown/listing.ts'
import { failureJson } from '../../../failures/words.ts'
import type { Following, Part, Placed } from './part.ts'

/** The shortest interval between two versions of a row. */
const everyMs = 250
const mostRows = 200

export function listPart({ store, now }: Following, positions: Positions, failing: FailingSeries): Part {
  let looked = Number.NEGATIVE_INFINITY
  const row = (id: string): Placed['frame'] => {
    const at = { now: now(), failing }
    const { rows } = rowsOf(store, [id], { hostOf: store.leases.finder(), at })
    const found = store.heads.get(id)
    if (rows[0]) return { event: 'row', data: rows[0], loop: id }
    const error = found.ok ? null : failureJson(found.failure)
    return { event: 'failure', data: { loop: id, error }, loop: id }
  }
  return {
    everyMs,
    reached(at) {
      positions.revision = at
    },
    look() {
      if (performance.now() - looked < everyMs) return []
      const changed = store.changes.after(positions.revision)
      const newest = changed.at(-1)
      if (!newest) return []
      looked = performance.now()
      if (changed.length > mostRows) {
        return [{ frame: { event: 'gap', data: { of: 'list', rows: changed.length } }, at: newest.rev }]
      }
      const sent = new Set<string>()
      return changed.flatMap(({ id, rev }) => {
        const group = groupOf(id)
        // The row of a group shows its members.
        const ids = [id, ...(group === null ? [] : [group])].filter(one => !sent.has(one))
        for (const one of ids) sent.add(one)
        return ids.map(one => ({ frame: row(one), at: rev }))
      })
    },
  }

  function groupOf(id: string): string | null {
    const one = store.heads.get(id)
    return one.ok ? one.value.group : null
  }
}
