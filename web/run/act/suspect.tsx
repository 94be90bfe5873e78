/** A suspect pass: the changed files that explain it, their diffs, and the two answers that only a person can give. */
import type { JSX } from 'preact'
import { namesOf } from '../../../src/core/loop/parts/tree.ts'
import type { State } from '../../../src/core/loop/state.ts'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { FailureNote, Loading } from '../../parts/note.tsx'
import { FileDiff } from '../changes/file-diff.tsx'
import { AnswerButton, AskCard, OwnWords } from './question.tsx'

type Suspicion = State['trust']['suspicions'][number]

const whyWords: Record<Suspicion['why'], string> = {
  'steering-alone':
    'The promise passes with these changes alone, without the rest of the work: they decide the verdict.',
  'tests-deleted': 'Tests that were there are gone.',
  'fewer-tests': 'Fewer tests are run than before the agent came.',
  'tools-changed': 'The programs that judge the work were changed.',
}

export function Suspect({ state }: { state: State }): JSX.Element {
  const { id, trust } = state
  const last = trust.suspicions.at(-1)
  const files = last?.files ?? trust.changed.map(({ path }) => path)
  return (
    <AskCard
      head="Suspect: does this count?"
      text={`${last ? whyWords[last.why] : ''} It counts only if you accept these changes.`}
    >
      <SuspectFiles state={state} files={files} />
      <div class="row wrap">
        <AnswerButton id={id} words="yes" label="Accept the changes" />
        <AnswerButton id={id} words="no" label="Send it back" isFirst />
      </div>
      <OwnWords
        id={id}
        label="What the agent is told"
        placeholder="Send it back, because …"
        send="Send back"
      />
    </AskCard>
  )
}

function SuspectFiles({ state, files }: { state: State; files: readonly string[] }): JSX.Element {
  const names = namesOf(state.tree.checkpoints)
  const between = { id: state.id, from: 'initial', to: names.at(-1) ?? 'initial' }
  const { from, to } = between
  const hasTrees = names.length > 1
  const got = useAsked(hasTrees ? `${state.id} ${from}..${to} suspect` : null, signal =>
    askLoopd('changes', { params: { id: state.id }, query: { from, to } }, signal),
  )
  const shown = (got.value?.files ?? []).filter(({ path }) => files.includes(path))
  const others = files.filter(path => !shown.some(one => one.path === path))
  const howOf = new Map(state.trust.changed.map(({ path, how }) => [path, how]))
  return (
    <div class="stack">
      {got.isLoading && <Loading what="the changes" />}
      {got.refused && <FailureNote refused={got.refused} retry={got.reload} />}
      {shown.map(file => (
        <FileDiff key={file.path} between={between} file={file} isSplit={false} />
      ))}
      {!got.isLoading && others.length > 0 && (
        <ul class="file-list" aria-label="Files without a diff">
          {others.map(path => (
            <li key={path}>
              <code>{path}</code> <span class="quiet">{howOf.get(path) ?? 'changed'}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
