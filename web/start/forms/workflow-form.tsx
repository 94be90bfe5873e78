/**
 * The form for a workflow file: its mistakes, its limits, its variables, and a box by which a person confirms having
 * read it.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RouteAnswer } from '../../../src/server/api/contract.ts'
import { worstCaseWords } from '../../../src/views/text/workflow.ts'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { useSubmit } from '../../base/submit.ts'
import { FailureNote, Note } from '../../parts/note.tsx'
import { begun } from '../begun.ts'
import { FileTrust } from '../file-trust.tsx'
import { type FormProps, optionsOf, setOf } from '../filled.ts'
import { FormFrame } from '../form-frame.tsx'
import { OptionsOf } from '../more-options.tsx'
import { TerminalCard } from '../terminal-card.tsx'
import { TreeField } from '../tree-field.tsx'
import { VariableFields } from '../variable-fields.tsx'

type Judged = RouteAnswer<'validate'>

export function WorkflowForm({ filled, set }: FormProps): JSX.Element {
  const { cwd } = filled
  const file = useSettled(filled.file)
  const [trust, setTrust] = useState<string | null>(null)
  const isNamed = cwd.startsWith('/') && file.startsWith('/')
  const judged = useAsked(isNamed ? `workflow ${cwd} ${file}` : null, signal =>
    askLoopd('validate', { body: { cwd, file } }, signal),
  )
  const found = judged.value
  const isReady =
    found?.valid === true &&
    found.unset.every(name => (filled.set[name] ?? '') !== '') &&
    (found.isTrusted || trust === found.hash)
  const { isBusy, submit } = useSubmit(async () => {
    const body = { cwd, file, set: setOf(filled), options: optionsOf(filled) }
    return begun(await askLoopd('runWorkflow', { body: { ...body, ...(trust !== null && { trust }) } }))
  })
  return (
    <FormFrame
      submit={submit}
      yes="Start the workflow"
      canStart={isReady && !isBusy}
      side={
        <>
          {found?.valid && <Most judged={found} />}
          <TerminalCard
            filled={filled}
            words={isNamed ? ['workflow', 'run', file] : null}
            missing="Name a directory and a workflow file: the command then appears here."
          />
        </>
      }
    >
      <TreeField value={cwd} set={next => set({ cwd: next })} />
      <label class="field">
        <span class="label">Workflow file</span>
        <input
          class="input mono"
          required
          placeholder={`${cwd === '' ? '/home/you/project' : cwd}/release.yaml`}
          value={filled.file}
          onInput={event => set({ file: event.currentTarget.value, set: {} })}
        />
      </label>
      {judged.refused && <FailureNote refused={judged.refused} retry={judged.reload} />}
      {found && <Problems judged={found} reload={judged.reload} />}
      {found?.valid && (
        <>
          <VariableFields
            variables={found.unset.map(name => ({ name, help: '', usual: '', isNeeded: true }))}
            values={filled.set}
            set={values => set({ set: values })}
          />
          <FileTrust file={{ ...found, path: found.file }} trust={trust} set={setTrust} />
          <OptionsOf what="workflow" filled={filled} set={set} open="agent" />
        </>
      )}
    </FormFrame>
  )
}

/** Waits until typing pauses: a path is not looked up at each letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(setSettled, 300, text)
    return () => window.clearTimeout(timer)
  }, [text])
  return settled
}

function Problems({ judged, reload }: { judged: Judged; reload(): void }): JSX.Element | null {
  if (judged.valid) return null
  return (
    <Note tone="bad" icon="warn">
      <p>The file cannot run as it is:</p>
      <ul class="stack" aria-label="What is wrong with the file">
        {judged.problems.map(({ line, column, message, hint, source }) => (
          <li key={`${line}:${column} ${message}`}>
            <code class="small quiet">
              {line}:{column}
            </code>{' '}
            {message} {hint}
            {source !== '' && (
              <pre class="printed" tabIndex={0} aria-label={`Line ${line}`}>
                {`${source}\n${' '.repeat(Math.max(0, column - 1))}^`}
              </pre>
            )}
          </li>
        ))}
      </ul>
      <p>
        <button type="button" class="button small" onClick={reload}>
          Look again
        </button>
      </p>
    </Note>
  )
}

function Most({ judged: { name, loops, worstCase } }: { judged: Judged }): JSX.Element {
  return (
    <section class="card" aria-label="What it would run">
      <div class="card-head">
        <h2>{name}</h2>
      </div>
      <div class="card-body stack">
        <p class="quiet">{loops.join(' · ')}</p>
        {worstCase && <p>{worstCaseWords(worstCase)}</p>}
      </div>
    </section>
  )
}
