/**
 * The actions on a loop. core decides whether an action is possible now: `admit` with the state that the page has
 * folded.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { admit } from '../../../src/core/loop/admit.ts'
import type { Command } from '../../../src/model/loop/command.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { usePageKeys } from '../../shell/keys.ts'
import type { LoopView } from '../loop-page.tsx'
import { sendCommand } from './ask-loop.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { CheckpointDialog } from './checkpoint-dialog.tsx'
import { InjectDialog } from './inject-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'

type Name = 'pause' | 'resume' | 'inject' | 'checkpoint' | 'rollback' | 'cancel'

type Action = { name: Name; words: string; icon: IconName; key: string; probe: Command | null }

/** `probe`: the simplest form of the command, for `admit`; null if the action needs another test. */
const actions: readonly Action[] = [
  { name: 'pause', words: 'Pause', icon: 'pause', key: 'p', probe: { kind: 'pause' } },
  { name: 'resume', words: 'Resume', icon: 'play', key: 'r', probe: null },
  { name: 'inject', words: 'Inject', icon: 'inject', key: 'i', probe: { kind: 'inject', text: 'x' } },
  {
    name: 'checkpoint',
    words: 'Checkpoint',
    icon: 'save',
    key: 'c',
    probe: { kind: 'checkpoint', name: null },
  },
  { name: 'rollback', words: 'Roll back', icon: 'back', key: 'b', probe: null },
  { name: 'cancel', words: 'Cancel', icon: 'stop', key: 'x', probe: { kind: 'cancel' } },
]

export function Actions(view: LoopView): JSX.Element {
  const [open, setOpen] = useState<Name | null>(null)
  const { state } = view
  const shown = actions.map(action => ({ ...action, why: refusal(view, action) }))
  const run = (name: Name) => {
    if (name !== 'pause') setOpen(name)
    else sendCommand(state.id, { kind: 'pause' }, 'It pauses after this iteration.').catch(() => undefined)
  }
  usePageKeys(
    shown.flatMap(({ key, words, name, why }) =>
      why === null ? { key, words: words.toLowerCase(), run: () => run(name) } : [],
    ),
  )
  const close = () => setOpen(null)
  return (
    <div class="row wrap actions">
      {shown
        .filter(({ why, name }) => why === null || (name !== 'pause' && name !== 'resume'))
        .map(({ name, words, icon, why }) => (
          <button
            key={name}
            type="button"
            class={`button ${name === 'cancel' ? 'danger' : ''} ${name === 'resume' ? 'primary' : ''}`}
            disabled={why !== null}
            title={why ?? undefined}
            onClick={() => run(name)}
          >
            <Icon name={icon} size={14} /> {words}
          </button>
        ))}
      {open === 'resume' && <ResumeDialog view={view} close={close} />}
      {open === 'inject' && <InjectDialog id={state.id} close={close} />}
      {open === 'checkpoint' && <CheckpointDialog id={state.id} close={close} />}
      {open === 'rollback' && <RollbackDialog view={view} close={close} />}
      {open === 'cancel' && <CancelDialog view={view} close={close} />}
    </div>
  )
}

/** Why the action is not possible now; null if it is. */
function refusal({ state, summary }: LoopView, { name, probe }: Action): string | null {
  if (probe) {
    const admitted = admit(state, probe)
    return admitted.ok ? null : admitted.why
  }
  if (name === 'rollback') return state.tree.checkpoints === null ? 'it has no checkpoint' : null
  if (summary.status === 'completed') return 'it has completed'
  const isAtRest =
    ['paused', 'failed', 'crashed', 'cancelled'].includes(summary.status) || summary.pending === 'pause'
  return isAtRest ? null : 'it goes on by itself'
}
