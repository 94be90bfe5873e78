/**
 * The start page: a form for a loop, several attempts, a plan, a template or a workflow, and the equivalent command.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { setQuery, usePlace } from '../base/router.ts'
import { Choose } from '../parts/choose.tsx'
import { setTitle } from '../shell/title.ts'
import { type Filled, type FormProps, firstFilled, type Kind, kinds } from './filled.ts'
import { LoopForm } from './forms/loop-form.tsx'
import { PlanForm } from './forms/plan-form.tsx'
import { TemplateForm } from './forms/template-form.tsx'
import { WorkflowForm } from './forms/workflow-form.tsx'

const about: Record<Kind, string> = {
  loop: 'An agent works, again and again, until a command says that it is done.',
  'best-of':
    'Several attempts at the same task, each in a copy of its own; the best result comes into the work tree.',
  plan: 'From a text to verified work: questions, tasks in waves, reviews, a gate.',
  template: 'A workflow that has proved itself, with your values in it.',
  workflow: 'Loops that depend on each other, described in a file of yours.',
}

const forms: Record<Kind, (props: FormProps) => JSX.Element> = {
  loop: LoopForm,
  'best-of': LoopForm,
  plan: PlanForm,
  template: TemplateForm,
  workflow: WorkflowForm,
}

export function StartPage(): JSX.Element {
  const { query } = usePlace()
  const [filled, setFilled] = useState<Filled>(() => firstFilled(query))
  const set = (change: Partial<Filled>) => setFilled(now => ({ ...now, ...change }))
  useEffect(() => setTitle('Start'), [])
  const { kind } = filled
  const choose = (next: Kind) => {
    // An option of one kind may mean nothing for another.
    set({ kind: next, options: shared(filled.options), set: {} })
    setQuery({ kind: next === 'loop' ? '' : next })
  }
  const Form = forms[kind]
  return (
    <div class="page start-page">
      <div class="stack tight">
        <h1>Start</h1>
        <p class="quiet">{about[kind]}</p>
      </div>
      <Choose label="What is started" value={kind} choices={kinds} choose={choose} />
      <Form key={kind === 'best-of' ? 'loop' : kind} filled={filled} set={set} />
    </div>
  )
}

function shared(options: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).filter(([key]) => /^(?:agent|agent_cmd|model)$/.test(key)),
  )
}
