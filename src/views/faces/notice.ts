/** The notices about every kind of journal: which events can cause one, and what it says. */
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import type { Replayed } from '../../core/machine.ts'
import { groupNotice, groupNoticeKinds } from '../words/notice/group-notice.ts'
import { type Notice, noticeKinds, noticeOf } from '../words/notice/notice.ts'

const rows: {
  [N in JournalKind]: { kinds: readonly string[]; of(told: Replayed<KindsOf[N]>): Notice | null }
} = {
  loop: { kinds: noticeKinds, of: ({ event, state, before }) => noticeOf(event, state, before) },
  group: { kinds: groupNoticeKinds, of: ({ event, state, before }) => groupNotice(event, state, before) },
}

/** Null if nobody has to be told, or the journal is of a kind that only a newer loop knows. */
export function noticeFor(kind: string, told: Replayed<KindsOf[JournalKind]>): Notice | null {
  if (!Object.hasOwn(rows, kind)) return null
  const row: { of(told: Replayed<KindsOf[JournalKind]>): Notice | null } = rows[kind as JournalKind]
  return row.of(told)
}
