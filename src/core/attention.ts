/**
 * Which loops and groups need a person first: those that ask a question, rest, have failed, may have cheated,
 * or are nearly out of money. Also the section of the list that each belongs to. It judges summaries and
 * records nothing.
 */
import type { Head } from './head.ts'
import { isOpen, type Status } from './loop/summary.ts'
import { restartOf } from './queue.ts'
import type { AnySummary } from './summary.ts'

export const attentions = [
  'question', // it asks a person
  'orphaned', // no process hosts it any more
  'paused', // it rests for a reason of its own
  'crashed',
  'failed',
  'not-applied', // it has completed, and conflicts with the tree it was for
  'suspect', // the promise may have passed without the work
  'budget', // most of its budget is used up
] as const

type Attention = (typeof attentions)[number]

export const sections = ['attention', 'running', 'queued', 'paused', 'done'] as const

export type Section = (typeof sections)[number]

/** The orders that a list can have. `attention`: by section, newest first within each. */
export const listSorts = ['attention', 'created', 'cost', 'iteration', 'elapsed'] as const

export type ListSort = (typeof listSorts)[number]

/** How long after its end a journal counts as news. */
export const newsMs = 3 * 24 * 3_600_000
const nearlySpent = 0.8

type AttentionFields = Pick<
  AnySummary,
  'status' | 'reason' | 'question' | 'costUsd' | 'budgetUsd' | 'endedAt'
> &
  Pick<AnySummary, 'doubts' | 'background' | 'restarts' | 'group' | 'unfinished' | 'sameFailure'>

export function attentionOf(summary: AttentionFields, isOrphaned: boolean, now: number): Attention | null {
  const { status, reason, question, costUsd, budgetUsd, doubts = [] } = summary
  if (question !== null && status === 'waiting') return 'question'
  if (isOrphaned) return 'orphaned'
  if (status === 'paused' && reason !== 'paused-by-user' && reason !== 'paused-by-group') return 'paused'
  // loopd tries it again by itself.
  if (restartOf(summary)) return null
  if (isNews(summary, now)) {
    if (status === 'crashed' || status === 'failed') return status
    if (isNotApplied(summary)) return 'not-applied'
    if (status === 'completed' && doubts.length > 0) return 'suspect'
  }
  const isNear = budgetUsd !== null && (costUsd ?? 0) >= nearlySpent * budgetUsd
  return isOpen(status) && isNear ? 'budget' : null
}

/** Its result passed in a copy and is not in the tree. */
export function isNotApplied({ status, reason }: Pick<Head, 'status'> & { reason?: string | null }): boolean {
  return status === 'completed' && reason === 'apply-conflict'
}

export function isNews({ endedAt }: Pick<Head, 'endedAt'>, now: number): boolean {
  return endedAt !== null && now - endedAt < newsMs
}

/** `restarts`: it has crashed, and loopd restarts it. */
export function sectionOf(status: Status, attention: Attention | null, restarts = false): Section {
  if (attention !== null) return 'attention'
  if (restarts) return 'queued'
  if (status === 'queued' || status === 'paused') return status
  return isOpen(status) ? 'running' : 'done'
}
