/** Attempts side by side: the result of each, every measured value, why one won, and the diffs of any two. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { admitGroup } from '../../src/core/group/admit.ts'
import { comparison } from '../../src/core/group/comparison.ts'
import { refusalWords } from '../../src/failures/refusal.ts'
import { formatCost, formatDuration } from '../../src/model/units.ts'
import { whyChosen } from '../../src/views/text/compare.ts'
import { formatChanges } from '../../src/views/words/message.ts'
import { shortReason } from '../../src/views/words/reasons.ts'
import { sendCommand } from '../base/command.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Empty, Note } from '../parts/note.tsx'
import { AttemptChanges } from './attempt-changes.tsx'
import type { GroupView } from './group-page.tsx'
import { SureDialog } from './sure-dialog.tsx'

type Compared = ReturnType<typeof comparison>
type Attempt = Compared['attempts'][number]

export function CompareTab({ state }: GroupView): JSX.Element {
  const compared = comparison(state)
  const [picked, setPicked] = useState<Attempt | null>(null)
  if (compared.attempts.length === 0) return <Empty title="No attempt is planned yet" />
  const measures = [...new Set(compared.attempts.flatMap(({ values }) => Object.keys(values)))]
  return (
    <div class="stack wide-gap">
      <Why compared={compared} />
      <section class="card table-box" tabIndex={0} role="region" aria-label="Attempts">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Outcome</th>
              <th scope="col" class="right">
                Iterations
              </th>
              <th scope="col" class="right">
                Time
              </th>
              <th scope="col">Changes</th>
              <th scope="col" class="right">
                Cost
              </th>
              {measures.map(name => (
                <th key={name} scope="col" class="right">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Pick</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {compared.attempts.map(attempt => (
              <AttemptRow
                key={attempt.node}
                attempt={attempt}
                compared={compared}
                measures={measures}
                why={whyNotPicked(state, attempt.node)}
                pick={() => setPicked(attempt)}
              />
            ))}
          </tbody>
        </table>
      </section>
      <AttemptChanges state={state} attempts={compared.attempts} first={compared.winner} />
      {picked && (
        <SureDialog
          title={`Bring ${picked.node} into the work tree?`}
          words="The tree is saved first, then the result is merged into it, and the promise is run there again."
          yes="Pick it"
          run={() =>
            sendCommand(state.id, { kind: 'pick', node: picked.node }, `${picked.node} is being brought in.`)
          }
          close={() => setPicked(null)}
        />
      )}
    </div>
  )
}

function Why({ compared: { winner, by, attempts, inTree } }: { compared: Compared }): JSX.Element {
  if (winner === null) {
    return (
      <Note tone="quiet" icon="info">
        <p>
          Nobody is chosen yet
          {attempts.some(({ how }) => how === 'completed') ? '' : ': no attempt has passed'}.
        </p>
      </Note>
    )
  }
  const passed = attempts.filter(({ how }) => how === 'completed').length
  return (
    <Note tone="good" icon="check">
      <p>
        <strong>{winner}</strong> won: {whyChosen(by, passed)}.{' '}
        {inTree === null ? 'None of them is in the work tree.' : `In the work tree: ${inTree}.`}
      </p>
    </Note>
  )
}

/** Why it cannot be brought into the work tree now; null where it can. */
function whyNotPicked(state: GroupView['state'], node: string): string | null {
  if (node === state.inTree) return 'it is in the work tree'
  const admitted = admitGroup(state, { kind: 'pick', node })
  return admitted.ok ? null : refusalWords(admitted.because)
}

type RowProps = {
  attempt: Attempt
  compared: Compared
  measures: readonly string[]
  why: string | null
  pick(): void
}

function AttemptRow({ attempt, compared, measures, why, pick }: RowProps): JSX.Element {
  const { node, member, stage, how, reason, iterations, durationMs, changes, costUsd, values } = attempt
  return (
    <tr data-winner={node === compared.winner}>
      <th scope="row">
        <span class="row">
          {node === compared.winner && <Icon name="check" size={14} class="tone-good" />}
          {member === null ? node : <Link to={`/loops/${member}`}>{node}</Link>}
          {node === compared.inTree && <span class="tag">in the tree</span>}
        </span>
      </th>
      <td class={how === 'completed' ? 'tone-good' : how === undefined ? 'quiet' : 'tone-bad'}>
        {how === undefined ? stage : how === 'completed' ? 'passed' : shortReason(reason ?? how)}
      </td>
      <td class="right num">{iterations ?? '–'}</td>
      <td class="right num">{durationMs === undefined ? '–' : formatDuration(durationMs)}</td>
      <td class="num">{changes ? formatChanges(changes) : '–'}</td>
      <td class="right num">{costUsd == null ? '–' : formatCost(costUsd, { costEstimated: false })}</td>
      {measures.map(name => (
        <td key={name} class="right num" title={values[name]?.command ?? undefined}>
          {values[name]?.value ?? '–'}
          {name === compared.by && node === compared.winner && <span class="tone-good"> decided</span>}
        </td>
      ))}
      <td class="right">
        <button
          type="button"
          class="button small"
          disabled={why !== null}
          title={why ?? undefined}
          aria-label={`Pick ${node}`}
          onClick={pick}
        >
          Pick
        </button>
      </td>
    </tr>
  )
}
