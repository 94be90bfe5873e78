/** `loop logs --announcements`: the announcements of a loop, or of a group and its loops, in the order of time. */
import { meantKind } from '../../core/folds.ts'
import { workingMembers } from '../../engine/shown/members.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import {
  type Announced,
  type AnnouncedAs,
  groupAnnouncements,
  loopAnnouncements,
} from '../../views/text/announcements.ts'
import type { Input } from '../command-table.ts'
import { type OpenFound, openFound } from '../find-loop.ts'
import { outFor } from '../terminal.ts'

export function printAnnouncements(input: Input): Result<number> {
  const opened = openFound(input)
  if (!opened.ok) return opened
  const { id, kind } = opened.value.found
  const said = rows[meantKind({ kind })](opened.value)
  if (!said.ok) return said
  const lines = redactAll(
    said.value.map(({ line }) => line),
    secretsIn(input.env),
  )
  outFor<'announcements'>(input, { id, lines }, lines.join('\n'))
  return ok(0)
}

const rows = { loop: (opened: OpenFound) => ofLoop(opened, opened.found.id, 'loop'), group: ofGroup }

function ofLoop({ store }: OpenFound, id: string, as: AnnouncedAs): Result<Announced[]> {
  const events = store.journals.read(id)
  return events.ok ? ok(loopAnnouncements(events.value, as)) : events
}

function ofGroup(opened: OpenFound): Result<Announced[]> {
  const { store, found } = opened
  const events = store.journals.read(found.id)
  if (!events.ok) return events
  const recorded = events.value as unknown as GroupRecorded[]
  const own = groupAnnouncements(recorded)
  const [created] = recorded
  const as = created?.kind === 'group.created' && created.data.spec.plan ? 'task' : 'member'
  // A loop whose journal cannot be read has no announcements; those of the group are printed.
  const loops = workingMembers(store, found.id).flatMap(member => {
    const said = ofLoop(opened, member, as)
    return said.ok ? said.value : []
  })
  return ok([...loops, ...own].toSorted((a, b) => a.at - b.at))
}
