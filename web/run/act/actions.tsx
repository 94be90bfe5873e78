/**
 * The actions on a loop. core decides whether an action is possible now: `admit` with the state that the page has
 * folded.
 */
import type { JSX } from 'preact'
import { admit } from '../../../src/core/loop/admit.ts'
import { namesOf } from '../../../src/core/loop/parts/tree.ts'
import { refusalWords } from '../../../src/failures/refusal.ts'
import type { Command } from '../../../src/model/loop/command.ts'
import { Actions, type BarAction } from '../../journal/actions.tsx'
import type { LoopView } from '../loop-page.tsx'
import { CheckpointDialog } from './checkpoint-dialog.tsx'
import { InjectDialog } from './inject-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'

type Name = 'resume' | 'inject' | 'checkpoint'

/** `probe`: the simplest form of the command, for `admit`; null if the action needs another test. */
type Known = Omit<BarAction<Name>, 'why'> & { probe: Command | null }

const known: readonly Known[] = [
  { name: 'pause', words: 'Pause', icon: 'pause', key: 'p', isHidden: true, probe: { kind: 'pause' } },
  { name: 'resume', words: 'Resume', icon: 'play', key: 'r', look: 'primary', isHidden: true, probe: null },
  { name: 'inject', words: 'Inject', icon: 'inject', key: 'i', probe: { kind: 'inject', text: 'x' } },
  {
    name: 'checkpoint',
    words: 'Checkpoint',
    icon: 'save',
    key: 'c',
    probe: { kind: 'checkpoint', name: null },
  },
  { name: 'rollback', words: 'Roll back', icon: 'back', key: 'b', probe: null },
  { name: 'cancel', words: 'Cancel', icon: 'stop', key: 'x', look: 'danger', probe: { kind: 'cancel' } },
]

export function LoopActions(view: LoopView): JSX.Element {
  const { id, tree } = view.state
  const dialogs: Record<Name, (close: () => void) => JSX.Element> = {
    resume: close => <ResumeDialog view={view} close={close} />,
    inject: close => <InjectDialog id={id} close={close} />,
    checkpoint: close => <CheckpointDialog id={id} close={close} />,
  }
  return (
    <Actions<Name>
      what="loop"
      id={id}
      actions={known.map(one => ({ ...one, why: refusal(view, one) }))}
      names={namesOf(tree.checkpoints)}
      words={{
        pause: 'It pauses after this iteration.',
        cancel: 'Its agent is stopped at once. It can be resumed later.',
      }}
      dialog={(name, close) => dialogs[name](close)}
    />
  )
}

/** Why the action is not possible now; null if it is. */
function refusal({ state, summary }: LoopView, { name, probe }: Known): string | null {
  if (probe) {
    const admitted = admit(state, probe)
    return admitted.ok ? null : refusalWords(admitted.because)
  }
  if (name === 'rollback') return state.tree.checkpoints === null ? 'it has no checkpoint' : null
  if (summary.status === 'completed') return 'it has completed'
  const isAtRest =
    ['paused', 'failed', 'crashed', 'cancelled'].includes(summary.status) || summary.pending === 'pause'
  return isAtRest ? null : 'it goes on by itself'
}
