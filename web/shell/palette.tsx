/** The command palette: pages, the actions of the current page, and every loop by its prompt, from the keyboard. */
import type { JSX } from 'preact'
import { useId, useMemo, useState } from 'preact/hooks'
import { useCell } from '../base/cell.ts'
import { listing } from '../base/list.ts'
import { goTo } from '../base/router.ts'
import { nextTheme } from '../base/theme.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { StatusIcon } from '../parts/status.tsx'
import { keysHere } from './keys.ts'

type Choice = { words: string; more: string; icon: IconName | null; status: string | null; run(): void }

const most = 40

export function Palette({ close }: { close(): void }): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { rows } = useCell(listing)
  const name = useId()
  const choices = useMemo(() => found(allChoices(rows.values()), text), [rows, text])
  const chosen = Math.min(at, choices.length - 1)
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    choice.run()
  }
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(choices[chosen])
    }
  }
  return (
    <Dialog title="Search and commands" hideTitle close={close} class="palette">
      <input
        class="input"
        role="combobox"
        aria-label="Search loops, pages and commands"
        aria-expanded="true"
        aria-controls={name}
        aria-activedescendant={choices.length > 0 ? `${name}-${chosen}` : undefined}
        placeholder="Search loops, pages and commands"
        value={text}
        onInput={event => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={pressed}
      />
      <ul id={name} role="listbox" aria-label="Found">
        {choices.map((choice, i) => (
          <li
            key={i}
            id={`${name}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => take(choice)}
            onMouseMove={() => setAt(i)}
          >
            {choice.status === null ? (
              choice.icon && <Icon name={choice.icon} class="tone-quiet" />
            ) : (
              <StatusIcon status={choice.status} />
            )}
            <span class="clip grow">{choice.words}</span>
            <span class="quiet small clip">{choice.more}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <div class="empty">Nothing matches.</div>}
    </Dialog>
  )
}

function allChoices(rows: Iterable<{ id: string; prompt: string; status: string; cwd: string }>): Choice[] {
  const page = (words: string, to: string, icon: IconName): Choice => ({
    words,
    more: 'page',
    icon,
    status: null,
    run: () => goTo(to),
  })
  return [
    ...keysHere().map(
      ({ key, words, run }): Choice => ({
        words: capital(words),
        more: key,
        icon: 'keys',
        status: null,
        run,
      }),
    ),
    page('Loops', '/', 'list'),
    page('Start a loop', '/start', 'plus'),
    page('Report', '/report', 'report'),
    page('Machine', '/machine', 'machine'),
    { words: 'Change the theme', more: 'command', icon: 'half', status: null, run: nextTheme },
    ...Array.from(
      rows,
      ({ id, prompt, status, cwd }): Choice => ({
        words: `${id}  ${prompt}`,
        more: cwd,
        icon: null,
        status,
        run: () => goTo(`/loops/${id}`),
      }),
    ),
  ]
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function found(choices: Choice[], text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ words: of, more }: Choice) => {
    const all = `${of} ${more}`.toLowerCase()
    return words.every(word => all.includes(word))
  }
  return choices.filter(fits).slice(0, most)
}
