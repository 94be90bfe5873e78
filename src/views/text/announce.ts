/**
 * The lines a loop prints as it goes: a fold of its events, one short text per event that a person would want
 * to know of. Plain mode prints exactly these.
 */

import { canBeAsked, standings, unmetNames } from '../../core/loop/criteria.ts'
import { knownOf } from '../../core/loop/run/spent.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { workflowType } from '../../core/score/workflow-type.ts'
import type { CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import {
  checkpointName,
  formatBytes,
  formatCost,
  formatDuration,
  formatMoney,
  formatTokens,
} from '../../model/units.ts'
import { hookSaid } from '../words/hook.ts'
import { metWords } from '../words/limit.ts'
import {
  count,
  formatChanges,
  leftWords,
  promiseChanged,
  reasonWords,
  verdictLine,
} from '../words/message.ts'
import { safeLine, safeText, spelledOut } from './plain-text.ts'
import { plan } from './plan.ts'
import { lastLines } from './said/promise-output.ts'
import { statusBlock } from './status-block.ts'

/** The lines for one event; `state` is the state after it, `before` the one before it, null in a journal that is new. */
export function announce(event: Recorded, state: State, before: State | null): string[] {
  // Names of files and processes, and what was printed, are the agent's: none of it may steer the terminal.
  const lines = linesFor(event, state)
  return [...lines, ...newlyMet(event, state, before)].map(safeLine)
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
    case 'loop.held':
      return [held(state, event.at)]
    case 'question.asked':
      return question(state)
    case 'question.answered': {
      const { criterion, met: yes, by } = event.data
      if (event.data.agent) return [`  ${by} has answered; the agent is told in the next iteration`]
      return [`  ${by} ${yes ? 'confirms' : 'does not confirm'}: ${criterion}`]
    }
    case 'checkpoint.failed':
      return [`  no checkpoint ${event.data.name}: ${event.data.why}`]
    case 'loop.resumed':
      return [
        `[LOOP] ${['Resumed', `Iteration: ${state.work.iteration}`, ...resumedWith(event.data)].join(' | ')}`,
      ]
    case 'loop.queued':
      return [
        `[LOOP] Queued | Priority: ${event.data.priority}${event.data.restart ? ` | Restart: ${state.turn.restarts}` : ''}`,
      ]
    case 'context.injected':
      return [
        `  the agent will be told in the next iteration what ${event.data.by ? 'an agent' : 'you'} said`,
      ]
    case 'criterion.reported':
      return [
        `  the agent says that this is ${event.data.met ? '' : 'not '}met, which loop will see for itself: ${event.data.criterion}`,
      ]
    case 'tree.restored':
      return [`[LOOP] Rolled back to ${event.data.to}`, ...leftWords(event.data.left, '  ')]
    case 'rollback.failed':
      return [`  not rolled back to ${event.data.to}: ${event.data.why}`]
    case 'command.refused':
      return [`  cannot ${event.data.command}: ${event.data.why}`]
    case 'cancel.requested':
      return ['[LOOP] Cancelling']
    default:
      return hookSaid(event)
  }
}

function held(state: State, at: number): string {
  const summary = summarize(state)
  if (summary.status === 'paused') return `[LOOP] ⏸ Paused: ${reasonWords(summary, at)}`
  return '[LOOP] Pausing after this iteration (Ctrl-C again within 10 s, or x, cancels now)'
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

function question(state: State): string[] {
  const { id } = state
  const asked = state.human.question
  if (!asked || !canBeAsked(state)) return []
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
  const spent = known ? formatCost(state.cost.costUsd ?? 0, knownOf(state.cost)) : 'unknown'
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
  return data.iteration === 0 ? [...lines, ...doubts(data.results, state)] : lines
}

/** A criterion is announced when it comes to be met, and not again while it stays so. */
function newlyMet(event: Recorded, state: State, before: State | null): string[] {
  const isJudged = event.kind === 'promise.verified' && event.data.iteration > 0
  if (!isJudged && event.kind !== 'question.answered') return []
  const criteria = standings(state)
  const done = criteria.filter(standing => standing.met)
  const next = criteria.find(standing => !standing.met)
  const progress = `Progress: ${done.length}/${criteria.length} | Next: ${next?.name ?? 'none'}`
  const known = new Set(before ? metNames(before) : [])
  return done
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `[LOOP] ✓ ${name} complete | ${progress}`)
}

function metNames(state: State): string[] {
  return standings(state).flatMap(({ name, met }) => (met ? name : []))
}

/** Where somebody can be asked the loop rests, which says the same. */
function doubts(results: CriterionResult[], { spec }: State): string[] {
  if (spec.attended) return []
  return results.flatMap(({ name, doubt }) =>
    doubt === undefined
      ? []
      : `  warning: ${name}: ${doubt}; the agent goes to work all the same, for it may have to make it`,
  )
}

const mostOutput = 8

/** The end of what it printed. Where a baseline cannot be judged, the receipt that follows at once has it. */
function outputEnd({ verdict, output }: CriterionResult, { iteration: at }: { iteration: number }): string[] {
  const shows = verdict === 'FAIL' || (verdict === 'ERROR' && at > 0)
  return shows ? lastLines(output.tail, mostOutput) : []
}

/** Here a PASS is bad news. */
function forbiddenLine({ name, verdict, why }: CriterionResult): string {
  const found = { PASS: 'it is so', FAIL: 'it is not so', ERROR: `cannot be judged (${why})` }[verdict]
  return `${name}: ${found}`
}

function checkpoint(data: EventOf<'checkpoint.taken'>['data'], state: State): string {
  if (data.tree === null) return `  checkpoint ${data.name}: not saved (--checkpoint none)`
  const skipped = data.skipped.length > 0 ? `, cannot save: ${spelledOut(data.skipped.join(', '))}` : ''
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
  if (data.limit) return metWords(data.limit.kind ?? 'usage-limit', time, data.limit.why)
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
function spentWords({ costUsd, estimated, tokens, costIncomplete }: EventOf<'run.ended'>['data']): string[] {
  if (!tokens) return costIncomplete && costUsd === null ? ['cost unknown'] : []
  const known = { costEstimated: estimated === true, costIncomplete }
  const money = costUsd === null ? 'cost unknown' : formatCost(costUsd, known)
  return [`${formatTokens(tokens)} tokens`, money]
}

/** What else is another from here on: the plan has the rest. */
function resumedWith({ agent, timeoutMs }: EventOf<'loop.resumed'>['data']): string[] {
  return [
    ...(agent ? [`Agent: ${agent.agent}${agent.model ? ` (${agent.model})` : ''}`] : []),
    ...(timeoutMs ? [`Timeout: ${formatDuration(timeoutMs)}`] : []),
  ]
}

function cleared(data: EventOf<'run.cleared'>['data']): string[] {
  const lines: string[] = []
  if (data.killed) lines.push(`  killed ${count(data.killed, 'process')} the agent had left behind`)
  for (const { pid, command } of data.suspects)
    lines.push(`  left alone, may be of the agent: ${pid} (${spelledOut(command)})`)
  return lines
}

function lastLine(text: string): string {
  return safeText(text).trimEnd().split('\n').at(-1) ?? ''
}
