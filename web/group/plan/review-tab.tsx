/** The reviews of a plan: the findings of each round, newest first, which of them stand, and the answers of people. */
import type { JSX } from 'preact'
import { roundsOf } from '../../../src/views/plan/review.ts'
import { count } from '../../../src/views/words/message.ts'
import { Empty } from '../../parts/note.tsx'
import type { GroupView } from '../group-page.tsx'
import { FindingCard } from './finding-card.tsx'
import type { Round } from './findings.ts'

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
      {rounds.map(round => (
        <section key={round.round} class="card" aria-label={`Review ${round.round}`}>
          <div class="card-head">
            <h2>Review {round.round}</h2>
            <span class="quiet small">{standingWords(round)}</span>
          </div>
          {round.findings.length === 0 ? (
            <p class="card-body quiet">Nothing was found.</p>
          ) : (
            <div class="findings">
              {round.findings.map(finding => (
                <FindingCard key={finding.id} state={state} finding={finding} />
              ))}
            </div>
          )}
        </section>
      ))}
    </div>
  )
}

function standingWords({ findings }: Round): string {
  const blockers = findings.filter(({ severity }) => severity === 'BLOCKER').length
  return `${count(findings.length, 'finding')}, ${count(blockers, 'standing blocker')}`
}
