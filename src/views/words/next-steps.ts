/** What a person can do about a loop that rests, waits or has ended: the commands to type, with the flag that helps. */
import { isGroup } from '../../core/group/summary.ts'
import type { Summary } from '../../core/loop/summary.ts'
import { groupSteps, memberSteps } from './group.ts'
import { waysOut } from './reasons.ts'

/** One command or sentence each. */
export function nextSteps(summary: Summary): string[] {
  return isGroup(summary) ? groupSteps(summary) : (memberSteps(summary) ?? waysOut(summary))
}

/** For a loop as it is shown: one without a host has to be taken up first. */
export function waysOn({ summary, orphaned }: { summary: Summary; orphaned: boolean }): string[] {
  return [...nextSteps(summary), ...(orphaned ? [takeUpWords(summary)] : [])]
}

export function takeUpWords({ id, background }: Pick<Summary, 'id' | 'background'>): string {
  return background ? 'loopd start' : `loop resume ${id}`
}
