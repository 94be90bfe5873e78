/** What is shown of a group: its attempts side by side, its nodes, and what any two results differ in. */

import { patchJson, wholeDiff } from '../../checkpoints/contract.ts'
import type { GroupState } from '../../core/group/state.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { comparison, comparisonTable, groupHistory } from '../../views/text/group/compare.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { checkpointsOf } from '../../wiring/world.ts'
import type { Input } from '../command-table.ts'
import { printPatch } from '../print-diff.ts'
import { out } from '../terminal.ts'
import { readGroup } from './open.ts'

export function compareGroup(store: Store, id: string, input: Input): Result<number> {
  return printed(store, id, { input, json: comparison, lines: comparisonTable })
}

export function historyOfGroup(store: Store, id: string, input: Input): Result<number> {
  const json = ({ nodes, checkpoints }: GroupState) => ({ id, nodes, checkpoints })
  return printed(store, id, { input, json, lines: groupHistory })
}

type Shape = { input: Input; json(state: GroupState): object; lines(state: GroupState): string[] }

function printed(store: Store, id: string, { input, json, lines }: Shape): Result<number> {
  const group = readGroup(store, id)
  if (!group.ok) return group
  const secrets = secretsIn(input.env)
  out(
    input.given('json')
      ? jsonText(redactAll(json(group.value), secrets))
      : redactAll(lines(group.value), secrets).join('\n'),
  )
  return ok(0)
}

/** `range`: a node, two nodes with `..` between, or names of checkpoints; null is what was brought into the tree. */
export async function diffOfGroup(
  store: Store,
  id: string,
  { range, input }: { range: string | null; input: Input },
): Promise<Result<number>> {
  const group = readGroup(store, id)
  if (!group.ok) return group
  const state = group.value
  const [from, to] = endsOf(state, range)
  const found = { from: treeNamed(state, from), to: treeNamed(state, to) }
  const missing = found.from === null ? from : found.to === null ? to : null
  if (missing !== null || found.from === null || found.to === null) {
    const names = [...state.checkpoints.map(({ name }) => name), ...resultsOf(state)].join(', ')
    return fail(
      'invalid-arguments',
      `${missing || 'Nothing'} is no result or checkpoint of group ${id}; it has: ${names || 'none yet'}.`,
    )
  }
  const trees = { from: found.from, to: found.to }
  const checkpoints = checkpointsOf(store.paths, { cwd: state.spec.cwd, checkpoint: 'git' })
  if (!input.given('json')) return printPatch(checkpoints, trees)
  const diff = await wholeDiff(checkpoints, trees)
  if (!diff.ok) return diff
  out(jsonText({ id, from, to, ...patchJson(diff.value) }))
  return ok(0)
}

function endsOf(state: GroupState, range: string | null): [string, string] {
  if (range === null) {
    const winner = state.nodes.findLast(({ end }) => end?.choice)?.end?.choice?.winner
    const only = resultsOf(state)
    return ['initial', winner ?? (only.length === 1 ? (only[0] ?? '') : '')]
  }
  const [from = '', to] = range.split('..')
  return to === undefined ? ['initial', from] : [from, to]
}

function resultsOf({ nodes }: GroupState): string[] {
  return nodes.filter(({ end }) => end?.tree !== undefined).map(({ node }) => node.id)
}

/** A node by its id, its number or its loop; else a checkpoint of the tree. */
function treeNamed({ nodes, checkpoints }: GroupState, name: string): string | null {
  const one = nodes.find(
    ({ node, member, end }) =>
      end?.tree !== undefined && (node.id === name || member === name || node.id.split('-')[0] === name),
  )
  return one?.end?.tree ?? checkpoints.findLast(checkpoint => checkpoint.name === name)?.tree ?? null
}
