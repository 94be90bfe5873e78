/**
 * A summary for a journal that is not a loop: its head with an empty body. Code that lists, shows or counts
 * loops need not distinguish kinds, and a kind of a newer version is shown too.
 */
import { type Head, headShape } from '../head.ts'
import type { Summary } from './summary.ts'

export function withBlankBody(head: Head): Summary {
  return { ...blankBody, ...head }
}

export const blankBody = {
  shape: headShape,
  detail: '',
  iteration: 0,
  maxIterations: null,
  costEstimated: false,
  costIncomplete: false,
  usageProblem: null,
  budgetUsd: null,
  prompt: '',
  promise: '',
  agent: '–',
  ran: [],
  activeMs: 0,
  activeSince: null,
  pending: null,
  waitUntil: null,
  waitFor: null,
  limited: [],
  restarts: 0,
  sameFailure: false,
  question: null,
  agentAsks: false,
  criteria: {},
  breakers: [],
  outcomeAt: null,
  rolledBackTo: null,
  byPromise: null,
  doubts: [],
  suspect: null,
  hook: null,
  timedOut: {},
  assessed: null,
  ship: null,
} satisfies Omit<Summary, keyof Head>
