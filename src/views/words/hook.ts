/** What ran after the end of a loop, in words: its flag, its command, and what became of it. */
import type { HookSummary, Summary } from '../../core/loop/summary.ts'
import type { HookKind } from '../../model/loop/spec.ts'
import { formatDuration } from '../../model/units.ts'

export function hookFlag(on: HookKind): string {
  return `--on-${on}`
}

/** `exit 0, 1.2s` */
export function hookEnd({ why, durationMs }: Pick<HookSummary, 'why' | 'durationMs'>): string {
  return durationMs ? `${why}, ${formatDuration(durationMs)}` : why
}

/** `--on-failure make clean: exit 0, 1.2s` */
export function hookWords(hook: Pick<HookSummary, 'on' | 'command' | 'why' | 'durationMs'>): string {
  return `${hookFlag(hook.on)} ${hook.command}: ${hookEnd(hook)}`
}

/** The line of a receipt or a status; none where there is no hook. */
export function hookLines({ hook }: Pick<Summary, 'hook'>): string[] {
  return hook ? [`  hook        ${hookWords(hook)}`] : []
}
