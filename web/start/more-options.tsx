/** All other options of a start, from the table of options: by subject, each with its help and its default. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { FailureNote, Loading } from '../parts/note.tsx'
import type { FormProps } from './filled.ts'

type Option = RouteAnswer<'options'>['start'][number]

type OfProps = FormProps & { what: 'start' | 'plan' | 'workflow'; open: Option['section'] }

/** `open`: the section that is open at first. */
export function OptionsOf({ what, open, filled, set }: OfProps): JSX.Element {
  const options = useAsked('options', signal => askLoopd('options', {}, signal))
  if (options.refused) return <FailureNote refused={options.refused} retry={options.reload} />
  if (!options.value) return <Loading what="the options" />
  return (
    <MoreOptions
      options={options.value[what]}
      open={open}
      values={filled.options}
      set={more => set({ options: more })}
    />
  )
}

type Props = {
  options: readonly Option[]
  open: Option['section']
  values: Record<string, string>
  set(values: Record<string, string>): void
}

const titles: Record<Option['section'], string> = {
  promise: 'More about the promise',
  limits: 'Limits',
  agent: 'Agent',
  tree: 'Work tree and checkpoints',
  breakers: 'Breakers',
  attempts: 'Several attempts',
  plan: 'Reviews and tasks',
  end: 'At the end',
}

/** These options have fields of their own. */
const shownApart = ['promise', 'cwd']

function MoreOptions({ options, open, values, set }: Props): JSX.Element {
  const rest = options.filter(({ key }) => !shownApart.includes(key))
  const bySection = Map.groupBy(rest, ({ section }) => section)
  const change = (key: string) => (text: string) => set({ ...values, [key]: text })
  return (
    <>
      {Array.from(bySection, ([section, some]) => {
        const changed = some.filter(({ key }) => (values[key] ?? '') !== '').length
        return (
          <details key={section} class="card options" open={section === 'agent' || section === open}>
            <summary class="card-head">
              <h2>{titles[section]}</h2>
              {changed > 0 && <span class="count">{changed}</span>}
            </summary>
            <div class="card-body two">
              {some.map(option => (
                <OptionField
                  key={option.key}
                  option={option}
                  value={values[option.key] ?? ''}
                  set={change(option.key)}
                />
              ))}
            </div>
          </details>
        )
      })}
    </>
  )
}

function OptionField({
  option,
  value,
  set,
}: {
  option: Option
  value: string
  set(text: string): void
}): JSX.Element {
  const id = useId()
  const { key, help, kind, words } = option
  if (kind === 'switch') {
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'yes'}
            aria-describedby={`${id}-help`}
            onChange={event => set(event.currentTarget.checked ? 'yes' : '')}
          />
          <span class="label">{key}</span>
        </label>
        <span id={`${id}-help`} class="hint">
          {help}
        </span>
      </div>
    )
  }
  return (
    <div class="field">
      <label for={id}>{key}</label>
      {kind === 'words' ? (
        <Words id={id} words={words} option={option} value={value} set={set} />
      ) : (
        <Text id={id} option={option} value={value} set={set} />
      )}
      <span id={`${id}-help`} class="hint">
        {help}
      </span>
    </div>
  )
}

type InputProps = { id: string; option: Option; value: string; set(text: string): void }

function Words({ id, words, option, value, set }: InputProps & { words: readonly string[] }): JSX.Element {
  return (
    <select
      id={id}
      class="input"
      value={value}
      aria-describedby={`${id}-help`}
      onChange={event => set(event.currentTarget.value)}
    >
      <option value="">{option.default === null ? 'not given' : `${option.default} (default)`}</option>
      {words.map(word => (
        <option key={word}>{word}</option>
      ))}
    </select>
  )
}

function Text({ id, option, value, set }: InputProps): JSX.Element {
  const placeholder = option.default ?? option.takes ?? ''
  if (option.kind === 'list') {
    return (
      <textarea
        id={id}
        class="input mono short"
        rows={2}
        placeholder={`${placeholder}, one on each line`}
        value={value}
        aria-describedby={`${id}-help`}
        onInput={event => set(event.currentTarget.value)}
      />
    )
  }
  return (
    <input
      id={id}
      class="input"
      placeholder={placeholder}
      value={value}
      aria-describedby={`${id}-help`}
      onInput={event => set(event.currentTarget.value)}
    />
  )
}
