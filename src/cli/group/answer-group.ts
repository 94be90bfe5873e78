/** `loop answer` of a group: the open question, or the answer to it. */
import { type GroupState, openGate } from '../../core/group/state.ts'
import { questionOf } from '../../core/group/values.ts'
import type { Summary } from '../../core/summary.ts'
import { readState } from '../../engine/machine.ts'
import type { World } from '../../engine/world.ts'
import { failureWords } from '../../failures/words.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { answerForm } from '../../views/words/group.ts'
import type { Input } from '../command-table.ts'
import { whoAnswers } from '../foreground/question.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { outFor } from '../terminal.ts'
import { groupAsked, printGroup } from './act.ts'

export async function answerGroup(
  world: World,
  { id, question }: Summary,
  { text, input }: { text: string | undefined; input: Input },
): Promise<Result<number>> {
  if (text === undefined) {
    const group = readState(world.store, id, 'group')
    if (!group.ok) return group
    const words = asksWords(group.value) ?? `Group ${id} asks nothing.`
    const choices = [...choicesOf(group.value)]
    outFor<'question'>(input, { id, question, agentAsks: false, choices }, words)
    return ok(0)
  }
  if (text.trim() === '') return fail('invalid-arguments', { kind: 'empty-text' })
  const answered = await groupAsked(world, id, { kind: 'answer', by: whoAnswers(input), text })
  if (!answered.ok) return answered
  const { state } = answered.value
  const asks = asksWords(state)
  const next = asks === null ? await whatFollows(world, state, input) : { goesOn: false, words: asks }
  const more = { goesOn: next.goesOn }
  return printGroup(world, input, { state, words: `Group ${id}: answered. ${next.words}`, more })
}

type Following = { goesOn: boolean; words: string }

/** Says whether the group continues by itself: under its host, or under loopd, which is started if it does not run. */
async function whatFollows(world: World, { id, background }: GroupState, { env }: Input): Promise<Following> {
  const goesOn = { goesOn: true, words: 'It goes on.' }
  if (world.store.leases.hostOf(id) !== null) return goesOn
  if (background === null) return { goesOn: false, words: `Go on with: loop resume ${id}` }
  const daemon = await ensureDaemon(env)
  if (daemon.ok) return goesOn
  return { goesOn: false, words: `Nobody takes it up: ${failureWords(daemon.failure)}` }
}

/** The answers to choose from; empty if nothing is asked. */
function choicesOf(state: GroupState): readonly string[] {
  const gate = openGate(state)?.node
  if (!gate) return []
  return gate.options ?? (gate.choices.length > 0 ? gate.choices : ['yes', 'no'])
}

/** The open question and how to answer it; null if there is none. */
function asksWords(state: GroupState): string | null {
  const gate = openGate(state)
  if (!gate) return null
  const form = `${answerForm(gate.node)}\nAnswer with: loop answer ${state.id} <answer>`
  return `Group ${state.id} asks: ${questionOf(state)} ${form}`
}
