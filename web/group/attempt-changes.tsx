/** The changes of one attempt, or of two side by side. A single file of either can be taken over. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { GroupState } from '../../src/core/group/state.ts'
import { namesOf } from '../../src/core/loop/parts/tree.ts'
import type { State } from '../../src/core/loop/state.ts'
import { sendCommand } from '../base/command.ts'
import { useJournal } from '../base/journal.ts'
import { Empty, Loading } from '../parts/note.tsx'
import { ChangesView } from '../run/changes/changes-view.tsx'
import type { FileInDiff } from '../run/changes/file-tree.tsx'
import { SureDialog } from './sure-dialog.tsx'

type Attempt = { node: string; member: string | null; stage: string }

/** `first`: the one that is shown at first. */
type Props = { state: GroupState; attempts: readonly Attempt[]; first: string | null }

export function AttemptChanges({ state, attempts, first }: Props): JSX.Element {
  const known = attempts.filter(({ member }) => member !== null)
  const [left, setLeft] = useState(first ?? known[0]?.node ?? '')
  const [right, setRight] = useState('')
  const shown = [left, right].flatMap(node => known.find(one => one.node === node) ?? [])
  if (known.length === 0) return <Empty title="No attempt has begun yet" />
  return (
    <section class="stack" aria-label="Changes of attempts">
      <div class="row wrap">
        <h2>Changes</h2>
        <Pick label="of" value={left} attempts={known} set={setLeft} />
        <Pick label="beside" value={right} attempts={known} set={setRight} none="nobody" />
      </div>
      <div class="beside" data-two={shown.length === 2}>
        {shown.map(({ node, member }) => (
          <div key={node} class="stack">
            {shown.length === 2 && <h3>{node}</h3>}
            <MemberChanges
              group={state.id}
              node={node}
              member={member ?? ''}
              isSettled={attempts.find(one => one.node === node)?.stage === 'ended'}
            />
          </div>
        ))}
      </div>
    </section>
  )
}

type PickProps = {
  label: string
  value: string
  attempts: readonly Attempt[]
  set(node: string): void
  none?: string
}

function Pick({ label, value, attempts, set, none }: PickProps): JSX.Element {
  return (
    <label class="row">
      <span class="quiet">{label}</span>
      <select class="input" value={value} onChange={event => set(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {attempts.map(({ node }) => (
          <option key={node}>{node}</option>
        ))}
      </select>
    </label>
  )
}

type MemberProps = { group: string; node: string; member: string; isSettled: boolean }

function MemberChanges({ group, node, member, isSettled }: MemberProps): JSX.Element {
  const loop = useJournal(member).state as State | null
  const [file, setFile] = useState<FileInDiff | null>(null)
  if (!loop) return <Loading what={`loop ${member}`} />
  const names = namesOf(loop.tree.checkpoints)
  const to = names.at(-1)
  if (to === undefined || names.length < 2) return <Empty title="It has changed nothing yet" />
  return (
    <>
      <ChangesView
        key={`${member} ${to}`}
        between={{ id: member, from: 'initial', to }}
        more={one => (
          <button
            type="button"
            class="button small"
            disabled={!isSettled}
            aria-label={`Take file ${one.name} of ${node}`}
            onClick={() => setFile(one)}
          >
            Take file
          </button>
        )}
      />
      {file !== null && (
        <SureDialog
          title="Take this file?"
          words={`${file.name} of ${node} is brought into the work tree, which is saved first.`}
          yes="Take it"
          run={() =>
            sendCommand(
              group,
              { kind: 'pick', node, files: [file.path] },
              `${file.name} of ${node} is being brought in.`,
            )
          }
          close={() => setFile(null)}
        />
      )}
    </>
  )
}
