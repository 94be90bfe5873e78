/** `loop answer`: what a human says to the question of a loop: yes, no, or what is wrong. */
import { isOpen } from '../../core/loop/summary.ts'
import { ask } from '../../engine/ask.ts'
import { shown } from '../../engine/orphans.ts'
import { fail, ok } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { readMarker } from '../../store/files/session-marker.ts'
import { jsonText, safeLine } from '../../views/text/plain-text.ts'
import { standardInput } from '../../wiring/stdin.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { whoAnswers } from '../foreground/question.ts'
import { sessionHere } from '../session/begin.ts'
import { out } from '../terminal.ts'

const answer: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', typed, ...more] = input.positionals
    if (more.length > 0) return fail('invalid-arguments', 'The answer is one argument: put it in quotes.')
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    const { id, question, status } = found.value
    const json = input.given('json')
    if (typed === undefined) {
      out(json ? jsonText({ id, question }) : questionWords(id, isOpen(status) ? question : null))
      return ok(0)
    }
    if (isItsAgent(id, input.env)) {
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

/** By what its host says: a wall would have to keep the agent out of the data directory too. */
function isItsAgent(id: string, env: NodeJS.ProcessEnv): boolean {
  if (env['LOOP_RUN']) return env['LOOP_ID'] === id
  const session = sessionHere(env)
  return session !== null && readMarker(pathsFrom(env), id)?.loop.session === session
}

function questionWords(id: string, question: string | null): string {
  if (question === null) return `Loop ${id} asks nothing.`
  return `Loop ${id} asks: is this so? ${safeLine(question)}\nAnswer with: loop answer ${id} yes, or no, or "what is wrong"`
}

export default answer
