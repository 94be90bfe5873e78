/**
 * The questions of a foreground loop to the person at its terminal: those that only a person can answer, and whether
 * to continue at a limit. All of them can also be answered from another terminal.
 */
import { neededRaise, type Raise } from '../../core/loop/breaker.ts'
import type { Summary } from '../../core/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { type Driven, submit } from '../../engine/drive.ts'
import type { Command } from '../../model/loop/command.ts'
import { formatMoney } from '../../model/units.ts'
import { tellWords } from '../../views/screen/start/moving.ts'
import { write } from '../terminal.ts'
import type { Keys } from './keys.ts'
import { askLine, isYes } from './question.ts'

/** Asks the loop's questions until they are answered here or elsewhere. */
export function answering(loop: Driven, by: string, keys: Keys): { stop(): void } {
  let asking = new AbortController()
  const ask = async () => {
    const { human, spec } = loop.state
    const { question } = human
    if (!question || !spec.attended) return
    const text = question.agent
      ? `The agent asks: ${safeLine(question.criterion)} [your answer] `
      : `Is this so: ${safeLine(question.criterion)}? [yes/no/what is wrong] `
    keys.rest()
    const line = await askLine(text, asking.signal).finally(keys.again)
    if (line?.trim()) submit(loop, { kind: 'answer', by, text: line })
    else if (line !== null) await ask()
    else if (!asking.signal.aborted)
      write(2, `\nNo more can be typed here. Answer with: loop answer ${loop.state.id}\n`)
  }
  const unasked = (error: Error) =>
    write(2, `\nThis cannot be asked here (${error.message}). Answer with: loop answer ${loop.state.id}\n`)
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
    const line = await askLine(`Go on with ${raiseWords(summary, raise)}? [y/N] `, signal)
    return isYes(line) ? { kind: 'resume', ...raise, attended: true } : null
  }
  if (summary.reason === 'promise-doubtful') {
    const goesOn = saysYes || isYes(await askLine('Go on all the same? [y/N] ', signal))
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

/** `10 more iterations`, `another $25`, or both. */
function raiseWords(summary: Summary, { maxIterations, budgetUsd }: Raise): string {
  const words = [
    ...(maxIterations === undefined ? [] : [`${maxIterations - summary.iteration} more iterations`]),
    ...(budgetUsd === undefined ? [] : [`another ${formatMoney(summary.budgetUsd ?? 0)}`]),
  ]
  return words.join(' and ')
}
