/**
 * Refusals of the operating system (disk full, no permission, no memory) end a step and pause its journal; a bug
 * must not be mistaken for one.
 */
import type { Facts } from '../../failures/all.ts'

/** The system's reason; null for any other error. */
export function refusalOf(error: unknown): Facts | null {
  const code = (error as NodeJS.ErrnoException).code
  return error instanceof Error && typeof code === 'string' && !code.startsWith('ERR_')
    ? { kind: 'system-said', said: error.message }
    : null
}
