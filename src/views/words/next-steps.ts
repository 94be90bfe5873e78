/** What a person can do about a loop that rests, waits or has ended: the commands to type, with the flag that helps. */
import { isGroup } from '../../core/group/summary.ts'
import { neededRaise, raiseFlags } from '../../core/loop/breaker.ts'
import type { TimeLimits } from '../../core/loop/run/fault.ts'
import type { Summary } from '../../core/loop/summary.ts'
import { restartOf } from '../../core/restarts.ts'
import type { Reason } from '../../model/failure.ts'
import { formatDuration, verifiedName } from '../../model/units.ts'
import { groupSteps, memberSteps } from './group.ts'
import { untilWords } from './limit.ts'

/** One command or sentence each. */
export function nextSteps(summary: Summary): string[] {
  return isGroup(summary) ? groupSteps(summary) : (memberSteps(summary) ?? stepsOf(summary))
}

function stepsOf(summary: Summary): string[] {
  const { id, reason } = summary
  switch (reason) {
    case 'completed':
      return []
    case 'suspect':
      return [`loop diff ${id}`, ...afterSuspicion(summary)]
    case 'stuck':
    case 'no-change':
      return [
        `loop logs ${id}`,
        `loop inject ${id} "another way to do it"`,
        `${resumeWords(summary)}${longerRun(summary)}`,
      ]
    case null:
    case 'unanswered':
      return answers(summary)
    case 'assumption':
      return ['Replace the assumption by a command or by --confirm, and start again.']
    case 'must-not':
      return afterForbidden(summary)
    case 'protected-changed':
      return afterProtected(summary)
    case 'holdout-failed':
      return [`loop diff ${id}`, `loop inject ${id} "what is missing"`, resumeWords(summary)]
    case 'agent-blocked':
      return [`loop inject ${id} "what helps it"`, resumeWords(summary)]
    case 'thrashing':
    case 'same-error':
      return [`loop inject ${id} "another way to do it"`, resumeWords(summary)]
    case 'session-limit':
    case 'iteration-limit':
      return [moreIterations(summary)]
    case 'promise-errors':
    case 'promise-unrunnable':
      return [afterUnjudged(summary)]
    case 'promise-doubtful':
      return [
        `If the agent is to make it: ${resumeWords(summary)}`,
        `If it was meant otherwise: loop cancel ${id}, and start again`,
      ]
    case 'store-damaged':
      return ['Start a new loop; the files are as the agent left them.']
    case 'newer-journal':
      return ['Update loop.']
    case 'survivors':
      return [`End those processes, then: ${resumeWords(summary)}`]
    case 'step-failed':
      return [`Mend the cause, then: ${resumeWords(summary)}`]
    case 'agent-auth':
      return afterSignIn(summary)
    case 'limit-too-long':
      return [`${untilWords(summary)}: ${resumeWords(summary)}`]
    case 'agent-errors':
      return [`loop logs ${id}`, ...afterErrors(summary), ...instead(summary)]
    default:
      return [resumeWords(summary)]
  }
}

function afterForbidden(summary: Summary): string[] {
  const { id, iteration, rolledBackTo } = summary
  if (rolledBackTo) return [resumeWords(summary)]
  if (iteration === 0) return [`Mend it, then: ${resumeWords(summary)}`]
  return [`loop diff ${id}`, `Mend it, or: loop rollback ${id} ${iteration}; then: ${resumeWords(summary)}`]
}

/** A resume alone asks the same again. */
function afterSuspicion(summary: Summary): string[] {
  const { id, question } = summary
  const resume = resumeWords(summary)
  if (question === null) return [resume]
  return [
    `If these changes are right: loop answer ${id} yes; then: ${resume}`,
    `If they are not: loop answer ${id} "what is wrong"; then: ${resume}`,
  ]
}

function afterProtected(summary: Summary): string[] {
  const { id, iteration, rolledBackTo } = summary
  if (rolledBackTo) return [resumeWords(summary)]
  return [
    `loop diff ${id} ${iteration}..${verifiedName(iteration)}`,
    `To take it back: loop rollback ${id} ${iteration}. To accept it: ${resumeWords(summary)}`,
  ]
}

function afterSignIn(summary: Summary): string[] {
  return [
    `${signIn(summary.agent)}; then: ${resumeWords(summary)}`,
    `If its account has no credit left, add some; then: ${resumeWords(summary)}`,
  ]
}

/** For a loop as it is shown: one without a host has to be taken up first. */
export function waysOn({ summary, orphaned }: { summary: Summary; orphaned: boolean }): string[] {
  return [...nextSteps(summary), ...(orphaned ? [takeUpWords(summary)] : [])]
}

export function takeUpWords({ id, background }: Pick<Summary, 'id' | 'background'>): string {
  return background ? 'loopd start' : `loop resume ${id}`
}

function moreIterations(summary: Summary): string {
  const { reason, maxIterations } = summary
  if (reason === 'session-limit')
    return `${resumeWords(summary)} --max-iterations ${(maxIterations ?? 0) + 10}`
  return `${resumeWords(summary)}${longerRun(summary)}`
}

/** A running loop continues by itself after an answer; a resting one has to be resumed. */
function answers(summary: Summary): string[] {
  const { id, reason, question, agentAsks } = summary
  const then = reason === null ? '' : `; then: ${resumeWords(summary)}`
  if (agentAsks) return [`loop answer ${id} "your answer"${then}`]
  if (question === null) return reason === null ? [] : [resumeWords(summary)]
  if (reason === null) return [`loop answer ${id} yes`, `loop answer ${id} "what is wrong"`]
  return [`loop answer ${id} yes, or no, or what is wrong${then}`]
}

/** ` --timeout 15m`: three times the limit that was hit, if one was. */
function longer({ timedOut }: Summary, flag: keyof TimeLimits): string {
  const ms = timedOut?.[flag]
  return ms === undefined ? '' : ` --${flag} ${formatDuration(ms * 3).replaceAll(/ |\.0(?=s)/g, '')}`
}

function longerRun(summary: Summary): string {
  return longer(summary, 'timeout') + longer(summary, 'idle-timeout')
}

function afterUnjudged(summary: Summary): string {
  const { reason } = summary
  const more = longer(summary, 'verify-timeout')
  if (reason === 'promise-errors' || more !== '') return `${resumeWords(summary)}${more}`
  return 'Mend the command, or the program it calls, and start again.'
}

function afterErrors(summary: Summary): string[] {
  const { agent } = summary
  const more = longerRun(summary)
  if (more !== '') return [`${resumeWords(summary)}${more}`]
  const way = agent === 'custom' || agent === 'acp' ? "--agent-cmd '<command>'" : '--agent <name>'
  const another = agent === 'custom' ? 'command' : 'agent'
  return [resumeWords(summary), `With another ${another}: ${resumeWords(summary)} ${way}`]
}

/** Of a loop that loopd restarts by itself. */
function instead(summary: Summary): string[] {
  return restartOf(summary) ? [`To stop the retries: loop cancel ${summary.id}`] : []
}

/**
 * A background loop goes back to the background; used-up limits are raised, since the resume would be refused
 * otherwise.
 */
export function resumeWords(summary: Summary): string {
  const { id, background } = summary
  return `loop resume ${id}${background ? ' -b' : ''}${neededFlags(summary)}`
}

/** The flags that raise the used-up limits: ` --max-iterations 20`; empty if none is used up. */
export function neededFlags(summary: Summary): string {
  return raiseFlags(neededRaise(summary, needsAnother(summary)))
}

/** Whether it rests between two iterations; an interrupted iteration is run again. */
function needsAnother({ reason, question, criteria }: Summary): boolean {
  if (reason === 'holdout-failed') return true
  const isBetween = reason !== null && atBoundary.includes(reason)
  return isBetween && question === null && Object.values(criteria).some(({ met }) => !met)
}

const atBoundary: readonly Reason[] = [
  'iteration-limit',
  'agent-errors',
  'stuck',
  'no-change',
  'thrashing',
  'same-error',
  'must-not',
  'protected-changed',
  'suspect',
  'agent-blocked',
  'unanswered',
]

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
