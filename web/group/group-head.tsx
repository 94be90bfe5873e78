/** The head of a group's page: its prompt, its status and reason, its total cost, and its actions. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { admitGroup, type GroupWish } from '../../src/core/group/admit.ts'
import { resultToApply } from '../../src/core/group/state.ts'
import { formatCost, formatDuration, formatMoney } from '../../src/model/units.ts'
import { programWords } from '../../src/views/words/group.ts'
import { reasonWords } from '../../src/views/words/message.ts'
import { useCell } from '../base/cell.ts'
import { useNow } from '../base/clock.ts'
import { listing } from '../base/list.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Meter } from '../parts/meter.tsx'
import { StatusBadge } from '../parts/status.tsx'
import { sendCommand } from '../run/act/ask-loop.ts'
import { Figure } from '../run/figure.tsx'
import { usePageKeys } from '../shell/keys.ts'
import type { GroupView } from './group-page.tsx'
import { GroupRollback } from './group-rollback.tsx'
import { SureDialog } from './sure-dialog.tsx'

export function GroupHead(view: GroupView): JSX.Element {
  const { state, summary } = view
  const now = useNow()
  const row = useCell(listing).rows.get(state.id)
  const costUsd = row?.costUsd ?? summary.costUsd
  const { budgetUsd } = summary
  const ended = summary.outcomeAt ?? summary.endedAt ?? now
  const members = summary.nodes.filter(({ member }) => member !== null)
  return (
    <header class="loop-head">
      <div class="row crumbs small">
        <Link to="/">Loops</Link> <span aria-hidden="true">/</span> <code>{state.id}</code>
      </div>
      <div class="loop-head-main">
        <h1 class="prompt grow">{state.spec.name}</h1>
        <GroupActions {...view} />
      </div>
      <p class="loop-why">
        <StatusBadge status={summary.status} />
        <span>{summary.status === 'waiting' ? 'asks you, below' : reasonWords(summary, now)}</span>
      </p>
      <dl class="figures">
        <Figure name="Group" value={programWords(summary)} more="" />
        <Figure name="Nodes" value={`${summary.iteration}`} more={`of ${summary.maxIterations ?? 0} over`}>
          <Meter
            used={summary.iteration}
            of={summary.maxIterations ?? 0}
            label="Nodes that are over"
            isGoal
          />
        </Figure>
        <Figure name="Loops" value={`${members.length}`} more="" />
        <Figure
          name="Cost"
          value={costUsd === null ? '–' : formatCost(costUsd, row ?? summary)}
          more={budgetUsd === null ? 'no budget' : `of ${formatMoney(budgetUsd)}`}
        >
          {budgetUsd !== null && <Meter used={costUsd ?? 0} of={budgetUsd} label="Budget used" />}
        </Figure>
        <Figure name="Time" value={formatDuration(Math.max(0, ended - state.createdAt))} more="in all" />
        <Figure name="Agent" value={summary.agent === '' ? '–' : summary.agent} more="" />
      </dl>
    </header>
  )
}

type Name = 'apply' | 'pause' | 'resume' | 'rollback' | 'cancel'

const actions: readonly {
  name: Name
  words: string
  icon: IconName
  key: string
  probe: GroupWish | null
}[] = [
  { name: 'apply', words: 'Apply', icon: 'save', key: 'a', probe: null },
  { name: 'pause', words: 'Pause', icon: 'pause', key: 'p', probe: { kind: 'pause' } },
  { name: 'resume', words: 'Resume', icon: 'play', key: 'r', probe: { kind: 'resume' } },
  { name: 'rollback', words: 'Roll back', icon: 'back', key: 'b', probe: null },
  { name: 'cancel', words: 'Cancel', icon: 'stop', key: 'x', probe: { kind: 'cancel' } },
]

/** Why no result can be applied to the work tree; null if one can. */
function whyNotApplied(state: GroupView['state']): string | null {
  const node = state.spec.program === 'best-of' ? resultToApply(state) : null
  if (node === null) return 'no attempt is chosen'
  if (node === state.inTree) return 'it is in the work tree'
  const admitted = admitGroup(state, { kind: 'pick', node })
  return admitted.ok ? null : admitted.why
}

function isMain(name: Name): boolean {
  return name === 'resume' || name === 'apply'
}

function GroupActions({ state, summary }: GroupView): JSX.Element {
  const [open, setOpen] = useState<Name | null>(null)
  const refusal = (name: Name, probe: GroupWish | null) => {
    if (name === 'apply') return whyNotApplied(state)
    if (!probe) return state.checkpoints.length === 0 ? 'it has no checkpoint' : null
    if (name === 'resume' && !['paused', 'failed'].includes(summary.status)) return 'it goes on by itself'
    const admitted = admitGroup(state, probe)
    return admitted.ok ? null : admitted.why
  }
  const shown = actions.map(action => ({ ...action, why: refusal(action.name, action.probe) }))
  const run = (name: Name) => {
    if (name !== 'pause') setOpen(name)
    else
      sendCommand(state.id, { kind: 'pause' }, 'It pauses after the iterations of its loops.').catch(
        () => undefined,
      )
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
        .filter(({ why, name }) => why === null || name === 'cancel' || name === 'rollback')
        .map(({ name, words, icon, why }) => (
          <button
            key={name}
            type="button"
            class={`button ${name === 'cancel' ? 'danger' : ''} ${isMain(name) ? 'primary' : ''}`}
            disabled={why !== null}
            title={why ?? undefined}
            onClick={() => run(name)}
          >
            <Icon name={icon} size={14} /> {words}
          </button>
        ))}
      {open === 'cancel' && (
        <SureDialog
          title={`Cancel group ${state.id}?`}
          words="All its loops end now, and their copies are discarded. The work tree stays as it is."
          yes="Cancel the group"
          isDanger
          run={() => sendCommand(state.id, { kind: 'cancel' }, 'It is being cancelled.')}
          close={close}
        />
      )}
      {open === 'apply' && (
        <SureDialog
          title={`Bring ${resultToApply(state)} into the work tree?`}
          words="The tree is saved first, then the result is merged into it, and the promise is run there again."
          yes="Apply it"
          run={() => sendCommand(state.id, { kind: 'apply' }, 'It is being brought in.')}
          close={close}
        />
      )}
      {open === 'resume' && <ResumeGroup id={state.id} budgetUsd={summary.budgetUsd} close={close} />}
      {open === 'rollback' && <GroupRollback state={state} close={close} />}
    </div>
  )
}

function ResumeGroup({
  id,
  budgetUsd,
  close,
}: {
  id: string
  budgetUsd: number | null
  close(): void
}): JSX.Element {
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
