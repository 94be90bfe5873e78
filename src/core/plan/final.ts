/**
 * The end of a plan. The gate: loop runs every criterion in the tree itself, no forbidden thing holds, the checklist
 * for the type of work is answered, and the files that steer the criteria get a second look. Then G3, and the lessons
 * to remember. Each failure at the gate becomes a task.
 */
import type { GroupNode } from '../../model/group/node.ts'
import type { PlanTask, TaskDraft } from '../../model/plan.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../group/state.ts'
import { checkVerdict } from '../loop/verdict.ts'
import { type Growth, joinedCommands } from '../programs/program.ts'
import { answerTo, questionNode } from '../programs/question.ts'
import { workflowChecklists } from '../score.ts'
import { askPeople, canAnswer, isAgreed, wantsGate } from './gates.ts'
import { wholeSpec } from './intent.ts'
import { checklistPrompt, deviationsPrompt } from './prompts.ts'
import { isNodeOver, planOf, said, shapeIn } from './read.ts'
import { lastNumber } from './review.ts'
import { taskName } from './waves.ts'

type Check = { id: string; name: string; command: string; forbidden: boolean }

/** In the order in which they run: one after the other, because a check may change the tree that the next one reads. */
export function checksOf(state: GroupState, round: number): Check[] {
  const shape = shapeIn(state)
  const criteria = (shape?.criteria ?? []).flatMap(({ name, command }, i) =>
    command === null ? [] : { id: `gate/${round}/c${i + 1}`, name, command, forbidden: false },
  )
  const mustNot = (shape?.mustNot ?? []).map(({ name, command }, i) => ({
    id: `gate/${round}/m${i + 1}`,
    name,
    command,
    forbidden: true,
  }))
  return [...criteria, ...mustNot]
}

/** Null once every check has ended; `failuresAt` has the result. */
export function runGate(state: GroupState, round: number): Growth | null {
  const { loop, workflow } = planOf(state)
  const checks = checksOf(state, round)
  const items = workflowChecklists[workflow]
  const checklist = `gate/${round}/checklist`
  const missing: GroupNode[] = [
    ...checks.map(
      ({ id, name, command, forbidden }, i): GroupNode => ({
        kind: 'command',
        id,
        needs: checks.slice(Math.max(0, i - 1), i).map(one => one.id),
        command,
        purpose: 'measure',
        of: null,
        timeoutMs: loop.verifyTimeoutMs,
        judges: { name, forbidden },
      }),
    ),
    {
      ...questionNode(loop, {
        id: checklist,
        needs: checks.slice(-1).map(one => one.id),
        schema: 'checklist',
        prompt: checklistPrompt(wholeSpec(state), items),
        about: [...items],
      }),
      context: { changesSince: 'initial' },
    },
  ]
  const fresh = missing.filter(({ id }) => !find(state, id))
  if (fresh.length > 0) return { plan: fresh }
  if (!missing.every(({ id }) => isNodeOver(state, id))) return { wait: true }
  const asked = find(state, checklist)
  if (asked && isSettled(asked) && !isWell(asked)) return { hold: 'no-answer', nodes: [checklist] }
  return confirmAll(state)
}

/** A criterion without a command is confirmed by a person, if only observation can confirm it. */
function confirmAll(state: GroupState): Growth | null {
  const open = (shapeIn(state)?.criteria ?? []).filter(
    ({ command, verification }) => command === null && verification === 'observation',
  )
  for (const { name } of open) {
    const id = `confirm/${slugOf(name)}`
    const asked = askPeople(state, { id, asks: 'confirm', question: `Is this so: ${name}?` })
    if (asked) return asked
    if (!isAgreed(said(state, id))) return { end: 'failed', reason: 'rejected', why: name }
  }
  return null
}

export function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40) || 'criterion'
  )
}

/** Criteria that are not met, and forbidden things that hold. */
export function failuresAt(state: GroupState, round: number): Check[] {
  return checksOf(state, round).filter(({ id, forbidden }) => {
    const one = find(state, id)
    const passed = one !== undefined && isWell(one)
    return forbidden ? passed : !passed
  })
}

/** Forbidden things that could not be judged: a command that did not finish proves nothing. */
export function unjudgedAt(state: GroupState, round: number): string[] {
  return checksOf(state, round).flatMap(({ id, name, forbidden }) => {
    const end = find(state, id)?.end
    if (!forbidden || !end) return []
    const { verdict, why } = checkVerdict(end)
    return verdict === 'ERROR' ? [`${name} cannot be judged (${why})`] : []
  })
}

/**
 * A second look at the whole plan, once its criteria are met. The look at a task runs only the command of that task, so
 * a task that writes a page could still change the tests of the plan. No single task can mend that: a person decides.
 */
export function lookAtWhole(state: GroupState, round: number): Growth | null {
  const id = `gate/${round}/look`
  const one = find(state, id)
  const { verifyTimeoutMs: timeoutMs } = planOf(state).loop
  const commands = checksOf(state, round).flatMap(({ command, forbidden }) => (forbidden ? [] : command))
  if (commands.length === 0) return null
  const command = joinedCommands(commands)
  if (!one)
    return { plan: [{ kind: 'command', id, needs: [], command, purpose: 'look', of: null, timeoutMs }] }
  if (!isSettled(one)) return { wait: true }
  if (isOlderThanGate(state, one)) return { reopen: id, because: { kind: 'gate-again' } }
  const { looked } = one.end ?? {}
  if (looked?.is !== 'suspect') return null
  const question = `The criteria may be met by changes to what judges the work: ${looked.files.slice(0, 10).join(', ')}. Does that count?`
  const gate = suspectGate(state, { round, attempt: one.attempt, question })
  const asked = askPeople(state, { id: gate, asks: 'confirm', question })
  if (asked) return asked
  return isAgreed(said(state, gate)) ? null : { end: 'failed', reason: 'rejected', why: gate }
}

type Suspicion = { round: number; attempt: number; question: string }

/** A person who has answered the same question is not asked again after another look. */
function suspectGate({ nodes }: GroupState, { round, attempt, question }: Suspicion): string {
  const known = nodes.find(one => isKind(one, 'gate') && one.node.question === question)
  return known?.node.id ?? (attempt === 1 ? `suspect/${round}` : `suspect/${round}/${attempt}`)
}

/** The changed files by which the criteria may be met, unless the last look has ruled that out. */
export function steeredFiles({ nodes }: GroupState): string[] {
  const looked = nodes.findLast(({ end }) => end?.looked)?.end?.looked
  return looked && looked.is !== 'sound' ? looked.files : []
}

export function gateTasks(state: GroupState, round: number, tasks: readonly PlanTask[]): TaskDraft[] {
  const files = [...new Set(tasks.flatMap(task => task.files))].slice(0, 50)
  return failuresAt(state, round).map(({ name, command, forbidden }, i) => ({
    id: taskName(lastNumber(tasks) + i + 1),
    subject: `${forbidden ? 'Undo' : 'Meet'} ${name}`.slice(0, 120),
    activeForm: `${forbidden ? 'Undoing' : 'Meeting'} ${name}`.slice(0, 120),
    source: `the gate, round ${round}`,
    action: forbidden
      ? `This must not hold, but does: ${name}. It holds while this command exits 0: ${command}`
      : `This criterion is not met in the work tree: ${name}. Make this command exit 0: ${command}`,
    criteria: forbidden ? `${name} no longer holds` : `${name} is met`,
    verify: forbidden ? `! { ${command}; }` : command,
    files: files.length > 0 ? files : ['.'],
    blockedBy: [],
    points: 1,
  }))
}

/** A failed hold-out becomes no task: the text of a task would tell the agent about it. */
export function holdOut(state: GroupState): Growth | null {
  const { holdout: command, verifyTimeoutMs: timeoutMs } = planOf(state).loop
  if (command === undefined) return null
  const one = find(state, 'holdout')
  if (!one) {
    return {
      plan: [{ kind: 'command', id: 'holdout', needs: [], command, purpose: 'measure', of: null, timeoutMs }],
    }
  }
  if (!isNodeOver(state, 'holdout')) return { wait: true }
  if (isOlderThanGate(state, one)) return { reopen: 'holdout', because: { kind: 'gate-again' } }
  return isWell(one) ? null : { end: 'failed', reason: 'holdout-failed', why: '' }
}

/** The checks of a gate were run after it: what it has found is about an earlier tree. */
function isOlderThanGate({ nodes }: GroupState, { endedSeq }: NodeState): boolean {
  return nodes.some(one => isGateCheck(one) && (one.endedSeq ?? 0) > (endedSeq ?? 0))
}

/** `rounds`: how many there can be. */
export function askDone(state: GroupState, rounds: number): Growth | null {
  if (!wantsGate(state, 'G3')) return null
  // Where only the checks were run again, the answer stands; likewise after tasks that a person made of findings.
  if (hasFailedSince(state, 'G3', rounds)) return { reopen: 'G3', because: { kind: 'work-since' } }
  const asked = askPeople(state, {
    id: 'G3',
    asks: 'gate',
    question: 'All criteria met. Confirm done?',
  })
  if (asked) return asked
  return isAgreed(said(state, 'G3')) ? null : { end: 'failed', reason: 'rejected', why: 'G3' }
}

/** The criteria failed after that answer, in any round: work was done of which that person did not know. */
function hasFailedSince(state: GroupState, answered: string, rounds: number): boolean {
  const answeredSeq = find(state, answered)?.endedSeq ?? Number.POSITIVE_INFINITY
  return Array.from({ length: rounds }, (_, i) => i + 1).some(
    round =>
      checksOf(state, round).some(({ id }) => (find(state, id)?.endedSeq ?? 0) > answeredSeq) &&
      failuresAt(state, round).length > 0,
  )
}

/** The lessons have no influence on the result of the plan. */
export function learn(state: GroupState): Growth | null {
  const { loop } = planOf(state)
  const shape = shapeIn(state)
  if (!shape) return null
  if (!find(state, 'deviations')) {
    const happened = happenings(state)
    const prompt = deviationsPrompt(shape, happened)
    const node = questionNode(loop, { id: 'deviations', needs: [], schema: 'deviations', prompt })
    return { plan: [{ ...node, context: { changesSince: 'initial' } }] }
  }
  if (!isNodeOver(state, 'deviations')) return { wait: true }
  const found = answerTo(state, 'deviations', 'deviations')?.deviations ?? []
  for (const [i, { lesson }] of found.entries()) {
    // If nobody is there, the lessons stay pending until `loop learn`.
    const id = lessonGate(i)
    if (!canAnswer(state, id) && !find(state, id)) continue
    const asked = askPeople(state, { id, asks: 'learn', question: `Remember this? ${lesson}` })
    if (asked) return asked
  }
  return found.length > 0 && !state.kept.includes('lessons') ? { keep: 'lessons' } : null
}

/** The gate at which a person agrees to remember a lesson, or declines. */
export function lessonGate(index: number): string {
  return `learn/${index + 1}`
}

/** What deviated from the plan, one line each. */
function happenings({ nodes }: GroupState): string[] {
  return nodes.flatMap(({ node, end, reopened }) => {
    if (node.kind !== 'loop' || node.reads) return []
    const again = reopened.map(({ why = '' }) => `${node.id} was done again: ${why}`)
    const iterations = end?.iterations ?? 0
    const slow = iterations > 1 ? [`${node.id} took ${iterations} iterations`] : []
    return [...slow, ...again]
  })
}

/**
 * What a failed plan does again when it is resumed: the nodes that made it fail, and no finished ones. The findings of
 * earlier rounds stay as they are, because they are about an earlier state of the tree.
 */

/** The ids of the nodes to do again. `tasks`: all tasks of the plan so far. */
export function failedBy(state: GroupState, tasks: readonly PlanTask[]): string[] {
  if (state.outcome?.kind !== 'failed') return []
  const { reason, why } = state.outcome
  switch (reason) {
    case 'node-failed':
      return tasksLeft(state, tasks)
    case 'gate-failed':
      return lastGate(state)
    case 'holdout-failed':
      // Once the gate is passed again, the hold-out is run again by itself (final.ts).
      return find(state, 'holdout') && lastGate(state).length === 0 ? ['holdout'] : lastGate(state)
    case 'rejected':
      return refusedGate(state, why)
    default:
      return []
  }
}

/** The unfinished tasks, each with the node that applies its result to the tree. */
function tasksLeft(state: GroupState, tasks: readonly PlanTask[]): string[] {
  const nodes = tasks.flatMap(({ id }) => [find(state, id) ?? [], find(state, `${id}/apply`) ?? []])
  return nodes.flat().flatMap(one => (isSettled(one) && !isWell(one) ? one.node.id : []))
}

/** All checks of the last gate, also those that passed: the tree may have changed since. */
function lastGate({ nodes }: GroupState): string[] {
  const checks = nodes.filter(isGateCheck).map(({ node }) => node.id)
  const last = checks.at(-1)?.replace(/[^/]*$/, '')
  return last === undefined ? [] : checks.filter(id => id.startsWith(last))
}

/** A check of a gate, of any round. Its second look is none: it is taken again by itself after them (final.ts). */
function isGateCheck(one: NodeState): boolean {
  return isKind(one, 'command') && one.node.purpose === 'measure' && one.node.id.startsWith('gate/')
}

function refusedGate(state: GroupState, why: string): string[] {
  const named = find(state, why) ? [why] : []
  const confirmed = state.nodes.filter(
    one => isKind(one, 'gate') && one.node.asks === 'confirm' && !isWell(one),
  )
  return named.length > 0 ? named : confirmed.map(({ node }) => node.id)
}
