/**
 * `loop rollback`: makes the work tree what it was at a checkpoint. What is there is saved first, and
 * `--undo` brings it back. Only where no agent can be at work: the loop is paused or has ended.
 */
import type { State } from '../../core/loop/state.ts'
import { admitted, doHere, refused } from '../../engine/ask.ts'
import { hostLoop, leaveLoop, otherActiveIn } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Event, EventOf } from '../../model/loop/event.ts'
import { checkpointName } from '../../model/units.ts'
import { jsonText, safeLine, spelledOut } from '../../views/text/plain-text.ts'
import { count, leftWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { out } from '../terminal.ts'

const rollback: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', target, ...more] = input.positionals
    if (more.length > 0) return fail('invalid-arguments', 'Name one checkpoint: loop rollback <id> 3')
    const found = findLoop(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    return rollbackTo(world, found.value.id, { target, input })
  })

/** Hosts the loop for as long as it takes, and reports; `about` is what its document says of the loop besides. */
export async function rollbackTo(
  world: World,
  id: string,
  wish: { target: string | undefined; input: Input; about?: (state: State) => object },
) {
  const { target, input, about = () => ({}) } = wish
  const told: Event[] = []
  const hosted = hostLoop(world, id, event => told.push(event))
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value)
    return refused(id, 'rollback', `it is running; pause it first: loop pause ${id}`)
  const loop = hosted.value.driven
  try {
    const to = checkpointFrom(loop.state, target, input)
    if (!to.ok) return to
    if (input.given('dry-run')) return await wouldDo(world, loop.state, { to: to.value, input })
    const rolled = await doHere(loop, { kind: 'rollback', to: to.value })
    return rolled.ok ? report(id, told, input.given('json') && about(rolled.value)) : rolled
  } finally {
    leaveLoop(loop)
  }
}

function checkpointFrom(state: State, target: string | undefined, input: Input): Result<string> {
  if (input.given('undo')) {
    const undo = state.tree.lastKept
    if (target !== undefined || input.given('after'))
      return fail('invalid-arguments', '--undo takes no checkpoint: it brings back the last state.')
    return undo === null ? fail('not-allowed', `Loop ${state.id} was never rolled back.`) : ok(undo)
  }
  if (target === undefined) {
    return fail('invalid-arguments', 'Name a checkpoint: an iteration, initial, or a name of: loop history.')
  }
  const after = input.given('after')
  if (/^\d+$/.test(target)) return ok(checkpointName(Number(target), after))
  return after ? fail('invalid-arguments', '--after goes with the number of an iteration.') : ok(target)
}

/** The request as it would be recorded, or why it cannot be. */
function requested(world: World, state: State, to: string): Result<EventOf<'rollback.requested'>> {
  const events = admitted(state, { kind: 'rollback', to })
  if (!events.ok) return events
  const free = otherActiveIn(world, state.spec.cwd, state.id)
  if (!free.ok) return free
  const [event] = events.value
  if (event?.kind !== 'rollback.requested')
    throw new Error('Internal error: a rollback was not admitted as one')
  return ok(event)
}

const shownMost = 200

async function wouldDo(
  world: World,
  state: State,
  wish: { to: string; input: Input },
): Promise<Result<number>> {
  const request = requested(world, state, wish.to)
  if (!request.ok) return request
  const { to, tree } = request.value.data
  const found = await world.checkpoints(state.spec).preview({ loop: state.id, tree })
  if (!found.ok) return found
  const { written, deleted, left } = found.value
  if (wish.input.given('json')) {
    out(jsonText({ id: state.id, to, written, deleted, left }))
    return ok(0)
  }
  const lines = [
    ...written.map(path => `  write   ${spelledOut(path)}`),
    ...deleted.map(path => `  delete  ${spelledOut(path)}`),
  ]
  const more = lines.length > shownMost ? [`  … and ${lines.length - shownMost} more: see --json`] : []
  const head = `To roll loop ${state.id} back to ${to}: ${count(written.length, 'file')} written, ${deleted.length} deleted. Nothing was touched.`
  out([head, ...lines.slice(0, shownMost), ...more, ...leftWords(left)].join('\n'))
  return ok(0)
}

function report(id: string, told: Event[], document: object | false): Result<number> {
  const failure = told.find(event => event.kind === 'rollback.failed')
  if (failure)
    return fail(
      'step-failed',
      `Loop ${id} is not rolled back to ${failure.data.to}: ${safeLine(failure.data.why)}`,
    )
  const done = told.find(event => event.kind === 'tree.restored')
  if (!done) throw new Error('Internal error: a rollback ended with nothing to say')
  out(document ? jsonText({ ...document, id, ...done.data }) : words(id, done.data))
  return ok(0)
}

function words(id: string, { to, written, deleted, left }: EventOf<'tree.restored'>['data']): string {
  const changed = `${count(written, 'file')} written, ${deleted} deleted`
  const done = `Loop ${id} is rolled back to ${to} (${changed}). To undo this: loop rollback ${id} --undo`
  return [done, ...leftWords(left)].join('\n')
}

export default rollback
