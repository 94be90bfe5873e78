/** What a person can do about a loop that rests, waits or has ended: the commands to type, with the flag that helps. */
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { groupSteps, memberSteps } from './group.ts'
import { waysOut } from './reasons.ts'

/** One command or sentence each. */
export function nextSteps(summary: Summary): string[] {
  return byKind(steps, summary)
}

const steps: ByKind<string[]> = {
  loop: summary => memberSteps(summary) ?? waysOut(summary),
  group: groupSteps,
  newer: () => [],
}

/** For a loop as it is shown: one without a host has to be taken up first. */
export function waysOn({ summary, orphaned }: { summary: Summary; orphaned: boolean }): string[] {
  return [...nextSteps(summary), ...(orphaned ? [takeUpWords(summary)] : [])]
}

export function takeUpWords({ id, background }: Pick<Summary, 'id' | 'background'>): string {
  return background ? 'loopd start' : `loop resume ${id}`
}
