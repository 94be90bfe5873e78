/**
 * Finds `BLOCKED: reason` in the last line of an agent's text: the agent cannot continue and says why. It
 * pauses the loop, which is better than a promise that passes by a trick. It never completes anything.
 */

const mostLength = 500

export function blockedReason(said: string): string | null {
  const last = said.trimEnd().split('\n').at(-1) ?? ''
  const [, reason = ''] = /^[\s*_>`-]*BLOCKED:[*_]*\s+(.+?)[\s*_`]*$/.exec(last) ?? []
  return reason === '' ? null : reason.slice(0, mostLength)
}
