/** The hook after a loop's end, in words: its flag, command, output and result. */
import type { HookSummary, LoopSummary } from '../../core/loop/summary.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import type { HookKind } from '../../model/loop/spec.ts'
import { formatDuration } from '../../model/units.ts'
import { lastLines, quoted } from '../text/promise-output.ts'

export function hookFlag(on: HookKind): string {
  return `--on-${on}`
}

/** `exit 0, 1.2s`; the duration is unknown for a lost hook and for one that did not run. */
function hookEnd({ how, why, durationMs }: Pick<HookSummary, 'how' | 'why' | 'durationMs'>): string {
  return how === 'exited' || durationMs ? `${why}, ${formatDuration(durationMs ?? 0)}` : why
}

/** `--on-failure make clean: exit 0, 1.2s` */
export function hookWords(hook: Omit<HookSummary, 'output' | 'exitCode'>): string {
  return `${hookFlag(hook.on)} ${hook.command}: ${hookEnd(hook)}`
}

/** The line of a receipt or a status; none if there is no hook. */
export function hookLines({ hook }: Partial<Pick<LoopSummary, 'hook'>>): string[] {
  return hook ? [`  hook        ${hookWords(hook)}`] : []
}

const mostOutput = 8

/** The lines for a hook's events. */
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
  const printed = output ? quoted(lastLines(output.tail, mostOutput)) : []
  return [...printed, `  hook ${hookFlag(on)}: ${hookEnd(data)}`]
}
