/**
 * The lines a loop prints as it goes: a fold of its events, one short text per event that a person would want
 * to know of. Plain mode prints exactly these.
 */

import { standings, unmetNames, verificationOf } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { workflowType } from '../../core/score/workflow-type.ts'
import type { CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import type { Criterion, Spec } from '../../model/loop/spec.ts'
import {
  checkpointName,
  formatBytes,
  formatCost,
  formatDuration,
  formatMoney,
  formatTokens,
} from '../../model/units.ts'
import {
  count,
  formatChanges,
  leftWords,
  promiseChanged,
  reasonWords,
  verdictLine,
} from '../words/message.ts'
import { safeLine, safeText, spelledOut } from './plain-text.ts'
import { lastLines } from './promise-output.ts'
import { statusBlock } from './status-block.ts'

/** The lines for one event; `state` is the state after it. */
export function announce(event: Recorded, state: State): string[] {
  // Names of files and processes, and what was printed, are the agent's: none of it may steer the terminal.
  return linesFor(event, state).map(safeLine)
}

/** The status block that follows the announcement, where one does. */
export function blockAfter(event: Recorded, state: State): string[] {
  const judged = event.kind === 'promise.verified' && event.data.iteration > 0
  return judged ? statusBlock(state).map(safeLine) : []
}

function linesFor(event: Recorded, state: State): string[] {
  switch (event.kind) {
    case 'loop.created':
      return [...plan(state), starting(state)]
    case 'promise.verified':
      return verified(event.data, state)
    case 'checkpoint.taken':
      return [checkpoint(event.data, state)]
    case 'run.started':
      return [iteration(state)]
    case 'run.ended':
      return [`  agent ${ended(event.data)}`, ...usageProblem(event.data)]
    case 'run.lost':
      return [`  agent lost: ${event.data.why}`]
    case 'run.cleared':
      return cleared(event.data)
    case 'agent.switched':
      return [`[LOOP] Agent: ${event.data.to} (${event.data.why})`]
    case 'wait.started':
      return [`  ${reasonWords(summarize(state), event.at)}`]
    case 'loop.held': {
      const summary = summarize(state)
      if (summary.status === 'paused') return [`[LOOP] ⏸ Paused: ${reasonWords(summary, event.at)}`]
      return ['[LOOP] Pausing after this iteration (Ctrl-C again within 10 s, or x, cancels now)']
    }
    case 'question.asked':
      return question(state)
    case 'question.answered': {
      const { criterion, met: yes, by } = event.data
      if (event.data.agent) return [`  ${by} has answered; the agent is told in the next iteration`]
      return [`  ${by} says that this is ${yes ? '' : 'not '}so: ${criterion}`]
    }
    case 'checkpoint.failed':
      return [`  no checkpoint ${event.data.name}: ${event.data.why}`]
    case 'loop.resumed':
      return [`[LOOP] Resumed | Iteration: ${state.work.iteration}`]
    case 'loop.queued':
      return [
        `[LOOP] Queued | Priority: ${event.data.priority}${event.data.restart ? ` | Restart: ${state.turn.restarts}` : ''}`,
      ]
    case 'context.injected':
      return ['  the agent will be told in the next iteration what you said']
    case 'criterion.reported':
      return [
        `  the agent says that this is ${event.data.met ? '' : 'not '}met, which loop will see for itself: ${event.data.criterion}`,
      ]
    case 'tree.restored':
      return [`[LOOP] Rolled back to ${event.data.to}`, ...leftWords(event.data.left, '  ')]
    case 'rollback.failed':
      return [`  not rolled back to ${event.data.to}: ${event.data.why}`]
    case 'command.refused':
      return [`  can not ${event.data.command}: ${event.data.why}`]
    case 'cancel.requested':
      return ['[LOOP] Cancelling']
    default:
      return []
  }
}

/** For who comes to a loop that was there before: what it is, and the agent that is at work in it. */
export function joined(state: State): string[] {
  const working =
    state.work.stage === 'running'
      ? [`[LOOP] Attached to the agent of iteration ${state.work.iteration}`]
      : []
  const rollback = state.tree.rollback ? [`[LOOP] Finishing the rollback to ${state.tree.rollback.to}`] : []
  return [...plan(state), ...rollback, ...working].map(safeLine)
}

/** What will run, before any of it does. */
export function plan(state: State): string[] {
  const { spec, id } = state
  const iterations =
    spec.maxIterations === null ? 'no limit of iterations' : count(spec.maxIterations, 'iteration')
  const times = `agent ${formatDuration(spec.timeoutMs)}, promise ${formatDuration(spec.verifyTimeoutMs)}`
  return [
    `loop ${id}`,
    `  directory   ${spec.cwd}`,
    `  agent       ${spec.agent}: ${spec.agentCmd}`,
    ...(spec.agentNotes ?? []).map(note => `              ${note}`),
    ...spec.criteria.map(criterionLine),
    ...(spec.mustNot ?? []).map(({ name, command }) => `  must not    ${name}: ${command}`),
    ...(spec.protect?.length ? [`  protected   ${spec.protect.join(', ')}`] : []),
    `  limits      ${iterations}, ${budget(spec.budgetUsd)}, ${times}`,
    `  checkpoint  ${spec.checkpoint === 'none' ? 'none: nothing can be rolled back' : backend(spec)}`,
    `  state       .loop/state.json, ${spec.deleteState ? 'deleted' : 'kept'} at the end`,
  ]
}

function criterionLine(criterion: Criterion): string {
  const { name, command } = criterion
  const verification = verificationOf(criterion)
  if (command === null) return `  confirm     ${name} (${verification})`
  const type = verification === 'execution output' ? '' : ` (${verification})`
  return `  promise     ${name === command ? command : `${name}: ${command}`}${type}`
}

function question(state: State): string[] {
  const { id, spec } = state
  const asked = state.human.question
  if (!asked || !spec.attended) return []
  if (asked.agent) return [`[LOOP] ? The agent asks: ${asked.criterion}`, `  loop answer ${id} "your answer"`]
  return [`[LOOP] ? Is this so: ${asked.criterion}`, `  loop answer ${id} yes, or no, or what is wrong`]
}

function starting(state: State): string {
  const { spec } = state
  const parts = [
    'Starting',
    'Shape: Tool',
    `Workflow: ${workflowType(spec.prompt)}`,
    `Steps: ${spec.criteria.length}`,
    `Budget: ${spec.budgetUsd === null ? 'none' : formatMoney(spec.budgetUsd)}`,
  ]
  return `[LOOP] ${parts.join(' | ')}`
}

function iteration(state: State): string {
  const { spec } = state
  const max = spec.maxIterations === null ? '∞' : spec.maxIterations
  const known = state.cost.costUsd !== null || state.work.runs === 1
  const spent = known ? formatCost(state.cost.costUsd ?? 0, state.cost.costEstimated) : 'unknown'
  const limit = spec.budgetUsd === null ? 'none' : formatMoney(spec.budgetUsd)
  const at = unmetNames(state)[0] ?? spec.criteria[0]?.name
  return `[LOOP] Iteration ${state.work.iteration}/${max} | Cost: ${spent}/${limit} | Step: ${at}`
}

function verified(data: EventOf<'promise.verified'>['data'], state: State): string[] {
  const label = data.iteration === 0 ? 'baseline' : 'promise'
  const lines = data.results.flatMap(result => [
    `  ${label} ${verdictLine(result)}`,
    ...outputEnd(result, data),
  ])
  for (const result of data.mustNot ?? []) lines.push(`  must not ${forbiddenLine(result)}`)
  if (data.iteration === 0) return lines
  const criteria = standings(state)
  const done = criteria.filter(standing => standing.met)
  const next = criteria.find(standing => !standing.met)
  const progress = `Progress: ${done.length}/${criteria.length} | Next: ${next?.name ?? 'none'}`
  const marks = done.map(({ name }) => `[LOOP] ✓ ${name} complete | ${progress}`)
  return [...lines, ...marks]
}

const mostOutput = 8

/** The end of what it printed. Where a baseline cannot be judged, the receipt that follows at once has it. */
function outputEnd({ verdict, output }: CriterionResult, { iteration: at }: { iteration: number }): string[] {
  const shows = verdict === 'FAIL' || (verdict === 'ERROR' && at > 0)
  return shows ? lastLines(output.tail, mostOutput) : []
}

/** Here a PASS is bad news. */
function forbiddenLine({ name, verdict, why }: CriterionResult): string {
  const found = { PASS: 'it is so', FAIL: 'it is not so', ERROR: `can not be judged (${why})` }[verdict]
  return `${name}: ${found}`
}

function checkpoint(data: EventOf<'checkpoint.taken'>['data'], state: State): string {
  if (data.tree === null) return `  checkpoint ${data.name}: not saved (--checkpoint none)`
  const skipped = data.skipped.length > 0 ? `, can not save: ${spelledOut(data.skipped.join(', '))}` : ''
  const changed = changesIn(data, state)
    .map(words => `, ${words}`)
    .join('')
  return `  checkpoint ${data.name} (${formatDuration(data.durationMs)}${changed}${skipped})`
}

/** What comes after the run of the agent is not its work. */
function changesIn({ name, changes }: EventOf<'checkpoint.taken'>['data'], state: State): string[] {
  if (!changes) return []
  if (name === checkpointName(state.work.iteration, true)) return [formatChanges(changes)]
  return state.tree.byPromise ? [promiseChanged(state.tree.byPromise)] : []
}

function ended(data: EventOf<'run.ended'>['data']): string {
  const time = formatDuration(data.durationMs)
  const output = [`${formatBytes(data.out.bytes + data.err.bytes)} of output`, ...spentWords(data)].join(', ')
  if (data.limit) return `met a usage limit after ${time}: ${data.limit.why}`
  if (data.auth !== undefined) return `may not use its model: ${data.auth}`
  if (data.failed !== undefined && data.how === 'exited') {
    return `failed after ${time} (exit ${data.exitCode}, ${output}): ${data.failed}`
  }
  switch (data.how) {
    case 'exited':
      return `ended after ${time} (exit ${data.exitCode}, ${output})`
    case 'unstartable':
      return `could not start (exit ${data.exitCode}): ${lastLine(data.err.tail)}`
    case 'timeout':
      return `stopped by its timeout after ${time} (${output}); its work is kept`
    case 'idle':
      return `stopped after ${time}: it printed nothing for too long (${output}); its work is kept`
    case 'killed':
      return `was killed after ${time} (exit ${data.exitCode})`
    case 'flooded':
      return `was stopped: it printed more than allowed (${output})`
    case 'lingered':
      return `ended its work after ${time} and did not exit; it was stopped (${output})`
    case 'stopped':
      return `was stopped (${output}); its work is kept`
    default:
      return data.how satisfies never
  }
}

function usageProblem({ usageProblem: why }: EventOf<'run.ended'>['data']): string[] {
  return why === undefined ? [] : [`  usage: ${why}`]
}

/** `$0.02`, `12.3k tokens`: what the agent said of itself. */
function spentWords({ costUsd, estimated, tokens }: EventOf<'run.ended'>['data']): string[] {
  if (!tokens) return []
  const money = costUsd === null ? 'cost unknown' : formatCost(costUsd, Boolean(estimated))
  return [`${formatTokens(tokens)} tokens`, money]
}

function cleared(data: EventOf<'run.cleared'>['data']): string[] {
  const lines: string[] = []
  if (data.killed) lines.push(`  killed ${count(data.killed, 'process')} the agent had left behind`)
  for (const { pid, command } of data.suspects)
    lines.push(`  left alone, may be of the agent: ${pid} (${spelledOut(command)})`)
  return lines
}

function budget(usd: number | null): string {
  return usd === null ? 'no budget' : `${formatMoney(usd)} budget`
}

function lastLine(text: string): string {
  return safeText(text).trimEnd().split('\n').at(-1) ?? ''
}

function backend({ checkpoint: name, checkpointWhy: why, checkpointIgnored }: Spec): string {
  return [name, why && `: ${why}`, checkpointIgnored && '; small ignored files too'].filter(Boolean).join('')
}
