/**
 * Refusals of the operating system (disk full, no permission, no memory) end a step and pause its journal; a bug
 * must not be mistaken for one.
 */
import type { Facts } from '../../failures/all.ts'

/** The system's reason; null for any other error. */
function refusalOf(error: unknown): Facts | null {
  const code = (error as NodeJS.ErrnoException).code
  return error instanceof Error && typeof code === 'string' && !code.startsWith('ERR_')
    ? { kind: 'system-said', said: error.message }
    : null
}

/** The events of a step; where the system refused something, the one that `failed` makes of it. */
export async function orRefused<E>(
  work: () => E[] | Promise<E[]>,
  failed: (refusal: Facts) => E,
): Promise<E[]> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return [failed(refusal)]
  }
}
