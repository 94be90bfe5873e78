/** One finding of a review: its place, the problem and the fix, the evidence, and the buttons to answer it. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { admitGroup } from '../../../src/core/group/admit.ts'
import type { GroupState } from '../../../src/core/group/state.ts'
import type { resolutions } from '../../../src/model/group/words.ts'
import { sendCommand } from '../../base/command.ts'
import { useSubmit } from '../../base/submit.ts'
import type { ShownFinding } from './findings.ts'

type How = (typeof resolutions)[number]

const ways: readonly [how: How, words: string, done: string, title: string][] = [
  ['approve', 'Approve', 'Approved: it stays as it is.', 'It is known, and stays as it is'],
  ['task', 'Make it a task', 'It becomes a task.', 'A loop mends it before the plan is done'],
  ['discuss', 'Discuss …', 'The next review is told.', 'The next round of reviewers is told what you say'],
  ['skip', 'Skip', 'Skipped.', 'It is left aside'],
]

const resolvedWords: Record<string, string> = {
  approve: 'approved',
  task: 'made a task',
  discuss: 'discussed',
  skip: 'skipped',
}

const tones = { BLOCKER: 'bad', WARNING: 'warn', SUGGESTION: 'info' } as const

/** `fate`: what became of it over the rounds, where there are several. */
type CardProps = { state: GroupState; finding: ShownFinding; fate?: string | null }

export function FindingCard({ state, finding, fate = null }: CardProps): JSX.Element {
  const { id, severity, rule, file, line, quote, problem, fix, resolved } = finding
  return (
    <article class="finding" aria-label={`Finding ${id}`}>
      <div class="row wrap">
        <span class="badge flat" data-tone={tones[severity]}>
          {severity.toLowerCase()}
        </span>
        <h3 class="grow">{rule}</h3>
        {fate !== null && <span class="tag">{fate}</span>}
        {resolved !== null && <span class="tag">{resolvedWords[resolved] ?? resolved}</span>}
        <code class="quiet small">{id}</code>
      </div>
      <p class="small">
        <code>
          {file}:{line}
        </code>
      </p>
      <pre class="printed" tabIndex={0} aria-label="The quoted line">
        {quote.trim()}
      </pre>
      <p>{problem}</p>
      <p>
        <span class="quiet">Fix:</span> {fix}
      </p>
      <p class="small quiet">{groundWords(finding)}</p>
      <Resolving state={state} id={id} resolved={resolved} />
    </article>
  )
}

function groundWords({ grounds, claimed, severity, makers }: ShownFinding): string {
  const by = `said by ${makers.join(', ')}`
  if (grounds.length > 0) return `${by}; ${grounds.join(', ')}`
  return claimed === severity ? by : `${by} to be a ${claimed.toLowerCase()}; not confirmed`
}

type Props = { state: GroupState; id: string; resolved: string | null }

function Resolving({ state, id, resolved }: Props): JSX.Element | null {
  const [isTalking, setTalking] = useState(false)
  const command = (how: How, text = '') => ({ kind: 'review' as const, finding: id, how, by: 'you', text })
  if (!admitGroup(state, command('skip')).ok) return null
  return (
    <>
      <div class="row wrap">
        {ways.map(([how, words, done, title]) => (
          <WayButton
            key={how}
            words={words}
            title={title}
            isChosen={how === resolved}
            run={() =>
              how === 'discuss'
                ? Promise.resolve(setTalking(!isTalking)).then(() => true)
                : sendCommand(state.id, command(how), done)
            }
          />
        ))}
      </div>
      {isTalking && (
        <Discuss
          send={text => sendCommand(state.id, command('discuss', text), 'The next review is told.')}
          close={() => setTalking(false)}
        />
      )}
    </>
  )
}

type WayProps = { words: string; title: string; isChosen: boolean; run(): Promise<boolean> }

function WayButton({ words, title, isChosen, run }: WayProps): JSX.Element {
  const { isBusy, submit } = useSubmit(run)
  return (
    <button
      type="button"
      class="button small"
      title={title}
      aria-pressed={isChosen}
      disabled={isBusy}
      onClick={submit}
    >
      {words}
    </button>
  )
}

function Discuss({ send, close }: { send(text: string): Promise<boolean>; close(): void }): JSX.Element {
  const [text, setText] = useState('')
  const name = useId()
  const { isBusy, submit } = useSubmit(() => send(text), close)
  return (
    <form class="row wrap" onSubmit={submit}>
      <label class="unseen" for={name}>
        What the reviewers are told
      </label>
      <input
        id={name}
        class="input grow"
        placeholder="What the reviewers are told"
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={isBusy || text.trim() === ''}>
        Tell them
      </button>
    </form>
  )
}
