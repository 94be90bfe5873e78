/** What goes wrong inside this backend: what the system refuses, and what loop itself refuses. */

/** An expected failure deep inside; at the border of the backend it becomes a value. */
export class Unable extends Error {}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

/** What the operating system refused, and no bug. */
export function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) !== null && 'syscall' in error
}
