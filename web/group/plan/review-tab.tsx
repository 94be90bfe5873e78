/** The reviews of a plan: the findings of each round, newest first, which of them stand, and the answers of people. */
import type { JSX } from 'preact'
import { count } from '../../../src/model/units.ts'
import { roundsOf } from '../../../src/views/plan/review.ts'
import { Empty } from '../../parts/note.tsx'
import type { GroupView } from '../group-page.tsx'
import { FindingCard } from './finding-card.tsx'
import type { Round, ShownFinding } from './findings.ts'

export function ReviewTab({ state }: GroupView): JSX.Element {
  const rounds = roundsOf(state).toReversed()
  if (rounds.length === 0)
    return (
      <Empty title="Not reviewed yet">
        <p>Independent reviewers read the whole change once all tasks are in the tree.</p>
      </Empty>
    )
  return (
    <div class="stack wide-gap">
      {rounds.map((round, i) => (
        <section
          key={round.round}
          class="card"
          aria-label={`Review ${round.round}`}
          data-bare={round.findings.length === 0}
        >
          <div class="card-head">
            <h2>Review {round.round}</h2>
            <span class="quiet small">{standingWords(round)}</span>
          </div>
          <div class="findings">
            {round.findings.map(finding => (
              <FindingCard
                key={finding.id}
                state={state}
                finding={finding}
                fate={fateOf(finding, rounds[i - 1], rounds[i + 1])}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/** What the rounds around it say of a finding; the rounds stand newest first. */
function fateOf({ id }: ShownFinding, after: Round | undefined, before: Round | undefined): string | null {
  const isIn = (round: Round | undefined) => round?.findings.some(one => one.id === id)
  if (isIn(after) === false) return 'not found again'
  if (before === undefined) return null
  return isIn(before) ? 'still there' : 'new'
}

function standingWords({ findings }: Round): string {
  if (findings.length === 0) return 'nothing was found'
  const blockers = findings.filter(({ severity }) => severity === 'BLOCKER').length
  return `${count(findings.length, 'finding')}, ${count(blockers, 'standing blocker')}`
}
