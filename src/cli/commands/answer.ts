/** `loop answer`: a person's answer: yes, no or a reason for a criterion, any text for a question of the agent. */
import type { State } from '../../core/loop/state.ts'
import { isOpen, summarize } from '../../core/loop/summary.ts'
import type { AnySummary } from '../../core/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { ask } from '../../engine/ask.ts'
import { shown } from '../../engine/shown/orphans.ts'
import type { World } from '../../engine/world.ts'
import { failureWords } from '../../failures/words.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { resumeWords } from '../../views/words/reasons.ts'
import { standardInput } from '../../wiring/stdin.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { whoAnswers } from '../foreground/question.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { out, outDocument } from '../terminal.ts'
import { isItsSession } from '../who/asked-by.ts'

const answer: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', typed, ...more] = input.positionals
    if (more.length > 0) return fail('invalid-arguments', { kind: 'one-argument', what: 'answer' })
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    if (found.value.kind === 'group') {
      const { answerGroup } = await import('../group/answer-group.ts')
      return answerGroup(world, found.value, { text: typed === '-' ? standardInput() : typed, input })
    }
    const { id } = found.value
    if (typed === undefined) return asked(found.value, input)
    if (isItsSession(id, input.env)) {
      return fail('not-allowed', { kind: 'question-for-human', id })
    }
    const text = typed === '-' ? standardInput() : typed
    if (text.trim() === '')
      return fail('invalid-arguments', { kind: 'empty-answer', form: formOf(found.value) })
    const wish = { kind: 'answer', by: whoAnswers(input), text } as const
    const recorded = await ask(world, id, wish, { of: 'loop' })
    if (!recorded.ok) return recorded
    const { state } = recorded.value
    const { words, ...next } = await whatFollows(world, state, input)
    if (input.given('json')) outDocument<'answered'>({ ...answerJson(found.value, state, text), ...next })
    else out(`Loop ${id}: ${answerWords(found.value, state)} ${words}`)
    return ok(0)
  })

/** The open question: the agent's, or whether a criterion is met. */
function asked(summary: AnySummary, input: Input): Result<number> {
  const { id, agentAsks = false, status } = summary
  const question = isOpen(status) ? summary.question : null
  const isOfAgent = question !== null && agentAsks
  const choices = question === null || agentAsks ? [] : ['yes', 'no']
  if (input.given('json')) outDocument<'question'>({ id, question, agentAsks: isOfAgent, choices })
  else if (question === null) out(`Loop ${id} asks nothing.`)
  else {
    const who = agentAsks ? `The agent of loop ${id} asks:` : `Loop ${id} asks: is this so?`
    out(`${who} ${safeLine(question)}\n${formOf(summary)}`)
  }
  return ok(0)
}

function formOf({ id, agentAsks }: AnySummary): string {
  const form = agentAsks ? '"your answer"' : 'yes, or no, or "what is wrong"'
  return `Answer with: loop answer ${id} ${form}`
}

function answerJson({ id, question, agentAsks }: AnySummary, state: State, text: string) {
  const said = agentAsks ? { answer: text.trim() } : { met: isMet(question, state) }
  return { id, question: question ?? '', ...said }
}

function answerWords({ question, agentAsks }: AnySummary, state: State): string {
  const what = safeLine(question ?? '')
  if (agentAsks) return `answered: ${what} The agent is told in its next run.`
  return isMet(question, state) ? `confirmed: ${what}.` : `not confirmed: ${what}. The agent is told.`
}

function isMet(question: string | null, { human }: State): boolean {
  return question !== null && Object.hasOwn(human.confirmed, question)
}

/** `asks`: the next question. `goesOn`: by itself, under its host or under loopd, which is started if necessary. */
type Following = { asks: string | null; goesOn: boolean; words: string }

async function whatFollows(world: World, state: State, { env }: Input): Promise<Following> {
  const summary = summarize(state)
  const { question } = state.human
  const rests = (words: string) => ({ asks: null, goesOn: false, words })
  if (question) {
    const asks = question.criterion
    return { asks, goesOn: false, words: `It asks next: ${safeLine(asks)} ${formOf(summary)}` }
  }
  if (state.turn.hold) return rests(`Go on with: ${resumeWords(summary)}`)
  if (summary.background) {
    const daemon = await ensureDaemon(env)
    if (!daemon.ok) return rests(`Nobody takes it up: ${failureWords(daemon.failure)}`)
  } else if (shown(world.store, summary).orphaned) return rests(`Go on with: loop resume ${state.id}`)
  return { asks: null, goesOn: true, words: 'It goes on.' }
}

export default answer
