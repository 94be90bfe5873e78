/** What can be done about a group. Whether it can be done now, core says: `admitGroup` of the folded state. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { admitGroup, type GroupWish } from '../../src/core/group/admit.ts'
import { resultToApply } from '../../src/core/group/state.ts'
import { refusalWords } from '../../src/failures/refusal.ts'
import { sendCommand } from '../base/command.ts'
import { Actions, type BarAction } from '../journal/actions.tsx'
import type { GroupView } from './group-page.tsx'
import { SureDialog } from './sure-dialog.tsx'

type Name = 'apply' | 'resume'

const known: readonly Omit<BarAction<Name>, 'why'>[] = [
  { name: 'apply', words: 'Apply', icon: 'save', key: 'a', look: 'primary', isHidden: true },
  { name: 'pause', words: 'Pause', icon: 'pause', key: 'p', isHidden: true },
  { name: 'resume', words: 'Resume', icon: 'play', key: 'r', look: 'primary', isHidden: true },
  { name: 'rollback', words: 'Roll back', icon: 'back', key: 'b' },
  { name: 'cancel', words: 'Cancel', icon: 'stop', key: 'x', look: 'danger' },
]

export function GroupActions(view: GroupView): JSX.Element {
  const { id, checkpoints } = view.state
  const dialogs: Record<Name, (close: () => void) => JSX.Element> = {
    apply: close => (
      <SureDialog
        title={`Bring ${resultToApply(view.state)} into the work tree?`}
        words="The tree is saved first, then the result is merged into it, and the promise is run there again."
        yes="Apply it"
        run={() => sendCommand(id, { kind: 'apply' }, 'It is being brought in.')}
        close={close}
      />
    ),
    resume: close => <ResumeGroup view={view} close={close} />,
  }
  return (
    <Actions<Name>
      what="group"
      id={id}
      actions={known.map(one => ({ ...one, why: refusal(view, one.name) }))}
      names={[...new Set(checkpoints.map(({ name }) => name))]}
      words={{
        pause: 'It pauses after the iterations of its loops.',
        cancel: 'All its loops end now, and their copies are discarded.',
      }}
      dialog={(name, close) => dialogs[name](close)}
    />
  )
}

/** Why it cannot be done now; null where it can. */
function refusal({ state, summary }: GroupView, name: BarAction<Name>['name']): string | null {
  switch (name) {
    case 'apply':
      return whyNotApplied(state)
    case 'rollback':
      return state.checkpoints.length === 0 ? 'it has no checkpoint' : null
    case 'resume':
      if (!['paused', 'failed'].includes(summary.status)) return 'it goes on by itself'
      return whyNot(state, { kind: 'resume' })
    default:
      return whyNot(state, { kind: name })
  }
}

/** Why there is no result that waits to be brought into the work tree; null where there is one. */
function whyNotApplied(state: GroupView['state']): string | null {
  const node = state.spec.program === 'best-of' ? resultToApply(state) : null
  if (node === null) return 'no attempt is chosen'
  if (node === state.inTree) return 'it is in the work tree'
  return whyNot(state, { kind: 'pick', node })
}

function whyNot(state: GroupView['state'], wish: GroupWish): string | null {
  const admitted = admitGroup(state, wish)
  return admitted.ok ? null : refusalWords(admitted.because)
}

function ResumeGroup({ view, close }: { view: GroupView; close(): void }): JSX.Element {
  const { id } = view.state
  const { budgetUsd } = view.summary
  const first = budgetUsd === null ? 'none' : String(budgetUsd)
  const [budget, setBudget] = useState(first)
  const body = { kind: 'resume' as const, ...(budget !== first && { budget }) }
  return (
    <SureDialog
      title={`Resume group ${id}`}
      words="Its resting loops continue."
      yes="Resume"
      run={() => sendCommand(id, body, 'It goes on.')}
      close={close}
    >
      <label class="field">
        <span class="label">Budget of all together, in dollars</span>
        <input class="input" value={budget} onInput={event => setBudget(event.currentTarget.value)} />
        <span class="hint">"none" lifts it</span>
      </label>
    </SureDialog>
  )
}
