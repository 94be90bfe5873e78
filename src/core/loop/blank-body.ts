/**
 * A journal that is no loop, in the form of one: its head, with nothing in the place of the rest. So whoever lists,
 * shows or counts loops need not ask what each of them is, and a kind that a newer version wrote is shown too.
 */
import type { Head } from '../head.ts'
import type { Summary } from './summary.ts'

export function withBlankBody(head: Head): Summary {
  return { ...blankBody, ...head }
}

const blankBody = {
  detail: '',
  iteration: 0,
  maxIterations: null,
  costEstimated: false,
  budgetUsd: null,
  prompt: '',
  promise: '',
  agent: '–',
  waitUntil: null,
  waitFor: null,
  question: null,
  agentAsks: false,
  criteria: {},
  breakers: [],
} satisfies Omit<Summary, keyof Head>
