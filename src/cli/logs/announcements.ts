/** `loop logs --announcements`: the announcements of a loop, or of a group and its loops, in the order of time. */

import { workingMembers } from '../../engine/shown/one-loop.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { type Announced, groupAnnouncements, loopAnnouncements } from '../../views/text/said/announcements.ts'
import type { Input } from '../command-table.ts'
import { type OpenFound, openFound } from '../find-loop.ts'
import { out } from '../terminal.ts'

export function printAnnouncements(input: Input): Result<number> {
  const opened = openFound(input)
  if (!opened.ok) return opened
  const { id, kind } = opened.value.found
  const said = kind === 'group' ? ofGroup(opened.value) : ofLoop(opened.value, id, false)
  if (!said.ok) return said
  const lines = redactAll(
    said.value.map(({ line }) => line),
    secretsIn(input.env),
  )
  out(input.given('json') ? jsonText({ id, lines }) : lines.join('\n'))
  return ok(0)
}

function ofLoop({ store }: OpenFound, id: string, isMember: boolean): Result<Announced[]> {
  const events = store.journals.read(id)
  return events.ok ? ok(loopAnnouncements(events.value, isMember)) : events
}

function ofGroup(opened: OpenFound): Result<Announced[]> {
  const { store, found } = opened
  const events = store.journals.read(found.id)
  if (!events.ok) return events
  const own = groupAnnouncements(events.value as unknown as GroupRecorded[])
  // A loop whose journal cannot be read has no announcements; those of the group are printed.
  const loops = workingMembers(store, found.id).flatMap(member => {
    const said = ofLoop(opened, member, true)
    return said.ok ? said.value : []
  })
  return ok([...loops, ...own].toSorted((a, b) => a.at - b.at))
}
