/**
 * The questions of a foreground loop to the person at its terminal: those that only a person can answer, and whether
 * to continue at a limit. All of them can also be answered from another terminal.
 */
import { neededRaise, type Raise } from '../../core/loop/breaker.ts'
import type { Summary } from '../../core/summary.ts'
import { type Driven, submit } from '../../engine/drive.ts'
import type { Command } from '../../model/loop/command.ts'
import { tellWords } from '../../views/screen/start/moving.ts'
import { runQuestions } from '../../views/words/questions.ts'
import { err } from '../terminal.ts'
import type { Keys } from './keys.ts'
import { askLine, isYes } from './question.ts'

/** Asks the loop's questions until they are answered here or elsewhere. */
export function answering(loop: Driven, by: string, keys: Keys): { stop(): void } {
  let asking = new AbortController()
  const ask = async () => {
    const { human, spec } = loop.state
    const { question } = human
    if (!question || !spec.attended) return
    const text = runQuestions[question.agent ? 'agent' : 'criterion'](question.criterion)
    keys.rest()
    const line = await askLine(text, asking.signal).finally(keys.again)
    if (line?.trim()) submit(loop, { kind: 'answer', by, text: line })
    else if (line !== null) await ask()
    else if (!asking.signal.aborted) err(`\n${runQuestions.untypable(loop.state.id)}`)
  }
  const unasked = (error: Error) => err(`\n${runQuestions.unaskable(loop.state.id, error.message)}`)
  const forget = loop.world.feed.subscribe(loop.state.id, ({ event }) => {
    if (event.kind === 'question.asked') ask().catch(unasked)
    if (event.kind !== 'question.answered' && event.kind !== 'cancel.requested') return
    asking.abort()
    asking = new AbortController()
  })
  ask().catch(unasked)
  const stop = () => {
    forget()
    asking.abort()
  }
  return { stop }
}

/** A line for the agent's next iteration; nothing if it is empty. `typing`: the terminal is for that line meanwhile. */
export function tell(loop: Driven, typing: (isTyping: boolean) => void): void {
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  process.once('SIGINT', stop)
  const told = (line: string | null) => {
    process.off('SIGINT', stop)
    typing(false)
    if (line?.trim()) submit(loop, { kind: 'inject', text: line.trim() })
  }
  typing(true)
  askLine(tellWords, interrupt.signal).then(told, () => told(null))
}

/** The person's wish after a limit or a doubt: a resume, or null. `saysYes`: yes to every question of the start. */
export async function offerMore(
  summary: Summary,
  saysYes: boolean,
  signal: AbortSignal,
): Promise<Extract<Command, { kind: 'resume' }> | null> {
  if (summary.reason === 'iteration-limit' || summary.reason === 'budget-reached') {
    const raise = asMuchAgain(summary)
    const more = raise.maxIterations === undefined ? null : raise.maxIterations - summary.iteration
    const dollars = raise.budgetUsd === undefined ? null : (summary.budgetUsd ?? 0)
    const line = await askLine(runQuestions.more(more, dollars), signal)
    return isYes(line) ? { kind: 'resume', ...raise, attended: true } : null
  }
  if (summary.reason === 'promise-doubtful') {
    const goesOn = saysYes || isYes(await askLine(runQuestions.allTheSame, signal))
    return goesOn ? { kind: 'resume', attended: true } : null
  }
  return null
}

/** The used-up limits, raised by the loop's original amounts. */
function asMuchAgain(summary: Summary): Raise {
  const { costUsd, budgetUsd } = summary
  const raise = neededRaise(summary, summary.reason === 'iteration-limit')
  if (raise.budgetUsd === undefined) return raise
  return { ...raise, budgetUsd: (costUsd ?? 0) + (budgetUsd ?? 0) }
}
