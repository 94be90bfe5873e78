/**
 * Environment variables that keep the attempts of one group apart: attempts that run at the same time must not
 * share a port, a database or the containers of a compose project. The values are derived from group and
 * attempt number, so a restarted attempt gets the same ones.
 */

const portsEach = 100
/**
 * Ports from 20000 on: below the ephemeral range of Linux (32768), and with few well-known ports (27017 is a
 * database).
 */
const firstPort = 20_000
const blocks = 120
const taken = 70

/**
 * The variables of one attempt; `attempt` counts from 1. Two attempts of a group never share a port; attempts
 * of two groups rarely do.
 */
export function attemptEnv(of: { group: string; attempt: number; attempts: number }): Record<string, string> {
  const { group, attempt, attempts } = of
  return {
    LOOP_ATTEMPT: String(attempt),
    LOOP_ATTEMPTS: String(attempts),
    LOOP_PORT_BASE: String(firstPort + portsEach * blockOf(group, attempt)),
    COMPOSE_PROJECT_NAME: `loop-${group.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_')}-${attempt}`,
  }
}

/**
 * The block of ports of an attempt: consecutive blocks from the group's first one, skipping the block of the
 * well-known port.
 */
function blockOf(group: string, attempt: number): number {
  const free = blocks - 1
  const at = (sumOf(group) + attempt - 1) % free
  return at < taken ? at : at + 1
}

/** A hash of the text (FNV-1a). */
function sumOf(text: string): number {
  let sum = 0x811c9dc5
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return sum
}
