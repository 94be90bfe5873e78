/**
 * The reasons why a loop rests or has ended: one row each, with the sentence about it, the short one for the line of a
 * group, and what a person can do, which is a resume unless the row says more. The exit codes are in model/failure;
 * groups have their own words (views/words/group).
 */
import { neededRaise, raiseFlags } from '../../core/loop/breaker.ts'
import type { TimeLimits } from '../../core/loop/fault.ts'
import type { LoopSummary } from '../../core/loop/summary.ts'
import { restartOf } from '../../core/queue.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import type { Reason } from '../../model/failure.ts'
import type { BreakerName } from '../../model/loop/breakers.ts'
import {
  count,
  formatBytes,
  formatCost,
  formatDuration,
  formatMoney,
  verifiedName,
} from '../../model/units.ts'
import { tooLongWords, untilWords } from './limit.ts'

type ReasonRow = {
  words?: string | ((summary: LoopSummary) => string)
  short?: string
  next?(summary: LoopSummary): string[]
  /** The loop rests between two iterations; an interrupted iteration is run again. */
  isBetween?: true
}

const anotherWay = (summary: LoopSummary) => `loop inject ${summary.id} "another way to do it"`
const lookAndRetry = (summary: LoopSummary) => [
  `loop logs ${summary.id}`,
  anotherWay(summary),
  `${resumeWords(summary)}${longerRun(summary)}`,
]

const answeredWords = 'a human has answered; it waits to be resumed'

const rows: Partial<Record<Reason, ReasonRow>> = {
  completed: {
    words(summary) {
      if (summary.rolledBackTo) return `the promise held${rolledBack(summary)}`
      return summary.iteration === 0 ? 'the promise already holds' : 'the promise holds'
    },
    short: 'passed',
    next: () => [],
  },
  answered: { short: 'answered' },
  cancelled: { words: ({ detail }) => (detail === '' ? 'cancelled by you' : `cancelled ${detail}`) },
  'iteration-limit': {
    words: ({ iteration, detail }) =>
      `${count(iteration, 'iteration')} used and the promise does not hold${agentFailed(detail)}`,
    short: 'its iterations are used up',
    next: summary => [`${resumeWords(summary)}${longerRun(summary)}`],
    isBetween: true,
  },
  stuck: {
    words: summary =>
      `stuck: nothing has got better in ${count(inRow(summary, 'stuck'), 'iteration')}${agentFailed(summary.detail)}`,
    next: lookAndRetry,
    isBetween: true,
  },
  'no-change': {
    words: summary =>
      `stuck: the agent has changed no file in ${count(inRow(summary, 'noChange'), 'iteration')}${agentFailed(summary.detail)}`,
    short: 'its agent changes nothing any more',
    next: lookAndRetry,
    isBetween: true,
  },
  'same-error': {
    words: 'the same error comes back again and again, and what was tried does not help',
    short: 'the same error comes back, and it needs help',
    next: summary => [anotherWay(summary), resumeWords(summary)],
    isBetween: true,
  },
  thrashing: {
    words: ({ detail }) => `thrashing: the agent edited ${spelledOut(detail)} in one iteration`,
    next: summary => [anotherWay(summary), resumeWords(summary)],
    isBetween: true,
  },
  'agent-errors': {
    words: summary => `the agent failed${inARow(inRow(summary, 'agentErrors'))}: ${summary.detail}`,
    short: 'its agent failed again and again',
    next: summary => [`loop logs ${summary.id}`, ...afterErrors(summary), ...instead(summary)],
    isBetween: true,
  },
  'promise-errors': {
    words: summary =>
      `the promise could not be judged${inARow(inRow(summary, 'promiseErrors'))}${found(summary)}`,
    short: 'its promise cannot be judged',
    next: summary => [`${resumeWords(summary)}${longer(summary, 'verify-timeout')}`],
  },
  'promise-unrunnable': {
    words: ({ detail }) => `the promise cannot be judged: ${detail}`,
    short: 'its promise cannot be run',
    next(summary) {
      const more = longer(summary, 'verify-timeout')
      if (more !== '') return [`${resumeWords(summary)}${more}`]
      return ['Mend the command, or the program it calls, and start again.']
    },
  },
  'promise-doubtful': {
    words: ({ detail }) => `the promise may never work: ${detail}`,
    short: 'its promise may never work',
    next: summary => [
      `If the agent is to make it: ${resumeWords(summary)}`,
      `If it was meant otherwise: loop cancel ${summary.id}, and start again`,
    ],
  },
  'budget-reached': {
    words(summary) {
      const budget = formatMoney(summary.budgetUsd ?? 0)
      if (summary.session) return `its budget of ${budget} is spent`
      return `${formatCost(summary.costUsd ?? 0, summary)} of ${budget} spent`
    },
    short: 'its budget is spent',
  },
  'agent-auth': {
    words: ({ agent, detail }) => `${agent} may not use its model: ${detail}`,
    short: 'its agent may not use its model',
    next: summary => [
      `${signIn(summary.agent)}; then: ${resumeWords(summary)}`,
      `If its account has no credit left, add some; then: ${resumeWords(summary)}`,
    ],
  },
  'limit-too-long': {
    words: tooLongWords,
    short: 'the usage limit of its agent lasts too long',
    next: summary => [`${untilWords(summary)}: ${resumeWords(summary)}`],
  },
  'must-not': {
    words: summary =>
      summary.detail === ''
        ? `what must not happen had happened${rolledBack(summary)}`
        : `what must not happen has happened: ${summary.detail}`,
    short: 'what must not happen has happened',
    next: afterForbidden,
    isBetween: true,
  },
  'protected-changed': {
    words: summary =>
      `protected files were changed${found({ ...summary, detail: spelledOut(summary.detail) })}`,
    short: 'protected files were changed',
    next: afterProtected,
    isBetween: true,
  },
  'holdout-failed': {
    words: summary =>
      `the promise passes, but the hold-out does not${summary.detail === '' ? rolledBack(summary) : ` (${summary.detail})`}`,
    short: 'its hold-out does not pass',
    next: summary => [
      `loop diff ${summary.id}`,
      `loop inject ${summary.id} "what is missing"`,
      resumeWords(summary),
    ],
  },
  'agent-blocked': {
    words: ({ detail }) => `the agent says that it cannot go on: ${spelledOut(detail)}`,
    next: summary => [`loop inject ${summary.id} "what helps it"`, resumeWords(summary)],
    isBetween: true,
  },
  suspect: {
    words: ({ detail }) =>
      detail === ''
        ? answeredWords
        : `suspect: the promise passes by changes to what judges the work, not by the work. A human has to say whether ${spelledOut(detail)}`,
    next: summary => [`loop diff ${summary.id}`, ...afterSuspicion(summary)],
    isBetween: true,
  },
  unanswered: {
    words({ detail, agentAsks }) {
      if (agentAsks) return `the agent asks, and nobody is there: ${detail}`
      if (detail === '') return answeredWords
      return `a human has to say whether this is so, and nobody is there: ${detail}`
    },
    short: 'it asks a question',
    next: answers,
    isBetween: true,
  },
  assumption: {
    words: ({ detail }) => `all that can be verified is met, but an assumption never is: ${detail}`,
    next: () => ['Replace the assumption by a command or by --confirm, and start again.'],
  },
  'advice-wanted': { words: 'its group asks a panel for advice', short: 'it waits for advice' },
  'no-answer': { short: 'a model gave no usable answer' },
  rejected: { short: 'a person said no' },
  'members-rest': { short: 'only loops that rest are left' },
  'group-budget': {
    words: 'the budget of its group is spent',
    short: 'the budget of the group is spent',
  },
  'paused-by-user': { words: 'paused by you', short: 'paused by you' },
  'paused-by-agent': { words: 'paused by the agent', short: 'paused by its agent' },
  'paused-by-group': { words: 'paused with its group', short: 'paused with its group' },
  'session-limit': {
    words: ({ maxIterations }) => `its limit of ${count(maxIterations ?? 0, 'iteration')} is reached`,
    next: summary => [`${resumeWords(summary)} --max-iterations ${(summary.maxIterations ?? 0) + 10}`],
  },
  'session-ended': { words: 'the session was ended without a promise that loop has seen pass' },
  'session-stuck': {
    words: 'stuck: the session stopped again and again, and nothing had changed in between',
  },
  'session-says-stuck': { words: 'the session counts itself as stuck (stuckCount)' },
  'step-failed': {
    words: ({ detail }) => detail,
    short: 'a step of it failed',
    next: summary => [`Mend the cause, then: ${resumeWords(summary)}`],
  },
  survivors: {
    words: ({ detail }) => `processes of the agent cannot be killed: ${spelledOut(detail)}`,
    short: 'processes of its agent cannot be killed',
    next: summary => [`End those processes, then: ${resumeWords(summary)}`],
  },
  'store-damaged': {
    words: 'its journal is damaged',
    short: 'its journal is damaged',
    next: () => ['Start a new loop; the files are as the agent left them.'],
  },
  'newer-journal': {
    words: ({ detail }) => `its journal holds ${detail}, which this version of loop does not know`,
    next: () => ['Update loop.'],
  },
}

/** Why the loop rests or has ended. */
export function endedBecause(reason: Reason, summary: LoopSummary): string {
  const words = rows[reason]?.words
  return typeof words === 'function' ? words(summary) : (words ?? reason)
}

/** The same in the line of its group. */
export function shortReason(reason: string | null): string {
  return rows[reason as Reason]?.short ?? reason ?? 'it waits for you'
}

/** What a person can do about it: one command or sentence each. */
export function waysOut(summary: LoopSummary): string[] {
  if (summary.reason === null) return answers(summary)
  return rows[summary.reason]?.next?.(summary) ?? [resumeWords(summary)]
}

/** What was found, or that it no longer applies. */
function found(summary: LoopSummary): string {
  return summary.detail === '' ? rolledBack(summary) : `: ${summary.detail}`
}

/** The tree was rolled back, so the findings about it no longer apply. */
function rolledBack({ rolledBackTo }: LoopSummary): string {
  return rolledBackTo ? `; the files were rolled back to ${rolledBackTo} since then` : ''
}

/** If the agent's last run failed too, that can be the cause. */
function agentFailed(detail: string): string {
  return detail === '' ? '' : `; the agent failed: ${detail}`
}

/** The length of the row that stopped the loop. */
function inRow(summary: LoopSummary, name: BreakerName): number {
  return summary.breakers.find(breaker => breaker.name === name)?.limit ?? 0
}

/** One time is not a row. */
function inARow(n: number): string {
  return n < 2 ? '' : ` ${['twice', 'three times'][n - 2] ?? `${n} times`} in a row`
}

function afterForbidden(summary: LoopSummary): string[] {
  const { id, iteration, rolledBackTo } = summary
  if (rolledBackTo) return [resumeWords(summary)]
  if (iteration === 0) return [`Mend it, then: ${resumeWords(summary)}`]
  return [`loop diff ${id}`, `Mend it, or: loop rollback ${id} ${iteration}; then: ${resumeWords(summary)}`]
}

/** A resume alone asks the same again. */
function afterSuspicion(summary: LoopSummary): string[] {
  const { id, question } = summary
  const resume = resumeWords(summary)
  if (question === null) return [resume]
  return [
    `If these changes are right: loop answer ${id} yes; then: ${resume}`,
    `If they are not: loop answer ${id} "what is wrong"; then: ${resume}`,
  ]
}

function afterProtected(summary: LoopSummary): string[] {
  const { id, iteration, rolledBackTo } = summary
  if (rolledBackTo) return [resumeWords(summary)]
  return [
    `loop diff ${id} ${iteration}..${verifiedName(iteration)}`,
    `To take it back: loop rollback ${id} ${iteration}. To accept it: ${resumeWords(summary)}`,
  ]
}

/** A running loop continues by itself after an answer; a resting one has to be resumed. */
function answers(summary: LoopSummary): string[] {
  const { id, reason, question, agentAsks } = summary
  const then = reason === null ? '' : `; then: ${resumeWords(summary)}`
  if (agentAsks) return [`loop answer ${id} "your answer"${then}`]
  if (question === null) return reason === null ? [] : [resumeWords(summary)]
  if (reason === null) return [`loop answer ${id} yes`, `loop answer ${id} "what is wrong"`]
  return [`loop answer ${id} yes, or no, or what is wrong${then}`]
}

/** ` --timeout 15m`, ` --max-output 3MB`: three times the limit that was hit, if one was. */
export function longer({ timedOut }: LoopSummary, flag: keyof TimeLimits): string {
  const most = (timedOut[flag] ?? 0) * 3
  const words = flag === 'max-output' ? formatBytes(most) : formatDuration(most)
  return most === 0 ? '' : ` --${flag} ${words.replaceAll(/ |\.0(?=s| )/g, '')}`
}

export function longerRun(summary: LoopSummary): string {
  return (['timeout', 'idle-timeout', 'max-output'] as const).map(flag => longer(summary, flag)).join('')
}

function afterErrors(summary: LoopSummary): string[] {
  const { agent } = summary
  const more = longerRun(summary)
  if (more !== '') return [`${resumeWords(summary)}${more}`]
  const way = agent === 'custom' || agent === 'acp' ? "--agent-cmd '<command>'" : '--agent <name>'
  const another = agent === 'custom' ? 'command' : 'agent'
  return [resumeWords(summary), `With another ${another}: ${resumeWords(summary)} ${way}`]
}

/** Of a loop that loopd restarts by itself. */
function instead(summary: LoopSummary): string[] {
  return restartOf(summary) ? [`To stop the retries: loop cancel ${summary.id}`] : []
}

/**
 * A background loop goes back to the background; used-up limits are raised, since the resume would be refused
 * otherwise.
 */
export function resumeWords(summary: LoopSummary): string {
  const { id, background } = summary
  return `loop resume ${id}${background ? ' -b' : ''}${neededFlags(summary)}`
}

/** The flags that raise the used-up limits: ` --max-iterations 20`; empty if none is used up. */
export function neededFlags(summary: LoopSummary): string {
  return raiseFlags(neededRaise(summary, needsAnother(summary)))
}

function needsAnother({ reason, question, criteria }: LoopSummary): boolean {
  if (reason === 'holdout-failed') return true
  const isBetween = reason !== null && rows[reason]?.isBetween === true
  return isBetween && question === null && Object.values(criteria).some(({ met }) => !met)
}

/** How to sign in, by agent. */
const keys: Record<string, string> = {
  opencode: 'Sign in with: opencode auth login',
  claude: 'Sign in with: claude, then /login; or set ANTHROPIC_API_KEY',
  codex: 'Sign in with: codex login; or set the key of its provider',
  gemini: 'Set GEMINI_API_KEY, or choose how to sign in: gemini, then /auth',
  cline: 'Set its key with: cline auth',
  aider: 'Set the key of your model for aider, for example OPENAI_API_KEY',
  cursor: 'Sign in with: cursor-agent login; or set CURSOR_API_KEY',
}

export function signIn(agent: string): string {
  return keys[agent] ?? 'Give the agent a key that holds'
}
