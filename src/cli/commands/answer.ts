/**
 * `loop answer`: a person's answer: yes, no or a reason for a criterion, any text for a question of the agent, a choice
 * for a gate of a group; without an answer, the open question.
 */
import { type JournalKind, type KindsOf, meantKind } from '../../core/folds.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import type { JsonDocument } from '../../documents/documents.ts'
import { ask } from '../../engine/ask.ts'
import { otherKind, readState } from '../../engine/machine.ts'
import { shown } from '../../engine/shown/orphans.ts'
import type { World } from '../../engine/world.ts'
import { failureWords } from '../../failures/words.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import {
  answeredWords,
  type OpenQuestion,
  questionOfGroup,
  questionOfLoop,
  resumeWays,
} from '../../views/faces/question.ts'
import { standardInput } from '../../wiring/stdin.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { whoAnswers } from '../foreground/question.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { stateDocument } from '../print-state.ts'
import { isItsSession } from '../run-here.ts'
import { outFor } from '../terminal.ts'

const answer: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', typed, ...more] = input.positionals
    if (more.length > 0) return invalid({ kind: 'one-argument', what: 'answer' })
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    const { id } = found.value
    const open = byKind(questions, found.value, world.store)
    if (!open.ok) return open
    if (typed === undefined) {
      const { text: question, isOfAgent: agentAsks, choices, words } = open.value
      outFor<'question'>(input, { id, question, agentAsks, choices: [...choices] }, words)
      return ok(0)
    }
    if (isItsSession(id, input.env)) return fail('not-allowed', { kind: 'question-for-human', id })
    const text = typed === '-' ? standardInput() : typed
    if (text.trim() === '') return invalid({ kind: 'empty-answer', form: open.value.form })
    return give(world, { id, of: meantKind(found.value) }, { open: open.value, text, input })
  })

const questions: ByKind<Result<OpenQuestion>, [Store]> = {
  loop: summary => ok(questionOfLoop(summary)),
  group({ id }, store) {
    const group = readState(store, id, 'group')
    return group.ok ? ok(questionOfGroup(group.value)) : group
  },
  newer: ({ id, kind }) => otherKind(id, 'loop', kind),
}

type Given = { open: OpenQuestion; text: string; input: Input }

// The type parameter joins the row of a kind with its state.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function give<N extends JournalKind>(
  world: World,
  { id, of }: { id: string; of: N },
  { open, text, input }: Given,
): Promise<Result<number>> {
  const wish = { kind: 'answer', by: whoAnswers(input), text } as const
  const recorded = await ask<N>(world, id, wish, { of })
  if (!recorded.ok) return recorded
  const { machine, state } = recorded.value
  const summary = machine.summarize(state)
  const next = await whatFollows(world, summary, input)
  if (!next.ok) return next
  const { document, words } = answered[of](world, { open, text, next: next.value, state })
  outFor<'answered' | 'loop'>(input, document, `${words} ${next.value.words}`)
  return ok(0)
}

/** `asks`: the next question. `goesOn`: by itself, under its host or under loopd, which is started if necessary. */
type Following = { asks: string | null; goesOn: boolean; words: string }

type Answered<N extends JournalKind> = Omit<Given, 'input'> & { next: Following; state: KindsOf[N]['state'] }

type Printed = { document: JsonDocument<'answered' | 'loop'>; words: string }

const answered: { [N in JournalKind]: (world: World, about: Answered<N>) => Printed } = {
  loop(_, { open, text, next: { asks, goesOn }, state: { id, human } }) {
    const question = open.text ?? ''
    const met = Object.hasOwn(human.confirmed, question)
    const said = open.isOfAgent ? { answer: text.trim() } : { met }
    const words = `Loop ${id}: ${answeredWords(open, met)}`
    return { document: { id, question, ...said, asks, goesOn }, words }
  },
  group: (world, { next: { goesOn }, state }) => ({
    document: stateDocument(world, summarizeGroup(state), { goesOn }),
    words: `Group ${state.id}: answered.`,
  }),
}

async function whatFollows(world: World, summary: Summary, { env }: Input): Promise<Result<Following>> {
  const open = byKind(questions, summary, world.store)
  if (!open.ok) return open
  const rests = (words: string) => ok({ asks: null, goesOn: false, words })
  if (open.value.next) return ok({ asks: open.value.text, goesOn: false, words: open.value.next })
  if (summary.status === 'paused' || summary.pending === 'pause')
    return rests(`Go on with: ${byKind(resumeWays, summary)}`)
  if (summary.background) {
    const daemon = await ensureDaemon(env)
    if (!daemon.ok) return rests(`Nobody takes it up: ${failureWords(daemon.failure)}`)
  } else if (shown(world.store, summary).orphaned) return rests(`Go on with: loop resume ${summary.id}`)
  return ok({ asks: null, goesOn: true, words: 'It goes on.' })
}

export default answer
