/** The configuration of this user: each key with its value, the source of that value, and a field to change it. */
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { useSubmit } from '../base/submit.ts'
import { saidHow } from '../base/toast.ts'
import { FailureNote, Loading } from '../parts/note.tsx'

type Setting = RouteAnswer<'config'>['keys'][number]

export function ConfigTab(): JSX.Element {
  const [text, setText] = useState('')
  const got = useAsked('config', signal => askLoopd('config', {}, signal))
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="the configuration" />
  const { keys, path } = got.value
  const shown = keys.filter(({ key, help }) => `${key} ${help}`.toLowerCase().includes(text.toLowerCase()))
  return (
    <div class="stack">
      <div class="row wrap">
        <span class="quiet small">
          In <code>{path}</code>
        </span>
        <span class="grow" />
        <input
          class="input list-search"
          type="search"
          aria-label="Search the configuration"
          placeholder="Search"
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
      </div>
      <ul class="card settings">
        {shown.map(setting => (
          <SettingRow key={setting.key} setting={setting} changed={got.reload} />
        ))}
      </ul>
    </div>
  )
}

function SettingRow({ setting, changed }: { setting: Setting; changed(): void }): JSX.Element {
  const { key, value, help, source, takes, words } = setting
  const now = value ?? ''
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  const id = useId()
  const save = useSubmit(() => set(key, text), changed)
  const reset = useSubmit(() => set(key, null), changed)
  return (
    <li class="setting">
      <form class="setting-form" onSubmit={save.submit}>
        <div class="grow">
          <label for={id}>
            <code>{key}</code> <span class="tag">{source}</span>
          </label>
          <p id={`${id}-help`} class="small quiet">
            {help}
          </p>
        </div>
        {words.length > 0 ? (
          <select
            id={id}
            class="input"
            value={text}
            aria-describedby={`${id}-help`}
            onChange={event => setText(event.currentTarget.value)}
          >
            {[...new Set([now, ...words])].map(word => (
              <option key={word}>{word}</option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            class="input"
            value={text}
            placeholder={takes ?? 'true or false'}
            aria-describedby={`${id}-help`}
            onInput={event => setText(event.currentTarget.value)}
          />
        )}
        <button
          type="submit"
          class="button small"
          disabled={save.isBusy || text === now || text === ''}
          aria-label={`Save ${key}`}
        >
          Save
        </button>
        <button
          type="button"
          class="button plain small"
          disabled={reset.isBusy || source === 'default'}
          aria-label={`Reset ${key}`}
          onClick={reset.submit}
        >
          Reset
        </button>
      </form>
    </li>
  )
}

async function set(key: string, value: string | null): Promise<boolean> {
  return saidHow(
    await askLoopd('setConfig', { body: { key, value } }),
    value === null ? `${key} has its default value again.` : `${key} is ${value}.`,
  )
}
