/**
 * `loop rollback`: restores the work tree of a checkpoint. The current tree is saved first, and `--undo` restores
 * it. Allowed only if no agent can be at work: the loop is paused or has ended.
 */
import { fold } from '../../core/loop/evolve.ts'
import { type LoopKinds, loopMachine } from '../../core/loop/machine.ts'
import { treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { jsonText } from '../../core/text/plain-text.ts'
import { ask, wouldAdmit } from '../../engine/ask.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Event, EventOf } from '../../model/loop/event.ts'
import { checkpointName, count } from '../../model/units.ts'
import { leftWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { printPreview } from '../print/preview.ts'
import { out } from '../terminal.ts'

const rollback: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', target, ...more] = input.positionals
    if (more.length > 0) return fail('invalid-arguments', { kind: 'one-checkpoint' })
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    if (found.value.kind === 'group') {
      const { rollbackGroup } = await import('../group/act.ts')
      return rollbackGroup(world, found.value, { target, input })
    }
    if (found.value.group !== null) {
      const { memberInTree } = await import('../group/member.ts')
      const inTree = memberInTree(world, found.value, input)
      if (!inTree.ok || inTree.value !== null) return inTree.ok ? ok(inTree.value ?? 0) : inTree
    }
    return rollbackTo(world, found.value.id, { target, input })
  })

/** Asks for the rollback and reports it; `about` adds fields about the loop to the document. */
export async function rollbackTo(
  world: World,
  id: string,
  wish: { target: string | undefined; input: Input; about?: (state: State) => object },
): Promise<Result<number>> {
  const { target, input, about = () => ({}) } = wish
  const journal = world.store.journals.read(id)
  if (!journal.ok) return journal
  const state = fold(journal.value)
  const to = checkpointFrom(state, target, input)
  if (!to.ok) return to
  const saved = savedTree(world.store.paths, state, { name: to.value })
  if (!saved.ok && saved.failure.reason === 'checkpoint-gone') return saved
  if (input.given('dry-run')) return wouldDo(world, state, { to: to.value, input })
  // The loop has ended but is hosted: its hook runs, and can be the caller.
  const until = { done: (events: Event[]) => events.some(isOver), ms: restoredMs }
  const rolled = await ask(world, id, { kind: 'rollback', to: to.value }, { of: 'loop', until })
  if (!rolled.ok) return rolled
  const { state: after, events } = rolled.value
  return report(id, events, input.given('json') && { ...about(after), kept: after.tree.lastKept })
}

function checkpointFrom(state: State, target: string | undefined, input: Input): Result<string> {
  if (input.given('undo')) {
    const undo = state.tree.lastKept
    if (target !== undefined || input.given('after'))
      return fail('invalid-arguments', { kind: 'undo-with-checkpoint' })
    return undo === null ? fail('not-allowed', { kind: 'never-rolled-back', id: state.id }) : ok(undo)
  }
  if (target === undefined) {
    return fail('invalid-arguments', { kind: 'checkpoint-missing' })
  }
  const after = input.given('after')
  if (/^\d+$/.test(target)) return ok(checkpointName(Number(target), after))
  return after ? fail('invalid-arguments', { kind: 'after-without-iteration' }) : ok(target)
}

async function wouldDo(
  world: World,
  state: State,
  { to, input }: { to: string; input: Input },
): Promise<Result<number>> {
  const wanted = wouldAdmit<LoopKinds>(world, { machine: loopMachine, state }, { kind: 'rollback', to })
  if (!wanted.ok) return wanted
  const tree = treeOf(state.tree.checkpoints, to) ?? ''
  const found = await world.checkpoints(state.spec).preview({ loop: state.id, tree })
  if (!found.ok) return found
  printPreview({ what: 'loop', id: state.id, to }, found.value, input.given('json'))
  return ok(0)
}

/** The time limit of a checkpoint, twice: for saving and for restoring. */
const restoredMs = 20 * 60_000

function isOver({ kind }: Event): boolean {
  return kind === 'tree.restored' || kind === 'rollback.failed'
}

function report(id: string, told: Event[], document: object | false): Result<number> {
  const failure = told.find(event => event.kind === 'rollback.failed')
  if (failure)
    return fail('step-failed', {
      kind: 'not-rolled-back-to',
      id,
      to: failure.data.to,
      why: failure.data.why ?? '',
    })
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
