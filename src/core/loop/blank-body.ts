/**
 * A summary for a journal that is not a loop: its head with an empty body. Code that lists, shows or counts
 * loops need not distinguish kinds, and a kind of a newer version is shown too.
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
