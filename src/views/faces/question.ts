/** The open question of a journal, by its kind: what it asks, the answers it knows, and how a person answers it. */
import { type GroupState, openGate } from '../../core/group/state.ts'
import { questionOf } from '../../core/group/values.ts'
import { isOpen, type LoopSummary } from '../../core/loop/summary.ts'
import type { ByKind } from '../../core/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { answerForm } from '../words/group.ts'
import { resumeWords } from '../words/reasons.ts'

export type OpenQuestion = {
  /** Null: nothing is asked. */
  text: string | null
  isOfAgent: boolean
  /** The answers to choose from. */
  choices: readonly string[]
  /** The question and how to answer it, or that there is none. */
  words: string
  /** How to answer it. */
  form: string
  /** The same for a person who has just answered another question; null: nothing is asked. */
  next: string | null
}

export function questionOfLoop({ id, status, question, agentAsks }: LoopSummary): OpenQuestion {
  const form = `Answer with: loop answer ${id} ${agentAsks ? '"your answer"' : 'yes, or no, or "what is wrong"'}`
  if (!isOpen(status) || question === null) {
    const words = `Loop ${id} asks nothing.`
    return { text: null, isOfAgent: false, choices: [], words, form, next: null }
  }
  const asked = safeLine(question)
  const who = agentAsks ? `The agent of loop ${id} asks:` : `Loop ${id} asks: is this so?`
  return {
    text: question,
    isOfAgent: agentAsks,
    choices: agentAsks ? [] : ['yes', 'no'],
    words: `${who} ${asked}\n${form}`,
    form,
    next: `It asks next: ${asked} ${form}`,
  }
}

export function questionOfGroup(state: GroupState): OpenQuestion {
  const { id } = state
  const form = `Answer with: loop answer ${id} <answer>`
  const gate = openGate(state)?.node
  if (!gate) {
    const words = `Group ${id} asks nothing.`
    return { text: null, isOfAgent: false, choices: [], words, form, next: null }
  }
  const text = questionOf(state)
  const words = `Group ${id} asks: ${text} ${answerForm(gate)}\n${form}`
  const choices = gate.options ?? (gate.choices.length > 0 ? gate.choices : ['yes', 'no'])
  return { text, isOfAgent: false, choices, words, form, next: words }
}

/** How it goes on where it rests. */
export const resumeWays: ByKind<string> = {
  loop: resumeWords,
  group: ({ id }) => `loop resume ${id}`,
  newer: ({ id }) => `loop resume ${id}`,
}

/** What an answer to a loop came to; `isMet`: the criterion that was asked about is confirmed. */
export function answeredWords({ text, isOfAgent }: OpenQuestion, isMet: boolean): string {
  const what = safeLine(text ?? '')
  if (isOfAgent) return `answered: ${what} The agent is told in its next run.`
  return isMet ? `confirmed: ${what}.` : `not confirmed: ${what}. The agent is told.`
}
