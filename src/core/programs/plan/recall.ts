/**
 * Learnings of earlier loops that fit this spec. If somebody is there, each is shown at the start, to confirm or
 * dismiss; otherwise all of them are used. The outcome of each showing is recorded.
 */
import { find, type GroupState, isSettled } from '../../group/state.ts'
import type { Showing } from '../../learn/usefulness.ts'
import type { Growth } from '../program.ts'
import { askPeople, canAnswer, isAgreed } from './gates.ts'
import { planOf, said } from './read.ts'

/** Null once it is decided and recorded which learnings are used. */
export function askRecall(state: GroupState): Growth | null {
  const { recalled } = planOf(state)
  if (recalled.length === 0) return null
  return confirm(state) ?? (state.kept.includes('showings') ? null : { keep: 'showings' })
}

function confirm(state: GroupState): Growth | null {
  const { recalled, yes } = planOf(state)
  if (yes || (!canAnswer(state, 'recall') && !find(state, 'recall'))) return null
  const lines = recalled.map(({ text }, i) => `${i + 1}. ${text}`)
  const words = ['From earlier work here:', ...lines, 'Use this? (yes, no, or the numbers to use)'].join('\n')
  return askPeople(state, { id: 'recall', asks: 'recall', question: words, free: true })
}

export function recalledIn(state: GroupState): { name: string; text: string }[] {
  return planOf(state).recalled.filter((_, i) => saidOf(state, i) !== 'dismissed')
}

/** The outcome of each learning that was shown in this plan. */
export function showingsIn(state: GroupState): Omit<Showing, 'loop'>[] {
  return planOf(state).recalled.map(({ name }, i) => ({ id: name, said: saidOf(state, i) }))
}

function saidOf(state: GroupState, index: number): Showing['said'] {
  const gate = find(state, 'recall')
  if (!gate || !isSettled(gate)) return 'used'
  const answer = said(state, 'recall')
  if (isAgreed(answer)) return 'confirmed'
  const numbers = (answer?.match(/\d+/g) ?? []).map(Number)
  return numbers.includes(index + 1) ? 'confirmed' : 'dismissed'
}
