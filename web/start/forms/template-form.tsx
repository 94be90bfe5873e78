/**
 * The form for a template: the list of templates, the meaning of each variable, and the values found in the project.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { RouteAnswer } from '../../../src/server/api/contract.ts'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { useSubmit } from '../../base/submit.ts'
import { Empty, FailureNote, Loading } from '../../parts/note.tsx'
import { begun } from '../begun.ts'
import { FileTrust } from '../file-trust.tsx'
import { type FormProps, optionsOf, setOf } from '../filled.ts'
import { FormFrame } from '../form-frame.tsx'
import { OptionsOf } from '../more-options.tsx'
import { TerminalCard } from '../terminal-card.tsx'
import { TreeField } from '../tree-field.tsx'
import { type FormVariable, VariableFields } from '../variable-fields.tsx'

type Template = RouteAnswer<'template'>

export function TemplateForm({ filled, set }: FormProps): JSX.Element {
  const { cwd, template } = filled
  const [trust, setTrust] = useState<string | null>(null)
  const isPlace = cwd.startsWith('/')
  const all = useAsked(isPlace ? `templates ${cwd}` : null, signal =>
    askLoopd('templates', { query: { cwd } }, signal),
  )
  const one = useAsked(isPlace && template !== '' ? `template ${template} ${cwd}` : null, signal =>
    askLoopd('template', { params: { template }, query: { cwd } }, signal),
  )
  const variables = one.value ? variablesOf(one.value) : []
  const isReady =
    one.value !== null &&
    variables.every(({ name, isNeeded }) => !isNeeded || (filled.set[name] ?? '') !== '') &&
    (one.value.isTrusted || trust === one.value.hash)
  const { isBusy, submit } = useSubmit(async () => {
    const body = { cwd, set: setOf(filled), options: optionsOf(filled), ...(trust !== null && { trust }) }
    return begun(await askLoopd('runTemplate', { params: { template }, body }))
  })
  return (
    <FormFrame
      submit={submit}
      yes="Start the template"
      canStart={isReady && !isBusy}
      side={
        <TerminalCard
          filled={filled}
          words={one.value ? ['template', 'run', template] : null}
          missing="Choose a directory and a template: the command then appears here."
        />
      }
    >
      <TreeField value={cwd} set={next => set({ cwd: next })} />
      {!isPlace && <p class="quiet">Which templates there are depends on the directory.</p>}
      {all.refused && <FailureNote refused={all.refused} retry={all.reload} />}
      {all.isLoading && <Loading what="the templates" />}
      {all.value && (
        <Templates all={all.value} chosen={template} choose={name => set({ template: name, set: {} })} />
      )}
      {one.refused && <FailureNote refused={one.refused} retry={one.reload} />}
      {one.value && (
        <VariableFields variables={variables} values={filled.set} set={values => set({ set: values })} />
      )}
      {one.value && <FileTrust file={one.value} trust={trust} set={setTrust} />}
      {one.value && <OptionsOf what="workflow" filled={filled} set={set} open="agent" />}
    </FormFrame>
  )
}

/** The value found in the project holds, unless another one is typed. */
function variablesOf({ vars = [], commands = [], unset = [] }: Template): FormVariable[] {
  return vars.map(({ name, description, default: usual }) => {
    const found = commands.find(one => one.name === name && one.command !== '')
    return {
      name,
      help: [description, found?.because].filter(Boolean).join('; '),
      usual: found?.command ?? usual ?? '',
      isNeeded: unset.includes(name),
    }
  })
}

type ListProps = { all: RouteAnswer<'templates'>; chosen: string; choose(name: string): void }

function Templates({ all, chosen, choose }: ListProps): JSX.Element {
  if (all.length === 0) return <Empty title="There are no templates" />
  return (
    <fieldset class="field plain-set">
      <legend class="label">Template</legend>
      <div class="cards">
        {all.map(({ name, description, place }) => (
          <label key={name} class="card choice">
            <input type="radio" name="template" checked={name === chosen} onChange={() => choose(name)} />
            <span>
              <strong>{name}</strong> {place !== 'built in' && <span class="tag">{place}</span>}
              <span class="hint block quiet small">{description}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
