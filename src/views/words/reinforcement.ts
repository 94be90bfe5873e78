/**
 * The messages to a session that is sent back to work, and to its user when it is released. Much of the text comes
 * from the agent, so it is made plain and kept short: a host program passes a reason on in full.
 */
import type { InjectedText } from '../../core/loop/parts/human.ts'
import type { Because, SessionLoop, Situation } from '../../core/session/stop.ts'
import { unboundIterations, unmetOf } from '../../core/session/stop.ts'
import { blockedCycle, currentTask, type SessionTask } from '../../core/session/tasks.ts'
import { safeText } from '../../core/text/plain-text.ts'
import { count, formatMoney } from '../../model/units.ts'

const mostText = 8_000

export const tasksDone = 'All tasks of the list are completed.'

/** A message with its sender; a marker holds the text in this form. */
export function toldWords(told: InjectedText): string {
  if (typeof told === 'string') return `The user says:\n${told}`
  const who = told.by === 'loop' ? 'loop says this' : 'An agent says this through loop'
  return `${who}, not the user:\n${told.text}`
}

/** Additional messages for the session; empty if there are none. */
export function tellings(texts: readonly string[]): string {
  return texts.map(text => `${text}\n\n`).join('')
}

/** `pipeline`: from the run's `_meta.md`; `failed`: messages about tasks whose command did not pass. */
type Besides = { pipeline: string; failed: readonly string[] }

/** Why the session continues, for the model. */
export function reasonFor(because: Because, now: Situation, { pipeline, failed }: Besides): string {
  const told = tellings(now.loop?.told.slice(now.counter.told) ?? [])
  return bounded([`${told}${goingOn(because, now, pipeline)}`, ...failed].join('\n\n'))
}

function goingOn(because: Because, now: Situation, pipeline: string): string {
  const { loop, workflow } = now
  if (because === 'tasks') return reinforcement(now.tasks, pipeline)
  if (because === 'stage') {
    return `The loop is at stage "${workflow?.stage ?? ''}" of .loop/workflow-state.json, not at "complete". Go on with that stage, and write the next one into the file when it is done. ${wayOut(loop)}`
  }
  const unmet = unmetOf(loop, now.file)
  return [
    `unmet criteria: ${unmet.join(', ') || 'none, but exit_signal is not true'}`,
    '',
    ...todo(now, unmet),
  ].join('\n')
}

const toClaim =
  'Every criterion is claimed. If each of them holds, set exit_signal to true in .loop/state.json and stop: loop then runs the commands itself. If one does not, set it to false there and work on it.'
const toWork =
  'Work on the first one, verify it, and set it to true in criteriaStatus of .loop/state.json. When all are true, set exit_signal to true and stop: loop then runs the commands itself.'

function todo({ loop, file }: Situation, unmet: string[]): string[] {
  const commands = (loop?.criteria ?? []).flatMap(({ name, command }) =>
    command === null || command === name ? [] : [`- ${name}: ${command}`],
  )
  const restored = file === null || file === 'broken'
  return [
    ...(restored
      ? ['.loop/state.json was missing or unreadable, which ends nothing; loop writes it again where it can.']
      : []),
    ...(commands.length > 0 ? ['What decides each of them, run by loop itself:', ...commands] : []),
    unmet.length === 0 ? toClaim : toWork,
    wayOut(loop),
  ]
}

function wayOut(loop: SessionLoop | null): string {
  return loop
    ? 'Only the user ends it otherwise: /loop:cancel'
    : 'To end it otherwise, set "status" to "cancelled" in .loop/state.json.'
}

/** The words of the specification's second source. */
function reinforcement(tasks: readonly SessionTask[], pipeline: string): string {
  const done = tasks.filter(({ status }) => status === 'completed').length
  const task = currentTask(tasks)
  return [
    '## Loop Continue',
    '',
    `**Pipeline**: ${pipeline}`,
    `**Progress**: [${done}/${tasks.length}] completed`,
    `**Current task**: #${task?.id ?? ''} ${task?.subject ?? ''}`,
    ...circleWords(tasks),
    '',
    '---',
    '',
    '## Task Content',
    task?.description ?? '',
    '',
    '---',
    '',
    '**Execution requirements**:',
    '1. Complete the task',
    '2. TaskUpdate → completed',
    '3. If intervention occurs, record in _context.md',
    ...(task?.isOfLoop
      ? [
          '',
          `Without the tool TaskUpdate: loop task update ${task.id} completed (loop runs its command itself)`,
        ]
      : []),
  ].join('\n')
}

/** Tasks that wait for each other: none of them would ever become free. */
function circleWords(tasks: readonly SessionTask[]): string[] {
  const circle = blockedCycle(tasks)
  if (!circle) return []
  const path = [...circle, circle[0]].map(id => `#${id}`).join(' → ')
  return [
    `**Blocked in a circle**: ${path} (each waits for the next). Take one of these out of blockedBy (TaskUpdate), or do the current task first all the same.`,
  ]
}

/** A task that was marked completed and is not. */
export function taskFailedWords(
  { id, subject }: Pick<SessionTask, 'id' | 'subject'>,
  { command, why, tail }: { command: string; why: string; tail: string },
): string {
  return [
    `#${id} ${subject} is not completed: loop has run its command itself, and it did not pass (${why}). It is in progress again.`,
    `Verify: ${command}`,
    tail.trimEnd(),
  ].join('\n')
}

/** The question at the end of a run with a `_context.md`, asked once. */
export function selfImprove(run: string, how: string): string {
  return bounded(
    [
      `${how} Before you end, once:`,
      `1. Compare the Pre-Context of ${run}/_context.md with what happened, and fill in its Post-Context; "no deviation" where there was none.`,
      '2. A wrong assumption about the architecture, a missed edge case, or a limit of a tool that was found late is worth keeping; typos and one-offs are not.',
      '3. If there is one worth keeping, ask the user whether to capture it (loop writes nothing without their consent). Then stop.',
    ].join('\n'),
  )
}

/** Why the session is released, for its user. */
export function releaseWords(because: Because, now: Situation): string {
  const name = now.loop?.id ? `Loop ${now.loop.id}` : 'The loop of this session'
  const more = ` ${goOn(now.loop)}`
  switch (because) {
    case 'unreadable':
      return 'loop: .loop/state.json cannot be read as a state file (not JSON, too large, or no plain file); it is ignored.'
    case 'said-over':
      return `${name} is paused: .loop/state.json says that it is over, and loop has not seen its promise pass.${more}`
    case 'stuck-count':
      return `${name} is paused: the session counts itself as stuck (stuckCount).${more}`
    case 'cap':
      return `${name} is paused: the session stopped ${now.cap} times in a row and nothing had changed in between. Claude Code ends a turn by itself after that many.${more}`
    case 'iterations':
      return `${name} is paused: its limit of ${count(now.loop?.maxIterations ?? unboundIterations, 'iteration')} is reached.${more}${now.loop?.id ? ' -n <more>' : ''}`
    case 'budget':
      return `${name} is paused: its budget of ${formatMoney(now.loop?.budgetUsd ?? 0)} is spent.${more}${now.loop?.id ? ' --budget <more>' : ''}`
    case 'unverifiable':
      return `${name}: claimed, not verified. No command decides its criteria; look at them yourself. To have loop verify: loop start "<what>" --session -p "<command>"`
    default:
      return ''
  }
}

function goOn(loop: SessionLoop | null): string {
  if (loop?.id) return `Go on with: loop resume ${loop.id}`
  if (loop?.run) return 'Go on with: /loop:continue'
  return 'To go on, set "status" to "in_progress" in .loop/state.json.'
}

export function bounded(text: string): string {
  const plain = safeText(text)
  return plain.length > mostText ? `${plain.slice(0, mostText)}\n[… cut]` : plain
}
