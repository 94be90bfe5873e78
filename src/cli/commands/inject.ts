/** `loop inject`: a text for the agent, delivered once with the next prompt. */

import { ask } from '../../engine/ask.ts'
import { oneLoop } from '../../engine/shown/members.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { textOfFile } from '../../options/resolve.ts'
import { doneWords } from '../../views/words/done.ts'
import { standardInput } from '../../wiring/stdin.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { toldByAgent } from '../run-here.ts'
import { systemHere } from '../system.ts'
import { outFor } from '../terminal.ts'

const inject: CommandRun = async input => {
  const text = textFrom(input)
  if (!text.ok) return text
  return withWorld(input.env, async world => {
    const found = oneLoop(
      world.store,
      loopToActOn(world.store, { ...input, positionals: input.positionals.slice(0, 1) }),
    )
    if (!found.ok) return found
    const { id } = found.value
    const wish = { kind: 'inject', text: text.value, ...toldByAgent(id, input.env) } as const
    const asked = await ask(world, id, wish, { of: 'loop' })
    if (!asked.ok) return asked
    const next = asked.value.state.work.iteration + 1
    outFor<'injected'>(input, { id, iteration: next }, doneWords.injected(id, next))
    return ok(0)
  })
}

function textFrom(input: Input): Result<string> {
  const [, text, ...more] = input.positionals
  const file = input.value('file')
  if (more.length > 0) return invalid({ kind: 'one-argument', what: 'text' })
  if ((text === undefined) === (file === null)) {
    return invalid({ kind: 'one-text' })
  }
  if (file !== null) return textOfFile(file, '--file', systemHere(input))
  const given = text === '-' ? standardInput() : text
  return given?.trim() ? ok(given.trim()) : invalid({ kind: 'empty-text' })
}

export default inject
