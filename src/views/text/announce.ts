/**
 * The lines that a loop prints while it runs: one short text for each event that matters to a person, and after each
 * iteration the status block that other tools read. Plain mode prints exactly these.
 */
import { canBeAsked, criterionStates, unmetNames } from '../../core/loop/criteria.ts'
import { type Decision, decide } from '../../core/loop/decide.ts'
import { knownOf } from '../../core/loop/spent.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { jsonText, safeLine, safeText, spelledOut } from '../../core/text/plain-text.ts'
import { refusedWords } from '../../failures/refusal.ts'
import { wantedAnswer } from '../../model/answer.ts'
import type { CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import {
  checkpointName,
  count,
  formatBytes,
  formatCost,
  formatDuration,
  formatMoney,
  formatTokens,
} from '../../model/units.ts'
import { fewNames, unreadWords } from '../words/doubt.ts'
import { hookSaid } from '../words/hook.ts'
import { metWords } from '../words/limit.ts'
import {
  formatChanges,
  leftWords,
  promiseChanged,
  raiseWords,
  reasonWords,
  shapeWords,
  verdictLine,
} from '../words/message.ts'
import { checkWords } from '../words/plan.ts'
import { plan } from './plan.ts'
import { failureLines, quoted } from './promise-output.ts'

/** The lines for one event, with the states after and before it; `before` is null in a new journal. */
export function announce(event: Recorded, state: State, before: State | null): string[] {
  const met = wantedAnswer(state.spec) ? [] : newlyMet(event, state, before)
  return [...announceTask(event, state), ...met.map(safeLine)]
}

/** The lines for one event of a task of a plan: the plan itself says that a task is complete, once it is in the tree. */
export function announceTask(event: Recorded, state: State): string[] {
  // Names of files and processes, and outputs, come from the agent: none of it may control the terminal.
  const lines = wantedAnswer(state.spec) ? questionLines(event, state) : linesFor(event, state)
  return lines.map(safeLine)
}

/** The status block after the announcement, if there is one. */
export function blockAfter(event: Recorded, state: State): string[] {
  const judged = event.kind === 'promise.verified' && event.data.iteration > 0
  return judged ? statusBlock(state).map(safeLine) : []
}

/**
 * The lines of a question to a model. It has no tree, steps or tests: only who is asked, and the mistakes of an answer.
 */
function questionLines(event: Recorded, state: State): string[] {
  const { iteration: at, agent } = state.work
  switch (event.kind) {
    case 'run.started':
      return [`  asks ${agent}${at > 1 ? ` again (${at}/${state.spec.maxIterations ?? '∞'})` : ''}`]
    case 'run.ended':
      return event.data.how === 'exited' && event.data.exitCode === 0 ? [] : linesFor(event, state)
    case 'promise.verified':
      return event.data.results.every(({ verdict }) => verdict === 'PASS') ? [] : linesFor(event, state)
    case 'checkpoint.taken':
      return []
    default:
      return linesFor(event, state)
  }
}

function linesFor(event: Recorded, state: State): string[] {
  switch (event.kind) {
    case 'loop.created':
      return [...plan(state), starting(state)]
    case 'promise.verified':
      return verified(event.data, state)
    case 'checkpoint.taken':
      return checkpoint(event.data, state)
    case 'run.started':
      return [iteration(state)]
    case 'run.ended':
      return agentEnded(event.data)
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
    case 'question.answered':
      return [answered(event.data)]
    case 'look.taken':
      return [lookLine(event.data)]
    case 'tree.compared':
      return edited(event.data)
    case 'holdout.judged':
      return holdoutLines(event.data)
    case 'suspicion.raised':
      return [suspicionLine(event.data)]
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
      return [`  the agent will be told in the next iteration ${told[event.data.by ?? 'user']}`]
    case 'criterion.reported':
      return [reportedWords(event.data)]
    case 'tree.restored':
      return [`[LOOP] Rolled back to ${event.data.to}`, ...leftWords(event.data.left, '  ')]
    case 'rollback.failed':
      return [`  not rolled back to ${event.data.to}: ${event.data.why ?? ''}`]
    case 'command.refused':
      return [`  cannot ${event.data.command}: ${refusedWords(event.data)}`]
    default:
      return event.kind === 'cancel.requested' ? ['[LOOP] Cancelling'] : hookSaid(event)
  }
}

/** Its text is sealed, and says nothing to a person. */
function holdoutLines({ result, ...more }: EventOf<'holdout.judged'>['data']): string[] {
  const named = { ...result, name: 'hold-out', command: 'hold-out' }
  return [`  ${verdictLine(named)}`, ...outputEnd(result, more)]
}

function answered({ criterion, met, by, agent }: EventOf<'question.answered'>['data']): string {
  if (agent) return `  ${by} has answered; the agent is told in the next iteration`
  return `  ${by} ${met ? 'confirms' : 'does not confirm'}: ${criterion}`
}

function lookLine({ which, verdict, durationMs }: EventOf<'look.taken'>['data']): string {
  return `  ${lookWords[which]}: ${verdict} (${formatDuration(durationMs)})`
}

function edited({ changes, paths = [] }: EventOf<'tree.compared'>['data']): string[] {
  if (changes?.files === 0) return []
  const named = paths.length > 0 ? `: ${paths.slice(0, 3).join(', ')}` : ''
  return [`  the tree is not the one in which the promise passed${named}; loop runs the promise again`]
}

function suspicionLine({ why, files }: EventOf<'suspicion.raised'>['data']): string {
  const named = files.join(', ')
  return why === 'fewer-tests'
    ? `[LOOP] Suspect: fewer tests are run, or more are left out (${named})`
    : `[LOOP] Suspect: the promise passes by ${named}, not by the work`
}

function reportedWords({ met, criterion }: { met: boolean; criterion: string }): string {
  return `  the agent says that this is ${met ? '' : 'not '}met, which loop will see for itself: ${criterion}`
}

const told = {
  user: 'what you said',
  agent: 'what an agent said',
  loop: 'why this is done again',
  panel: 'what the panel recommends',
}

function held(state: State, at: number): string {
  const summary = summarize(state)
  if (summary.status === 'paused') return `[LOOP] ⏸ Paused: ${reasonWords(summary, at)}`
  return '[LOOP] Pausing after this iteration (Ctrl-C again within 10 s, or x, cancels now)'
}

/** For a person who joins an existing loop: what it is, and the agent that is at work. */
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

function starting({ spec, assessed }: State): string {
  const parts = [
    'Starting',
    `Shape: ${shapeWords(assessed)}`,
    `Workflow: ${assessed.workflow}`,
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
  // The budget of a group is for all of its loops.
  const noLimit = spec.group === undefined ? 'none' : 'shared'
  const limit = spec.budgetUsd === null ? noLimit : formatMoney(spec.budgetUsd)
  const at = unmetNames(state)[0] ?? spec.criteria[0]?.name
  return `[LOOP] Iteration ${state.work.iteration}/${max} | Cost: ${spent}/${limit} | Step: ${at}`
}

function verified(data: EventOf<'promise.verified'>['data'], state: State): string[] {
  const label = data.iteration === 0 ? 'baseline' : 'promise'
  const lines = data.results.flatMap(result => [
    `  ${label} ${verdictLine(result)}`,
    ...outputEnd(result, data),
  ])
  for (const result of data.mustNot ?? []) {
    const isNews = data.iteration === 0 || result.verdict !== 'FAIL'
    if (isNews) lines.push(`  ${checkWords({ ...result, forbidden: true })}`)
  }
  if (data.unread) lines.push(`  note: ${unreadWords(data.results, data.unread)}`)
  if (data.steered) lines.push(`  changed, and judges the work: ${fewNames(data.steered)}`)
  return data.iteration === 0 ? [...lines, ...doubts(data.results, state)] : lines
}

/** A criterion is announced when it becomes met, and not again while it stays so. */
function newlyMet(event: Recorded, state: State, before: State | null): string[] {
  const isJudged = event.kind === 'promise.verified' && event.data.iteration > 0
  if (!isJudged && event.kind !== 'question.answered') return []
  const criteria = criterionStates(state)
  const done = criteria.filter(standing => standing.met)
  const next = criteria.find(standing => !standing.met)
  const progress = `Progress: ${done.length}/${criteria.length} | Next: ${next?.name ?? 'none'}`
  const known = new Set(before ? metNames(before) : [])
  return done
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `[LOOP] ✓ ${name} complete | ${progress}`)
}

function metNames(state: State): string[] {
  return criterionStates(state).flatMap(({ name, met }) => (met ? name : []))
}

/** If somebody can be asked, the loop rests and says the same. */
function doubts(results: CriterionResult[], { spec }: State): string[] {
  if (spec.attended) return []
  return results.flatMap(({ name, doubt }) =>
    doubt === undefined
      ? []
      : `  warning: ${name}: ${doubt}; the agent starts anyway, for it may have to create what is missing`,
  )
}

const lookWords = {
  calibrate: 'as the loop found it, in a clean copy',
  green: 'the work alone, in a clean copy',
  red: 'with the changes to what judges the work alone',
}

const mostOutput = 8

/** What fails, or the end of the output. For a baseline that cannot be judged, the receipt right after it shows the output instead. */
function outputEnd(result: CriterionResult, { iteration: at }: { iteration: number }): string[] {
  const shows = result.verdict === 'FAIL' || (result.verdict === 'ERROR' && at > 0)
  return shows ? quoted(failureLines({ ...result, differs: [] }, mostOutput)) : []
}

function checkpoint(data: EventOf<'checkpoint.taken'>['data'], state: State): string[] {
  if (data.tree === null) return [`  checkpoint ${data.name}: not saved (--checkpoint none)`]
  const skipped = data.skipped.length > 0 ? `, cannot save: ${spelledOut(data.skipped.join(', '))}` : ''
  const changed = changesIn(data, state)
    .map(words => `, ${words}`)
    .join('')
  const saved = `  checkpoint ${data.name} (${formatDuration(data.durationMs)}${changed}${skipped})`
  return [saved, ...(data.raises ? [`  ${raiseWords(data.raises)}`] : [])]
}

/** Changes after the agent's run are not the agent's work. */
function changesIn({ name, changes }: EventOf<'checkpoint.taken'>['data'], state: State): string[] {
  if (!changes) return []
  if (name === checkpointName(state.work.iteration, true)) return [formatChanges(changes)]
  return state.tree.byPromise ? [promiseChanged(state.tree.byPromise)] : []
}

/** The settings that a resume changed; the plan shows the others. */
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

type End = EventOf<'run.ended'>['data']

/** How a run of an agent ended, in words: its result, its duration, and its reported cost. */
export function agentEnded(data: End): string[] {
  const problem = data.usageProblem === undefined ? [] : [`  usage: ${data.usageProblem}`]
  return [`  agent ${ended(data)}`, ...problem]
}

function ended(data: End): string {
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
      return `was stopped: it printed more than allowed (--max-output; ${output} kept)`
    case 'lingered':
      return `ended its work after ${time} and did not exit; it was stopped (${output})`
    case 'stopped':
      return `was stopped (${output}); its work is kept`
    default:
      return data.how satisfies never
  }
}

/** `$0.02`, `12.3k tokens`: what the agent said of itself. */
function spentWords({ costUsd, estimated, tokens, costIncomplete }: End): string[] {
  if (!tokens) return costIncomplete && costUsd === null ? ['cost unknown'] : []
  const known = { costEstimated: estimated === true, costIncomplete }
  const money = costUsd === null ? 'cost unknown' : formatCost(costUsd, known)
  return [`${formatTokens(tokens)} tokens`, money]
}

function lastLine(text: string): string {
  return safeText(text).trimEnd().split('\n').at(-1) ?? ''
}

export function statusBlock(state: State): string[] {
  const criteria = criterionStates(state)
  // The loop can pause although every criterion is met, so `decide` is asked for what comes next.
  const decision = decide(state, state.lastAt)
  const isEnd = decision.do === 'record' && decision.event.kind === 'loop.completed'
  // A look at nothing but the work comes before the end, and does not send the agent back.
  const isLook = decision.do === 'step' && decision.step.kind === 'look' && state.trust.changed.length === 0
  const done = isEnd || isLook
  const fields = criteria.map(({ name, met }) => `${jsonText(name)}: ${met}`)
  return [
    '---LOOP_STATUS---',
    `EXIT_SIGNAL: ${done}`,
    `CRITERIA: {${fields.join(', ')}}`,
    `STUCK_COUNT: ${state.judged.unmetInRow}`,
    `NEXT: ${done ? 'complete' : nextWords(state, decision)}`,
    '---END_STATUS---',
  ]
}

function nextWords(state: State, decision: Decision): string {
  const open = criterionStates(state).find(({ met }) => !met)
  if (!open) {
    const isHeld = decision.do === 'rest' || (decision.do === 'record' && decision.event.kind === 'loop.held')
    return isHeld ? `a human looks at it: ${heldWords(decision)}` : 'loop runs the promise once more'
  }
  if (open.command === null) return `a human says whether this is so: ${open.name}`
  return open.name === open.command ? `make this pass: ${open.command}` : `meet ${open.name}`
}

const whyHeld: Partial<Record<string, string>> = {
  'must-not': 'what must not happen has happened',
  'protected-changed': 'protected files were changed',
}

function heldWords(decision: Decision): string {
  const reason = decision.do === 'record' && 'reason' in decision.event.data ? decision.event.data.reason : ''
  return whyHeld[reason] ?? 'the loop pauses'
}
