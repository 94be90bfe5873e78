/** What people read of a journal whose state is known, by its kind: its announcements, and the texts of an export. */
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { history } from '../../core/loop/history.ts'
import type { Kinds, Replayed } from '../../core/machine.ts'
import type { Envelope } from '../../model/envelope.ts'
import { announce } from '../text/announce.ts'
import { comparisonTable } from '../text/compare.ts'
import { announceGroup, groupReceipt } from '../text/group-announce.ts'
import { groupHistory, historyTable } from '../text/history.ts'
import { receipt } from '../text/receipt.ts'

type Whole<K extends Kinds> = { state: K['state']; events: (K['event'] & Envelope)[]; at: number }

type Face<K extends Kinds> = {
  announce(told: Replayed<K>): string[]
  /** By the name of the file. */
  texts(whole: Whole<K>): Record<string, string[]>
}

export const toldFaces: { [N in JournalKind]: Face<KindsOf[N]> } = {
  loop: {
    announce: ({ event, state, before }) => announce(event, state, before),
    texts: ({ state, events, at }) => ({
      history: historyTable(history(events)),
      receipt: receipt(state, at),
    }),
  },
  group: {
    announce: ({ event, state }) => announceGroup(event, state),
    texts: ({ state, at }) => ({
      history: groupHistory(state),
      compare: comparisonTable(state),
      receipt: groupReceipt(state, { summary: summarizeGroup(state), orphaned: false }, at),
    }),
  },
}
