/** Resumes a loop. Limits that are used up are raised beforehand; core says which those are. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { neededRaise } from '../../../src/core/loop/breaker.ts'
import { agentNames } from '../../../src/model/agent.ts'
import { formatDuration } from '../../../src/model/units.ts'
import { sendCommand, type Wished } from '../../base/command.ts'
import { useSubmit } from '../../base/submit.ts'
import { Dialog } from '../../parts/dialog.tsx'
import type { LoopView } from '../loop-page.tsx'

type Fields = { iterations: string; budget: string; timeout: string; agent: string; model: string }

export function ResumeDialog({ view, close }: { view: LoopView; close(): void }): JSX.Element {
  const { state, summary } = view
  const raise = neededRaise(summary, true)
  const first: Fields = {
    iterations: limitText(raise.maxIterations ?? summary.maxIterations, 'unlimited'),
    budget: limitText(raise.budgetUsd ?? summary.budgetUsd, 'none'),
    timeout: formatDuration(state.spec.timeoutMs).replaceAll(' ', ''),
    agent: state.work.agent,
    model: state.spec.model ?? '',
  }
  const [fields, setFields] = useState(first)
  const change = (name: keyof Fields) => (value: string) => setFields(now => ({ ...now, [name]: value }))
  const { isBusy, submit } = useSubmit(
    () => sendCommand(state.id, bodyOf(fields, first), 'It goes on.'),
    close,
  )
  return (
    <Dialog title={`Resume loop ${state.id}`} close={close}>
      <form class="stack bare" onSubmit={submit}>
        <div class="two">
          <Field
            name="Iterations at most"
            value={fields.iterations}
            set={change('iterations')}
            hint={`${summary.iteration} used; "unlimited" lifts it`}
          />
          <Field
            name="Budget in dollars"
            value={fields.budget}
            set={change('budget')}
            hint={`${summary.costUsd === null ? 'unknown' : `$${summary.costUsd.toFixed(2)}`} spent; "none" lifts it`}
          />
          <Field
            name="Time of one agent run"
            value={fields.timeout}
            set={change('timeout')}
            hint="90s, 5m, 1h30m"
          />
          <AgentField value={fields.agent} set={change('agent')} />
          <Field
            name="Model"
            value={fields.model}
            set={change('model')}
            hint="as the agent names it; empty: its own choice"
          />
        </div>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button type="submit" class="button primary" disabled={isBusy} autofocus>
            Resume
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function limitText(limit: number | null, none: string): string {
  return limit === null ? none : String(limit)
}

/** Only the fields that were changed, or that have to be raised. */
function bodyOf(fields: Fields, first: Fields): Wished {
  const { iterations, budget, timeout, agent, model } = fields
  return {
    kind: 'resume',
    max_iterations: iterations,
    budget,
    ...(timeout !== first.timeout && { timeout }),
    ...(agent !== first.agent && { agent }),
    ...(model !== first.model && model !== '' && { model }),
  } as Wished
}

function Field({
  name,
  value,
  set,
  hint,
}: {
  name: string
  value: string
  set(value: string): void
  hint: string
}): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <input
        id={id}
        class="input"
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={event => set(event.currentTarget.value)}
      />
      <span id={`${id}-hint`} class="hint">
        {hint}
      </span>
    </div>
  )
}

function AgentField({ value, set }: { value: string; set(value: string): void }): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Agent</label>
      <select id={id} class="input" value={value} onChange={event => set(event.currentTarget.value)}>
        {agentNames.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  )
}
