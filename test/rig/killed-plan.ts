/**
 * The whole path of a plan for the tests that kill its hosts: something recalled, questions about a vague spec, shape,
 * tasks, G1, two waves with a task that fails first, counsel, reviews with a true and a false blocker, remediation,
 * gate, G3, a lesson with consent. Each run of an agent leaves a line outside the tree when it begins and when it ends,
 * whichever host has started it.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onlyGroup } from './group.ts'
import { assertNothingRuns, assertPrefix, copiesIn, journalsOf, ledgerOf } from './killed-group.ts'
import { demoNodes, planEvents, planScript, samplePlan, vagueSpec } from './plan.ts'
import { type Rig, readOr } from './rig.ts'

/** By which the spec is clear enough for a plan that shows its steps and its end. */
const answers = [
  'recall: yes',
  'constraints: d',
  'success: b',
  'done: c',
  'G1: yes',
  'G3: yes',
  'learn/1: yes',
].join('\n')

const recalled = 'Amounts in this cart are whole cents'

/** The arguments by which the plan is started, once all it needs is there; by a real agent, or by the scripted one. */
export async function wholePlan(rig: Rig, agent?: string): Promise<string[]> {
  samplePlan(rig)
  rig.write('answers.yaml', answers)
  const added = await rig.loop(['learn', 'add', recalled])
  assert.equal(added.code, 0, added.stderr)
  const by = agent === undefined ? ['scripted', '--agent-cmd', ledgerScript(rig)] : [agent]
  return ['plan', vagueSpec, '--agent', ...by, '--no-input', '--answers', 'answers.yaml']
}

function ledgerScript(rig: Rig): string {
  const line = (sign: string) => ({ run: `echo "${sign} $LOOP_NODE $LOOP_ITERATION" >> "$ASIDE/ledger"` })
  const nodes = Object.entries(demoNodes()).map(([node, turns]) => [
    node,
    turns.map(turn => [line('+'), ...turn, line('-')]),
  ])
  return planScript(rig, Object.fromEntries(nodes))
}

/** What may not differ, however often its hosts died. */
export async function toldOfPlan(rig: Rig) {
  const id = onlyGroup(rig)
  const events = planEvents(rig)
  const ends = events.flatMap(({ kind, data }) =>
    kind === 'node.ended' ? `${data.node} ${data.how} ${data.answer ?? ''}` : [],
  )
  const starts = events.flatMap(({ kind, data }) =>
    kind === 'node.started' ? `${data.node} ${data.attempt}` : [],
  )
  const runs = join(rig.tree, '.loop', 'runs')
  const [run = '', ...others] = readdirSync(runs)
  assert.deepEqual(others, [], 'one directory for one run')
  return {
    ends: ends.toSorted(),
    starts: starts.toSorted(),
    applied: events.filter(({ kind }) => kind === 'tree.applied').length,
    runs: ledgerOf(rig, '+'),
    cutShort: ledgerOf(rig, '+').filter(one => !ledgerOf(rig, '-').includes(one)),
    cart: readOr(join(rig.tree, 'cart.js')),
    described: readOr(join(rig.tree, 'CART.md')),
    files: readdirSync(rig.tree).toSorted(),
    pages: readdirSync(join(runs, run)).toSorted(),
    history: readOr(join(runs, run, '_context.md')).replaceAll(id, 'ID'),
    tasks: tasksOf(rig),
    learnt: await learntIn(rig),
  }
}

function tasksOf(rig: Rig): string[] {
  const lists = join(rig.env['HOME'] ?? '', '.claude', 'tasks')
  return readdirSync(lists).flatMap(list =>
    readdirSync(join(lists, list))
      .filter(name => name.endsWith('.json'))
      .map(name => {
        const { subject, status, blockedBy } = JSON.parse(readOr(join(lists, list, name)))
        return `${list}/${name} ${subject}: ${status} ${blockedBy}`
      })
      .toSorted(),
  )
}

async function learntIn(rig: Rig): Promise<{ kept: string[]; pending: number; strange: number }> {
  const asked = await rig.loop(['learn', '--json'])
  const { learnings, pending, strange } = JSON.parse(asked.stdout)
  return { kept: learnings.map(({ text }: { text: string }) => text), pending: pending.length, strange }
}

/** Goes on with it after its host has died, until its end. */
export async function goesOn(rig: Rig): Promise<void> {
  const id = onlyGroup(rig)
  const before = journalsOf(rig, id)
  const hadEnded = before.group.at(-1)?.kind === 'group.completed'
  const ended = await rig.loop(['resume', id])
  assertPrefix(before, journalsOf(rig, id))
  assert.equal(ended.code, hadEnded ? 4 : 0, ended.stderr.slice(-2_000))
  if (!hadEnded) assert.match(ended.stdout, /<loop-complete>\nAll tasks verified:/)
}

/** It has ended well, and nothing of it is left. */
export function assertOver(rig: Rig): void {
  const id = onlyGroup(rig)
  const { group } = journalsOf(rig, id)
  assert.equal(group.filter(({ kind }) => kind === 'group.completed').length, 1)
  assert.equal(group.at(-1)?.kind, 'group.completed')
  assert.equal(group.filter(({ kind }) => kind === 'step.failed').length, 0)
  assertNothingRuns(rig, id)
  // What did the work keeps its copy until it is collected; what only answered has none.
  const left = copiesIn(rig).filter(name => !/-T-\d+-\d+$/.test(name))
  assert.deepEqual(left, [])
}
