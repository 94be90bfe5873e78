/** A plan at a real terminal: types answers to what it asks, in the order in which it asks. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { keys, type Pty, ptyOf } from './pty.ts'
import { type Rig, until } from './rig.ts'

export type PlanTerminal = {
  screen: Pty
  /** Waits for the question behind everything that was answered before, and types the answer. */
  answer(question: string, text: string): Promise<void>
  /** All of it in order, each once. */
  answers(asked: readonly (readonly [question: string, text: string])[]): Promise<void>
  said(): string
}

/** Of the start: the limits, and what becomes of the state files. */
export const startAnswers = [
  ['Task list?', ''],
  ['Iterations?', ''],
  ['Budget?', ''],
  ['Delete after session?', ''],
] as const

export function planTerminal(t: Pick<TestContext, 'after'>, rig: Rig, args: string[]): PlanTerminal {
  // The announcements are what the tests read.
  const screen = ptyOf(t, { rig, columns: 160, rows: 50 }, [...args, '-v'])
  const said = () => screen.all().join('\n').trimEnd()
  let from = 0
  const answer = async (question: string, text: string) => {
    const isAsked = () => said().indexOf(question, from) >= 0
    await until(question, isAsked, 60_000).catch((error: Error) =>
      assert.fail(`${error.message}; the terminal shows:\n${said().slice(-4_000)}`),
    )
    from = said().indexOf(question, from) + question.length
    screen.type(`${text}${keys.enter}`)
  }
  return {
    screen,
    answer,
    said,
    async answers(asked) {
      for (const [question, text] of asked) await answer(question, text)
    },
  }
}
