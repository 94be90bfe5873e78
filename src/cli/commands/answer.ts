/** `loop answer`: what a human says to the question of a loop: yes, no, or what is wrong. */
import { isOpen } from '../../core/loop/summary.ts'
import { ask } from '../../engine/ask.ts'
import { shown } from '../../engine/orphans.ts'
import { fail, ok } from '../../model/failure.ts'
import { jsonText, safeLine } from '../../views/text/plain-text.ts'
import { standardInput } from '../../wiring/stdin.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { whoAnswers } from '../foreground/question.ts'
import { out } from '../terminal.ts'
import { isItsSession } from '../who/asked-by.ts'

const answer: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', typed, ...more] = input.positionals
    if (more.length > 0) return fail('invalid-arguments', 'The answer is one argument: put it in quotes.')
    const found = findLoop(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    const { id, question, status } = found.value
    const json = input.given('json')
    if (typed === undefined) {
      out(json ? jsonText({ id, question }) : questionWords(id, isOpen(status) ? question : null))
      return ok(0)
    }
    if (isItsSession(id, input.env)) {
      return fail(
        'not-allowed',
        `What loop ${id} asks is for a human, not for the agent that works on it. Type it in a terminal of your own: loop answer ${id} yes`,
      )
    }
    const text = typed === '-' ? standardInput() : typed
    if (text.trim() === '')
      return fail('invalid-arguments', 'The answer is empty: yes, no, or what is wrong.')
    const asked = await ask(world, id, { kind: 'answer', by: whoAnswers(input), text })
    if (!asked.ok) return asked
    const { state } = asked.value
    const met = question !== null && Object.hasOwn(state.human.confirmed, question)
    const rests = state.turn.hold !== null || shown(world.store, found.value).orphaned
    if (json) out(jsonText({ id, question, met }))
    else
      out(
        `Loop ${id}: ${met ? '' : 'not '}so: ${safeLine(question ?? '')}.${rests ? ` Go on with: loop resume ${id}` : ''}`,
      )
    return ok(0)
  })

function questionWords(id: string, question: string | null): string {
  if (question === null) return `Loop ${id} asks nothing.`
  return `Loop ${id} asks: is this so? ${safeLine(question)}\nAnswer with: loop answer ${id} yes, or no, or "what is wrong"`
}

export default answer
