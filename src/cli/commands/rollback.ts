/**
 * `loop rollback`: restores the work tree of a checkpoint. The current tree is saved first, and `--undo` restores
 * it. Allowed only if no agent can be at work: the loop or group is paused or has ended.
 */
import type { Preview } from '../../checkpoints/contract.ts'
import { type JournalKind, type KindsOf, meantKind } from '../../core/folds.ts'
import { isActive } from '../../core/loop/summary.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { ask, wouldAdmit } from '../../engine/ask.ts'
import { readState } from '../../engine/machine.ts'
import { savedIn } from '../../engine/shown/saved-states.ts'
import type { World } from '../../engine/world.ts'
import type { Facts } from '../../failures/all.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { checkpointName, count } from '../../model/units.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { actedFaces } from '../../views/faces/acted.ts'
import { doneWords } from '../../views/words/done.ts'
import { leftWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { stateDocument } from '../print-state.ts'
import { out, outDocument, outFor, unbroken } from '../terminal.ts'

const rollback: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', target, ...more] = input.positionals
    if (more.length > 0) return invalid({ kind: 'one-checkpoint' })
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    const { id, group } = found.value
    const mayBe = group === null ? ok(true) : memberMayBe(world, { id, group }, input)
    if (!mayBe.ok) return mayBe
    return mayBe.value ? rollbackTo(world, { id, of: meantKind(found.value) }, { target, input }) : ok(0)
  })

type Member = { id: string; group: string }

/** Whether the rollback of a group's member changes the user's tree; if not, it says that there is nothing to do. */
function memberMayBe(world: World, { id, group }: Member, input: Input): Result<boolean> {
  const whole = world.store.heads.get(group)
  // A hook of the group acts for the user while the group still holds the tree.
  const isByHook = input.env['LOOP_GROUP'] === group
  if (whole.ok && isActive(whole.value.status) && !isByHook)
    return fail('not-allowed', { kind: 'member-of-active', id, group, status: whole.value.status })
  const loop = readState(world.store, id, 'loop')
  if (!loop.ok) return loop
  const { copy } = loop.value.spec
  if (!copy) return ok(true)
  const document = { id, group, to: null, written: 0, deleted: 0, copy: true } as const
  outFor<'rolledBack'>(input, document, doneWords.inCopy(id, copy.tree, group))
  return ok(false)
}

type Wish = { target: string | undefined; input: Input }

type Rollback<N extends JournalKind> = {
  /** The checkpoint that the person means. */
  target(state: KindsOf[N]['state'], wish: Wish): Result<string>
  failed(facts: { id: string; to: string; why: string }): Facts
  /** A signal waits for its end. */
  isUnbroken: boolean
  /** What the document says about the journal besides the rollback. */
  about(world: World, summary: KindsOf[N]['summary']): object
}

const rows: { [N in JournalKind]: Rollback<N> } = {
  loop: {
    target: ({ id, tree }, { target, input }) => {
      const after = input.given('after')
      if (input.given('undo')) {
        if (target !== undefined || after) return invalid({ kind: 'undo-with-checkpoint' })
        return tree.lastKept === null
          ? fail('not-allowed', { kind: 'never-rolled-back', id })
          : ok(tree.lastKept)
      }
      if (target === undefined) return invalid({ kind: 'checkpoint-missing' })
      if (/^\d+$/.test(target)) return ok(checkpointName(Number(target), after))
      return after ? invalid({ kind: 'after-without-iteration' }) : ok(target)
    },
    failed: facts => ({ kind: 'not-rolled-back-to', ...facts }),
    isUnbroken: false,
    about: () => ({}),
  },
  group: {
    target: (state, { target, input }) => {
      const { id } = state
      if (input.given('undo') && target === undefined) {
        const kept = savedIn.group.kept(state)
        return kept === null ? fail('not-allowed', { kind: 'group-never-rolled-back', id }) : ok(kept)
      }
      if (target !== undefined && !input.given('undo') && !input.given('after')) return ok(target)
      return invalid({ kind: 'group-checkpoint-missing', id })
    },
    failed: facts => ({ kind: 'group-not-rolled-back-to', ...facts }),
    isUnbroken: true,
    about: stateDocument,
  },
}

/** The time limit of a checkpoint, twice: for saving and for restoring. */
const restoredMs = 20 * 60_000

/** Asks for the rollback and reports it; `about` adds fields about the journal to the document. */
export async function rollbackTo<N extends JournalKind>(
  world: World,
  { id, of }: { id: string; of: N },
  { target, input, about = rows[of].about }: Wish & { about?: Rollback<N>['about'] },
): Promise<Result<number>> {
  const state = readState(world.store, id, of)
  if (!state.ok) return state
  const to = rows[of].target(state.value, { target, input })
  if (!to.ok) return to
  const there = await savedIn[of].isThere(world.store.paths, state.value, to.value)
  if (!there.ok) return there
  const wish = { kind: 'rollback', to: to.value } as const
  if (input.given('dry-run')) {
    const wanted = wouldAdmit<KindsOf[N]>(world, { machine: world.machines[of], state: state.value }, wish)
    if (!wanted.ok) return wanted
    const { spec, tree } = savedIn[of].at(state.value, to.value)
    const found = await world.checkpoints(spec).preview({ loop: id, tree: tree ?? '' })
    if (!found.ok) return found
    printPreview({ what: of, id, to: to.value }, found.value, input.given('json'))
    return ok(0)
  }
  // The journal has ended but is hosted: its hook runs, and can be the caller.
  const until = { done: (events: { kind: string }[]) => events.some(isOver), ms: restoredMs }
  const kind: JournalKind = of
  const asked = () => ask(world, id, wish, { of: kind, until })
  const rolled = await (rows[of].isUnbroken ? unbroken(asked) : asked())
  if (!rolled.ok) return rolled
  const { events, machine, state: after } = rolled.value
  const failure = events.find(event => event.kind === 'rollback.failed')
  if (failure) return fail('step-failed', rows[of].failed({ id, to: to.value, why: failure.data.why ?? '' }))
  const done = events.find(event => event.kind === 'tree.restored')
  if (!done) throw new Error('Internal error: a rollback ended with nothing to say')
  const kept = savedIn[of].kept(after)
  const document = { ...about(world, machine.summarize(after)), kept, id, ...done.data }
  if (input.given('json')) outDocument<'rolledBack'>(redactAll(document, secretsIn(input.env)))
  else out(actedFaces[of].rolledBack(id, done.data, kept).join('\n'))
  return ok(0)
}

function isOver({ kind }: { kind: string }): boolean {
  return kind === 'tree.restored' || kind === 'rollback.failed'
}

const shownMost = 200

/** `what`: loop or group. */
type Previewed = { what: string; id: string; to: string }

function printPreview({ what, id, to }: Previewed, preview: Preview, json: boolean): void {
  const { written, deleted, left } = preview
  if (json) {
    outDocument<'rollbackPreview'>({ id, to, written, deleted, left })
    return
  }
  const lines = [
    ...written.map(path => `  write   ${spelledOut(path)}`),
    ...deleted.map(path => `  delete  ${spelledOut(path)}`),
  ]
  const more = lines.length > shownMost ? [`  … and ${lines.length - shownMost} more: see --json`] : []
  const head = `To roll ${what} ${id} back to ${to}: ${count(written.length, 'file')} written, ${deleted.length} deleted. Nothing was touched.`
  out([head, ...lines.slice(0, shownMost), ...more, ...leftWords(left)].join('\n'))
}

export default rollback
