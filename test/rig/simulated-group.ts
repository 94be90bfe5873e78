/**
 * The hands of a simulated group: members whose agents, promises and checkpoints do what a plan says, measures, hooks
 * and the promise in the tree. All other steps of a group are the real ones, on simulated trees. The ledger outlives
 * hosts, as the world does: what was launched, run, written.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { groupMachine } from '../../src/core/group/machine.ts'
import { find } from '../../src/core/group/state.ts'
import type { Step } from '../../src/core/loop/decide.ts'
import { loopMachine } from '../../src/core/loop/machine.ts'
import type { Machines } from '../../src/engine/machine.ts'
import { type GroupTask, performGroup } from '../../src/engine/perform/group/steps.ts'
import { isOverGroupBudget } from '../../src/engine/perform/loop/run.ts'
import type { Task } from '../../src/engine/perform/loop/steps.ts'
import { wantedAnswer } from '../../src/model/answer.ts'
import type { GroupEvent } from '../../src/model/group/event.ts'
import type { Event, Recorded } from '../../src/model/loop/event.ts'
import { loopDir } from '../../src/store/files/paths.ts'
import { aResult, pass } from './given.ts'
import { type GroupPlan, pickOf, tree } from './group-plan.ts'
import { gatePasses, modelAnswer, type Question } from './planned-work.ts'
import { aDisk, type Disk, type Files, filesAt, keep } from './simulated-tree.ts'
import {
  emptyLedger,
  perform,
  type Script,
  type Turn,
  type Ledger as WorldLedger,
} from './simulated-world.ts'

/** What was in the tree before anybody came. */
export const beginning: Files = { shared: 'as it was\n', own: 'as it was\n' }

export type GroupLedger = {
  disk: Disk
  /** By the id of the member. */
  worlds: Map<string, WorldLedger>
  /** The node of each run of an agent, in the order in which they were launched. */
  launches: string[]
  /** How often each hook has run, by node and attempt. */
  hooks: Map<string, number>
  /** What a person has done to the tree. */
  edits: Set<number>
  /** How many hosts there were. */
  lives: number
  atWork: Set<string>
  mostAtWork: number
  /** What its members had cost when its budget was used up first. */
  spentAtBudget: number | null
}

export function aLedger(): GroupLedger {
  return {
    disk: aDisk(tree, beginning),
    worlds: new Map(),
    launches: [],
    hooks: new Map(),
    edits: new Set(),
    lives: 0,
    atWork: new Set(),
    mostAtWork: 0,
    spentAtBudget: null,
  }
}

/** `alive` throws once the host is dead: what it still has under way changes nothing. */
export type Hands = { plan: GroupPlan; ledger: GroupLedger; alive(): void }

export function groupMachines(hands: Hands): Machines {
  return {
    loop: { ...loopMachine, project: () => {}, perform: (step, task) => performMember(step, task, hands) },
    group: {
      ...groupMachine,
      project: () => {},
      async perform(step, task) {
        await turn(hands)
        if (step.kind === 'run') return task.signal.aborted ? [] : [ran(step, task, hands)]
        if (step.kind === 'check') return task.signal.aborted ? [] : [checkedTree(step, hands)]
        return performGroup(step, task)
      },
    },
  }
}

/** Others have their turn first. */
async function turn({ alive }: Hands): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  alive()
}

async function performMember(step: Step, task: Task, hands: Hands): Promise<Event[]> {
  const { state, signal } = task
  const { ledger, plan } = hands
  await turn(hands)
  // A step that is not wanted any more leaves nothing; an agent goes on by itself, and whoever comes next attaches to it.
  if (signal.aborted) return []
  if (step.kind === 'prepare' && isOverGroupBudget(task))
    return [{ kind: 'loop.held', data: { reason: 'group-budget' } }]
  const node = state.spec.env?.['LOOP_NODE'] ?? ''
  const world = worldOf(ledger, state.id)
  const script = scriptOf(plan, node)
  const before = world.launched.length
  if (step.kind === 'attach' && state.work.run?.identity) {
    // Long enough for others to be at work at the same time.
    for (let i = 0; i < 3; i += 1) await turn(hands)
    if (signal.aborted) return []
  }
  const events =
    step.kind === 'verify' && state.spec.criteria[0]?.answer
      ? [answered(step.iteration, task, hands)]
      : perform(step, task, { plan: script, ledger: world })
  if (world.launched.length > before) launched(node, task, hands)
  if (events.some(({ kind }) => kind === 'run.ended' || kind === 'run.lost')) ledger.atWork.delete(state.id)
  return events
}

/** What a model answers: the same however often it is asked. */
function answered(iteration: number, task: Task, { plan: { asked } }: Hands): Event {
  const { state, world } = task
  const question = questionOf(task)
  const text = asked.program === 'plan' ? modelAnswer(asked, question) : judged(question)
  const path = join('verify', `${iteration}-0`, 'out')
  const file = join(loopDir(world.store.paths, state.id), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text ?? '- it is empty\n')
  const output = { path, bytes: text?.length ?? 0, tail: text ?? '' }
  const { schema } = question
  const result = aResult({ name: schema, command: `answer: ${schema}`, ...(text !== null && pass), output })
  return { kind: 'promise.verified', data: { iteration, results: [result] } }
}

function judged({ node }: Question): string {
  const better = pickOf(['A', 'B', 'tie'], node)
  return JSON.stringify({ better, why: 'one of them is simpler', confidence: 60 })
}

/** Which attempt of its node a member is, the journal of its group says. */
function questionOf({ state, world }: Task): Question {
  const { schema, about = [] } = wantedAnswer(state.spec) ?? assert.fail('It is no question')
  const events = world.store.journals.read(state.spec.group ?? '')
  assert.ok(events.ok)
  const attempt = (events.value as unknown as GroupEvent[])
    .flatMap(event =>
      event.kind === 'node.started' && event.data.member === state.id ? event.data.attempt : [],
    )
    .at(-1)
  return { node: state.spec.env?.['LOOP_NODE'] ?? '', attempt: attempt ?? 0, schema, about }
}

/** Of what was recorded: a step fails once, and whoever tries again succeeds. */
export function remember(ledger: GroupLedger, { kind, loop, data }: Recorded): void {
  if (kind === 'step.failed') worldOf(ledger, loop).failedOnce.add(data.step)
}

function worldOf({ worlds }: GroupLedger, member: string): WorldLedger {
  const known = worlds.get(member)
  if (known) return known
  const world = emptyLedger()
  worlds.set(member, world)
  return world
}

/** What its agent does: it leaves a file of its own, and perhaps changes one that all know. */
function launched(node: string, { state }: Task, { ledger, plan }: Hands): void {
  ledger.launches.push(node)
  ledger.atWork.add(state.id)
  ledger.mostAtWork = Math.max(ledger.mostAtWork, ledger.atWork.size)
  const files = filesAt(ledger.disk, state.spec.cwd)
  // For a judge, changes of one size.
  const isJudged = plan.asked.program === 'best-of' && plan.asked.judge
  const lines = isJudged ? 1 : 1 + (node.length % 3)
  files[`by-${node}`] = `of ${node} in iteration ${state.work.iteration}\n`.repeat(lines)
  if (pickOf(plan.members, node).touches) files['shared'] = `changed by ${node}\n`
}

function scriptOf(plan: GroupPlan, node: string): Script {
  const { maxIterations, baseline } = plan
  const nothing = {
    cancelAt: 0,
    markAt: 0,
    confirm: false,
    forbid: false,
    fallback: false,
    protect: false,
    hooks: false,
  }
  const { turns } = pickOf(plan.members, node)
  // A task of a plan comes to something in the end: else every plan would end at its first wave.
  const all = plan.asked.program === 'plan' ? [...turns, passing] : turns
  return { turns: all, maxIterations, baseline, budgetUsd: null, ...nothing }
}

const passing: Turn = {
  end: 'exited',
  refused: null,
  costUsd: 0.5,
  exit: 0,
  forbidden: false,
  rewrites: false,
  steered: null,
  failing: null,
}

type StepOf = { node: string; attempt: number }

/** A hook happens once: whoever comes later only learns how it ended. */
function ran({ node, attempt }: StepOf, { state }: GroupTask, { plan, ledger }: Hands): GroupEvent {
  const planned = find(state, node)?.node
  const ended = { node, attempt, exitCode: 0, durationMs: 1 }
  if (planned?.kind === 'command' && planned.purpose === 'hook') {
    const key = `${node} ${attempt}`
    if (!ledger.hooks.has(key)) ledger.hooks.set(key, 1)
    return { kind: 'node.ended', data: { ...ended, how: 'completed' } }
  }
  if (planned?.kind === 'command' && planned.purpose === 'look') {
    const is = pickOf(['sound', 'mixed', 'not-checkable', 'suspect', 'suspect'] as const, node)
    const how = is === 'suspect' ? 'failed' : 'completed'
    return { kind: 'node.ended', data: { ...ended, how, looked: { is, files: ['test/a'] } } }
  }
  const met = plan.asked.program === 'plan' ? gatePasses(plan.asked, node) : null
  const passes = met && !isBroken(plan, ledger)
  if (passes !== null)
    return {
      kind: 'node.ended',
      data: {
        ...ended,
        how: passes ? 'completed' : 'failed',
        exitCode: passes ? 0 : 1,
        tree: leftIn(ledger),
      },
    }
  const value = pickOf(plan.values, node)
  if (value === 'fails')
    return { kind: 'node.ended', data: { ...ended, how: 'failed', exitCode: 1, value: null } }
  return { kind: 'node.ended', data: { ...ended, how: 'completed', value } }
}

function checkedTree({ node, attempt }: StepOf, { plan, ledger }: Hands): GroupEvent {
  const result = aResult({
    name: 'c',
    command: 'c',
    ...(attempt > plan.red && !isBroken(plan, ledger) ? pass : {}),
  })
  return { kind: 'tree.checked', data: { node, results: [result], tree: leftIn(ledger) } }
}

function isBroken({ fragile }: GroupPlan, { disk }: GroupLedger): boolean {
  return fragile === true && filesAt(disk, tree)['own'] !== beginning['own']
}

function leftIn({ disk }: GroupLedger): string {
  return keep(disk, filesAt(disk, tree))
}
