/**
 * What tells attempts of one group apart in the outside world, as environment variables: attempts that run at once
 * must not share a port, a database or the containers of a compose project. Deterministic, so that a restart gives an
 * attempt what it had.
 */

const portsEach = 100
/** Below the ephemeral ports of Linux (32768) and the well-known ones above 20000 are few: 27017 is a database. */
const firstPort = 20_000
const blocks = 120
const taken = 70

/** `attempt` counts from 1. Two attempts of a group never have the same ports; those of two groups seldom do. */
export function attemptEnv(of: { group: string; attempt: number; attempts: number }): Record<string, string> {
  const { group, attempt, attempts } = of
  return {
    LOOP_ATTEMPT: String(attempt),
    LOOP_ATTEMPTS: String(attempts),
    LOOP_PORT_BASE: String(firstPort + portsEach * blockOf(group, attempt)),
    COMPOSE_PROJECT_NAME: `loop-${group.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_')}-${attempt}`,
  }
}

/** One after the other from where the group begins, around the one that is taken. */
function blockOf(group: string, attempt: number): number {
  const free = blocks - 1
  const at = (sumOf(group) + attempt - 1) % free
  return at < taken ? at : at + 1
}

/** FNV-1a. */
function sumOf(text: string): number {
  let sum = 0x811c9dc5
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return sum
}
