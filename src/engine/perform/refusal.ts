/** What the system refuses (disk full, no permission, no memory) ends a step and pauses its journal; a bug must not. */

/** Why the system refused, in its words; null for any other error. */
export function refusalOf(error: unknown): string | null {
  const code = (error as NodeJS.ErrnoException).code
  return error instanceof Error && code !== undefined && !code.startsWith('ERR_') ? error.message : null
}
