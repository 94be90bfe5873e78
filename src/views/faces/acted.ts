/** What a person is told after acting on a journal, by its kind. */
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import { count } from '../../model/units.ts'
import { hookLines } from '../words/hook.ts'
import { leftWords } from '../words/message.ts'
import { resumeWords } from '../words/reasons.ts'

type Restored = { to: string; written: number; deleted: number; left?: string[] | undefined }

type Face<N extends JournalKind> = {
  /** `place`: its turn in the background, in words. */
  handedOver(id: string, place: string): string
  paused(summary: KindsOf[N]['summary']): string
  /** Of a journal that had ended: only its hook was stopped. */
  hookStopped(summary: KindsOf[N]['summary']): string[]
  /** `kept`: the name of the state before it. */
  rolledBack(id: string, restored: Restored, kept: string | null): string[]
}

export const actedFaces: { [N in JournalKind]: Face<N> } = {
  loop: {
    handedOver: (id, place) => `Loop ${id} ${place}. See it with: loop status ${id}, loop logs ${id} -f`,
    paused(summary) {
      const when = summary.status === 'paused' ? 'is paused' : 'pauses after this iteration'
      return `Loop ${summary.id} ${when}. Go on with: ${resumeWords(summary)}`
    },
    hookStopped: summary => [
      `The hook of loop ${summary.id} is stopped; the loop stays ${summary.status}.`,
      ...hookLines(summary),
    ],
    rolledBack(id, { to, written, deleted, left }) {
      const changed = `${count(written, 'file')} written, ${deleted} deleted`
      const done = `Loop ${id} is rolled back to ${to} (${changed}). To undo this: loop rollback ${id} --undo`
      return [done, ...leftWords(left)]
    },
  },
  group: {
    handedOver: (id, place) => `Group ${id} ${place}. See it with: loop status ${id}, loop status ${id} -w`,
    paused: ({ id }) =>
      `Group ${id} pauses: its loops rest after their iterations. Go on with: loop resume ${id}`,
    hookStopped: ({ id, status }) => [`The hook of group ${id} is stopped; the group stays ${status}.`],
    rolledBack: (id, { to }, kept) => [
      `Group ${id} is rolled back to ${to}. To undo this: loop rollback ${id} ${kept}`,
    ],
  },
}
