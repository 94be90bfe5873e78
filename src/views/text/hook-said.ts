/** The lines of a hook as it goes: which command runs after the end of the loop, what it printed, and how it ended. */
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import { hookEnd, hookFlag } from '../words/hook.ts'
import { lastLines } from './promise-output.ts'

const mostOutput = 8

export function hookSaid(event: Recorded): string[] {
  switch (event.kind) {
    case 'hook.started':
      return [`[LOOP] Hook ${hookFlag(event.data.on)}: ${event.data.command}`]
    case 'hook.cancelled':
      return ['[LOOP] Stopping the hook']
    case 'hook.ended':
      return ended(event.data)
    default:
      return []
  }
}

function ended({ on, output, ...data }: EventOf<'hook.ended'>['data']): string[] {
  const printed = output ? lastLines(output.tail, mostOutput) : []
  return [...printed, `  hook ${hookFlag(on)}: ${hookEnd(data)}`]
}
