/** What a person can do about a loop that rests, waits or has ended: the commands to type, with the flag that helps. */
import { isGroup } from '../../core/group/summary.ts'
import { neededRaise, raiseFlags } from '../../core/loop/breaker.ts'
import type { TimeLimits } from '../../core/loop/run/fault.ts'
import type { Summary } from '../../core/loop/summary.ts'
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
    case null:
    case 'unanswered':
      return answers(summary)
    case 'assumption':
      return ['Replace the assumption by a command or by --confirm, and start again.']
    case 'must-not':
      if (summary.rolledBackTo) return [resumeWords(summary)]
      if (summary.iteration === 0) return [`Mend it, then: ${resumeWords(summary)}`]
      return [
        `loop diff ${id}`,
        `Mend it, or: loop rollback ${id} ${summary.iteration}; then: ${resumeWords(summary)}`,
      ]
    case 'protected-changed':
      if (summary.rolledBackTo) return [resumeWords(summary)]
      return [
        `loop diff ${id} ${summary.iteration}..${verifiedName(summary.iteration)}`,
        `To take it back: loop rollback ${id} ${summary.iteration}. To accept it: ${resumeWords(summary)}`,
      ]
    case 'thrashing':
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
    case 'step-failed':
      return [
        `${reason === 'survivors' ? 'End those processes' : 'Mend the cause'}, then: ${resumeWords(summary)}`,
      ]
    case 'agent-auth':
      return [
        `${signIn(summary.agent)}; then: ${resumeWords(summary)}`,
        `If its account has no credit left, add some; then: ${resumeWords(summary)}`,
      ]
    case 'limit-too-long':
      return [`${untilWords(summary)}: ${resumeWords(summary)}`]
    case 'agent-errors':
      return [`loop logs ${id}`, ...afterErrors(summary)]
    default:
      return [
        `${resumeWords(summary)}${reason === 'stuck' || reason === 'no-change' ? longerRun(summary) : ''}`,
      ]
  }
}

/** Of a loop as it is shown: one that nobody hosts has to be taken up, whatever else can be done. */
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

/** A loop that runs goes on by itself after an answer; one that rests has to be resumed. */
function answers(summary: Summary): string[] {
  const { id, reason, question, agentAsks } = summary
  const then = reason === null ? '' : `; then: ${resumeWords(summary)}`
  if (agentAsks) return [`loop answer ${id} "your answer"${then}`]
  if (question === null) return reason === null ? [] : [resumeWords(summary)]
  if (reason === null) return [`loop answer ${id} yes`, `loop answer ${id} "what is wrong"`]
  return [`loop answer ${id} yes, or no, or what is wrong${then}`]
}

/** ` --timeout 15m`: three times the limit that was run into, if it was. */
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

/** A loop of the background goes back there; what is used up is raised, else the resume would be refused. */
export function resumeWords(summary: Summary): string {
  const { id, background } = summary
  return `loop resume ${id}${background ? ' -b' : ''}${raiseFlags(neededRaise(summary, needsAnother(summary)))}`
}

/** Whether it rests between two iterations; where it was cut short in one, that is run again. */
function needsAnother({ reason, question, criteria }: Summary): boolean {
  const isBetween = reason !== null && atBoundary.includes(reason)
  return isBetween && question === null && Object.values(criteria).some(({ met }) => !met)
}

const atBoundary: readonly Reason[] = [
  'iteration-limit',
  'agent-errors',
  'stuck',
  'no-change',
  'thrashing',
  'must-not',
  'protected-changed',
  'unanswered',
]

/** How each agent is let use its model again. */
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
