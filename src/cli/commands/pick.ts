/** `loop pick`: applies an attempt of a group, or single files of it, to the work tree. */
import { relative, resolve } from 'node:path'
import { conflictFacts } from '../../core/group/apply.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { ask } from '../../engine/ask.ts'
import { goneOfGroup } from '../../engine/garbage/discarded.ts'
import { groupRange } from '../../engine/group-trees.ts'
import { readState } from '../../engine/machine.ts'
import type { World } from '../../engine/world.ts'
import { all, fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import type { NodeEnd } from '../../model/group/event.ts'
import { conflictWays } from '../../model/group/words.ts'
import { reasonWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { directoryHere, loopToActOn } from '../find-loop.ts'
import { printState } from '../print-state.ts'
import { unbroken } from '../terminal.ts'

const pick: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', node, ...more] = input.positionals
    if (node === undefined || more.length > 0) {
      return invalid({ kind: 'group-and-attempt' })
    }
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    const group = byKind(groups, found.value)
    return group.ok ? pickFrom(world, group.value, { node, files: input.values('file'), input }) : group
  })

const groups: ByKind<Result<Summary>> = { loop: noGroup, group: ok, newer: noGroup }

function noGroup({ id }: Summary): Result<never> {
  return fail('not-allowed', { kind: 'not-an-attempt', id })
}

/** Longer than an apply needs, with its promise. */
const endMs = 60_000
const ends: readonly string[] = ['group.completed', 'group.failed', 'group.held']

/** The files as paths from the top of the tree, however they were typed. */
function allInTree(files: string[], tree: string): Result<string[]> {
  const here = directoryHere() ?? tree
  const isBelow = here === tree || here.startsWith(`${tree}/`)
  return all(
    files.map(file => {
      const path = relative(tree, resolve(isBelow ? here : tree, file))
      if (path !== '' && !path.startsWith('..')) return ok(path)
      return invalid({ kind: 'not-in-tree', file, tree })
    }),
  )
}

/** Applies the result of an attempt to the tree, whether it was chosen or not. */
export async function pickFrom(
  world: World,
  { id, cwd }: Summary,
  { node, files, input }: { node: string; files: string[]; input: Input },
): Promise<Result<number>> {
  const inTree = allInTree(files, cwd)
  if (!inTree.ok) return inTree
  const group = readState(world.store, id, 'group')
  if (!group.ok) return group
  const saved = groupRange(world.store, group.value, node)
  const trees = saved.ok ? [saved.value.from, saved.value.to] : []
  const there = await goneOfGroup(world.store.paths, { id, cwd }, trees)
  if (!there.ok) return there
  const ways = conflictWays.filter(way => input.given(way))
  const [wanted] = ways
  if (ways.length > 1) return invalid({ kind: 'one-conflict-way', given: ways })
  const which = { ...(files.length > 0 && { files: inTree.value }), ...(wanted && { resolve: wanted }) }
  const wish: GroupCommand = { kind: 'pick', node, ...which }
  const done = (events: { kind: string }[]) => events.some(({ kind }) => ends.includes(kind))
  // Changes of the tree are short: an interrupted one would be worse than the wait.
  const picked = await unbroken(() => ask(world, id, wish, { of: 'group', until: { done, ms: endMs } }))
  if (!picked.ok) return picked
  const { state } = picked.value
  const apply = `apply-${state.picks.length + 1}`
  const { end } = state.nodes.find(one => one.node.id === apply) ?? {}
  if (end?.how === 'completed') {
    const name = state.picks.at(-1)?.node ?? node
    const what = files.length > 0 ? `${files.join(', ')} of ${name}` : name
    const undo = `To undo this: loop rollback ${id} before-${apply}-1`
    const words = `${inTreeWords(what, { end, isPart: files.length > 0 })}. ${undo}`
    printState(world, input, { summary: summarizeGroup(state), words })
    return ok(0)
  }
  if (end?.how === 'conflict') return fail('apply-conflict', conflictFacts(state, end))
  const why = end?.why ?? reasonWords(summarizeGroup(state), world.now())
  return fail('apply-failed', { kind: 'pick-failed', node, why })
}

function inTreeWords(what: string, { end, isPart }: { end: NodeEnd; isPart: boolean }): string {
  if (end.facts?.kind === 'nothing-taken') return `${what} is not in the work tree: ${end.why}`
  if (end.why) return `${what} is in the work tree: ${end.why}`
  return `${what} is in the work tree, and the promise ${isPart ? 'was not run' : 'holds there'}`
}

export default pick
