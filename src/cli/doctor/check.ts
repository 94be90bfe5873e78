/**
 * One check of `loop doctor`: its state, its finding and the remedy. A check that throws is a finding too: the
 * doctor is for broken systems.
 */

export type Check = { name: string; status: 'ok' | 'warn' | 'fail'; found: string; next: string | null }

export function good(name: string, found: string): Check {
  return { name, status: 'ok', found, next: null }
}

export function warn(name: string, found: string, next: string | null): Check {
  return { name, status: 'warn', found, next }
}

export function bad(name: string, found: string, next: string): Check {
  return { name, status: 'fail', found, next }
}

/** The findings of `look`; an exception becomes a failed check of this name. */
export async function examined(name: string, look: () => Check[] | Promise<Check[]>): Promise<Check[]> {
  try {
    return await look()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [bad(name, `it cannot be looked at: ${why}`, 'Solve that, then run this again.')]
  }
}
