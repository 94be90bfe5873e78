/**
 * The changes of one iteration, or between any two checkpoints. A comment on a line is injected into the next prompt.
 */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { admit } from '../../../src/core/loop/admit.ts'
import { history } from '../../../src/core/loop/history.ts'
import { namesOf } from '../../../src/core/loop/parts/tree.ts'
import { checkpointName } from '../../../src/model/units.ts'
import { setQuery, usePlace } from '../../base/router.ts'
import { RollbackDialog } from '../../journal/rollback-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/note.tsx'
import { InjectDialog } from '../act/inject-dialog.tsx'
import type { LoopView } from '../loop-page.tsx'
import { ChangesView } from './changes-view.tsx'
import type { DiffLine } from './patch.ts'

export function ChangesTab({ journal, state }: LoopView): JSX.Element {
  const { query } = usePlace()
  const [about, setAbout] = useState<string | null>(null)
  const [isBack, setBack] = useState(false)
  const names = useMemo(() => namesOf(state.tree.checkpoints), [state])
  const iterations = useMemo(() => history(journal.events), [journal.events])
  if (state.spec.checkpoint === 'none') return <Empty title="No checkpoints are taken: --checkpoint none" />
  if (names.length < 2) return <Empty title="Nothing to compare yet" />
  const from = known(names, query.get('from')) ?? 'initial'
  const to = known(names, query.get('to')) ?? names.at(-1) ?? 'initial'
  const mayTell = admit(state, { kind: 'inject', text: 'x' }).ok
  const comment = (name: string, line: DiffLine) =>
    setAbout(`About ${name}, line ${line.after ?? line.before}:\n> ${line.text}`)
  return (
    <div class="stack">
      <div class="row wrap">
        <Pick label="From" names={names} value={from} set={name => setQuery({ from: name })} />
        <Pick label="to" names={names} value={to} set={name => setQuery({ to: name })} />
        <button type="button" class="button small" onClick={() => setBack(true)}>
          <Icon name="back" size={14} /> Roll back to {from}
        </button>
        <span class="grow" />
        <label class="row">
          <span class="quiet">Iteration</span>
          <select class="input" value="" onChange={event => setQuery(ofIteration(event.currentTarget.value))}>
            <option value="">all of them</option>
            {iterations.map(({ n }) => (
              <option key={n} value={String(n)}>
                {n}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ChangesView
        key={`${from}..${to}`}
        between={{ id: state.id, from, to }}
        comment={mayTell ? comment : undefined}
      />
      {about !== null && <InjectDialog id={state.id} about={about} close={() => setAbout(null)} />}
      {isBack && (
        <RollbackDialog what="loop" id={state.id} names={names} to={from} close={() => setBack(false)} />
      )}
    </div>
  )
}

function ofIteration(text: string): { from: string; to: string } {
  if (text === '') return { from: '', to: '' }
  return { from: checkpointName(Number(text)), to: checkpointName(Number(text), true) }
}

function known(names: readonly string[], name: string | null): string | null {
  return name !== null && names.includes(name) ? name : null
}

function Pick({
  label,
  names,
  value,
  set,
}: {
  label: string
  names: readonly string[]
  value: string
  set(name: string): void
}): JSX.Element {
  return (
    <label class="row">
      <span class="quiet">{label}</span>
      <select class="input" value={value} onChange={event => set(event.currentTarget.value)}>
        {names.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
