/** The notices about every kind of journal: which events can cause one, and what it says. */
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import type { Replayed } from '../../core/machine.ts'
import { groupNotice, groupNoticeKinds } from '../words/notice/group-notice.ts'
import { type Notice, noticeKinds, noticeOf } from '../words/notice/notice.ts'

/** The kinds of events that can cause a notice. */
export const toldKinds: readonly string[] = [...noticeKinds, ...groupNoticeKinds]

type AnyTold = Replayed<KindsOf[JournalKind]>

const rows: { [N in JournalKind]: (told: Replayed<KindsOf[N]>) => Notice | null } = {
  loop: ({ event, state, before }) => noticeOf(event, state, before),
  group: ({ event, state, before }) => groupNotice(event, state, before),
}

/** Null if nobody has to be told, or the journal is of a kind that only a newer loop knows. */
export function noticeFor(kind: string, told: AnyTold): Notice | null {
  return Object.hasOwn(rows, kind)
    ? (rows[kind as JournalKind] as (told: AnyTold) => Notice | null)(told)
    : null
}
