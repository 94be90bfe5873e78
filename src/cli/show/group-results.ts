/**
 * Views of a group: its attempts side by side, the results of its nodes, and the differences between any two
 * results.
 */
import { type Checkpoints, patchJson, wholeDiff } from '../../checkpoints/contract.ts'
import type { GroupState } from '../../core/group/state.ts'
import { compareJson, groupHistoryJson } from '../../documents/group.ts'
import { goneOfGroup } from '../../engine/garbage/discarded.ts'
import { groupRange } from '../../engine/group-trees.ts'
import { readState } from '../../engine/machine.ts'
import { workingMembers } from '../../engine/shown/members.ts'
import { all, invalid, ok, type Result } from '../../model/failure.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { comparisonTable } from '../../views/text/compare.ts'
import { groupHistory } from '../../views/text/history.ts'
import { checkpointsOf } from '../../wiring/world.ts'
import type { Input } from '../command-table.ts'
import { type OpenFound, type OpenJournal, openLoop } from '../find-loop.ts'
import { out, outDocument, outLines, outputWidth } from '../terminal.ts'
import { type DiffWish, printDiff, printPatch } from './diff.ts'
import { historyDocument, historyLines, printWhole } from './history.ts'
import { needsOfLoops } from './needs.ts'

export function compareGroup(store: Store, id: string, input: Input): Result<number> {
  const group = readState(store, id, 'group')
  if (!group.ok) return group
  const secrets = secretsIn(input.env)
  if (input.given('json')) outDocument<'compare'>(redactAll(compareJson(group.value), secrets))
  else outLines(redactAll(comparisonTable(group.value, outputWidth()), secrets))
  return ok(0)
}

/** Node by node; a group with one loop also shows its iterations, and with `--verbose` every loop's. */
export function historyOfGroup(opened: OpenFound, input: Input): Result<number> | Promise<Result<number>> {
  const range = input.value('diff')
  if (range !== null)
    return diffOfGroup(opened, { range, after: input.given('after'), json: input.given('json') })
  const group = readState(opened.store, opened.found.id, 'group')
  if (!group.ok) return group
  const loops = membersOf(opened, group.value)
  if (!loops.ok) return loops
  const secrets = secretsIn(input.env)
  const [working, second] = workingMembers(opened.store, opened.found.id)
  const one = second === undefined ? loops.value.find(({ id }) => id === working) : undefined
  if (input.given('json')) {
    const document = groupHistoryJson(group.value, loops.value.map(historyDocument), one?.id ?? null)
    outDocument<'groupHistory'>(redactAll(document, secrets))
    return ok(0)
  }
  const lines = redactAll(groupHistory(group.value, outputWidth()), secrets)
  if (!input.given('verbose')) {
    const end = needsOfLoops(opened.store, [opened.found.id], input.env)
    out([...(one ? [...historyLines(one), ''] : []), ...lines, ...end].join('\n'))
    return ok(0)
  }
  if (out(lines.join('\n'))) loops.value.every(loop => printMember(group.value, loop, input))
  return ok(0)
}

/** False if nobody reads any more. */
function printMember({ nodes }: GroupState, loop: OpenJournal, input: Input): boolean {
  const node = nodes.find(({ member }) => member === loop.id)?.node.id ?? 'an earlier attempt'
  return out(`\n=== ${node}, loop ${loop.id}`) && printWhole(loop, input.env)
}

/** The journals of its loops in the order in which they began. */
function membersOf({ store, paths }: OpenFound, { id }: GroupState): Result<OpenJournal[]> {
  return all(
    store.journals.inGroup(id).map(member => {
      const events = store.journals.read(member)
      return events.ok ? ok({ store, paths, id: member, events: events.value }) : events
    }),
  )
}

/** `range`: a node, two nodes joined by `..`, or names of checkpoints; null is the whole change so far. */
export async function diffOfGroup(opened: OpenFound, wish: DiffWish): Promise<Result<number>> {
  const { store, found, paths } = opened
  const group = readState(store, found.id, 'group')
  if (!group.ok) return group
  const state = group.value
  const range = groupRange(store, state, wish.range)
  if (!range.ok) return ofOnlyLoop(opened, wish) ?? range
  if (wish.after) return invalid({ kind: 'after-of-group' })
  const { from, to } = range.value
  const trees = { from: from.tree, to: to.tree }
  const checkpoints = checkpointsOf(paths, { cwd: state.spec.cwd, checkpoint: 'git' })
  const about = { id: state.id, from: from.name, to: to.name }
  const printed = wish.json
    ? await printJson(checkpoints, trees, about)
    : await printPatch(checkpoints, trees)
  if (printed.ok) return printed
  const there = await goneOfGroup(paths, { id: state.id, cwd: state.spec.cwd }, [from, to])
  return there.ok ? printed : there
}

async function printJson(
  checkpoints: Checkpoints,
  trees: { from: string; to: string },
  about: { id: string; from: string; to: string },
): Promise<Result<number>> {
  const diff = await wholeDiff(checkpoints, trees)
  if (!diff.ok) return diff
  outDocument<'diff'>({ ...about, ...patchJson(diff.value) })
  return ok(0)
}

/** A group with one member stands for that member: a range of iterations means its iterations. */
function ofOnlyLoop(opened: OpenFound, wish: DiffWish): Promise<Result<number>> | null {
  if (wish.range === null || workingMembers(opened.store, opened.found.id).length !== 1) return null
  const loop = openLoop(opened)
  return loop.ok ? printDiff(loop.value, wish) : null
}
