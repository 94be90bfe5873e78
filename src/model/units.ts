/**
 * Durations, counts, money and ids: their text forms. There is one parser and one printer per unit, so that
 * flags, environment, YAML and output agree. A parser returns null for invalid text; the caller adds the name
 * of the flag to the message.
 */
import type { ContextUse, Tokens } from './agent.ts'

const msPerUnit: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `5m`, `1h30m`; a bare number is seconds. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim()
  const whole = /^\d+(\.\d+)?$/.test(trimmed) ? `${trimmed}s` : trimmed
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(whole)) return null
  let total = 0
  for (const [, amount, unit] of whole.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (msPerUnit[unit ?? ''] ?? 0)
  }
  const ms = Math.round(total)
  return Number.isSafeInteger(ms) ? ms : null
}

/** `45s`, `5m`, `1m 2s`, `2h 5m`; under ten seconds one decimal, under a tenth of a second milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)}ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)}s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return twoUnits([minutes, 'm'], [seconds % 60, 's'])
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return twoUnits([hours, 'h'], [minutes % 60, 'm'])
  return twoUnits([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
}

/** The age of something in its largest unit: `45s`, `5m`, `3h`, `12d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
}

function twoUnits(large: [number, string], small: [number, string]): string {
  return small[0] === 0 ? large.join('') : `${large.join('')} ${small.join('')}`
}

/** A whole number of at least 1, or `unlimited` (null inside the result). */
export function parseLimit(text: string): { limit: number | null } | null {
  if (text === 'unlimited') return { limit: null }
  return /^[1-9]\d{0,8}$/.test(text) ? { limit: Number(text) } : null
}

/** A whole number of at least 1, or `off` (null inside the result). */
export function parseBreaker(text: string): { limit: number | null } | null {
  if (text === 'off') return { limit: null }
  return text === 'unlimited' ? null : parseLimit(text)
}

/** `25`, `$25`, `2.50`, or `none` (null inside the result). */
export function parseMoney(text: string): { limit: number | null } | null {
  if (text === 'none') return { limit: null }
  const bare = text.replace(/^\$/, '')
  return /^\d{1,9}(\.\d+)?$/.test(bare) && Number(bare) > 0 ? { limit: Number(bare) } : null
}

export function formatMoney(usd: number): string {
  return Number.isInteger(usd) ? `$${usd}` : `$${usd.toFixed(2)}`
}

/**
 * How exact a cost is: `costEstimated` if it was computed from tokens and list prices, `costIncomplete` if a
 * part is unknown.
 */
export type CostKnown = { costEstimated?: boolean; costIncomplete?: boolean | undefined }

/** `~$0.12` for an estimate, `at least $0.12` (rounded down) where a part is unknown: a table has `≥` for the words. */
export function formatCost(
  usd: number,
  { costEstimated, costIncomplete }: CostKnown,
  atLeast: 'at least ' | '≥' = 'at least ',
): string {
  const sign = costEstimated ? '~' : ''
  if (!costIncomplete) return `${sign}${formatMoney(usd)}`
  const down = (digits: number) => Math.floor(usd * 10 ** digits + 1e-6) / 10 ** digits
  return `${atLeast}${sign}${usd < 0.01 ? `$${down(4)}` : formatMoney(down(2))}`
}

/** The sum of all tokens: `950`, `12.3k`, `1.2M`. */
export function formatTokens({ input, cached, output }: Tokens): string {
  return shortCount(input + cached + output)
}

function shortCount(all: number): string {
  if (all < 1_000) return String(all)
  return all < 999_950 ? `${(all / 1_000).toFixed(1)}k` : `${(all / 1_000_000).toFixed(1)}M`
}

/** `84.0k of 200.0k (42 %)`; an unknown part is left out, and `–` if both are unknown. */
export function formatContext(context: ContextUse | null): string {
  const { used = null, window = null } = context ?? {}
  if (used === null) return window === null ? '–' : `– of ${shortCount(window)}`
  if (!window) return shortCount(used)
  return `${shortCount(used)} of ${shortCount(window)} (${Math.round((used / window) * 100)} %)`
}

/** `2GB`, `500 MB`, `64kB`; a bare number is bytes. */
export function parseBytes(text: string): number | null {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(text.trim()) ?? []
  if (amount === undefined) return null
  return Math.round(Number(amount) * 1_000 ** ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase()))
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  // 999.5 would be rounded to 1000 of this unit: use the next one.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A loop id: six characters of `a-z0-9`, from six random bytes. Their slight bias does not matter for an id. */
export function loopId(random: Uint8Array): string {
  return Array.from(random.subarray(0, 6), byte => idAlphabet[byte % idAlphabet.length]).join('')
}

/** Tells whether a name is valid in every checkpoint backend: letters, digits, _, - and single dots inside. */
export function isCheckpointName(text: string): boolean {
  return /^[A-Za-z0-9][\w-]*(\.[\w-]+)*$/.test(text) && !text.endsWith('.lock') && text.length <= 64
}

/** `iter-003` is the tree before iteration 3, `iter-003-after` the tree after its agent run. */
export function checkpointName(iteration: number, after = false): string {
  return `iter-${String(iteration).padStart(3, '0')}${after ? '-after' : ''}`
}

/** `iter-003-verified` is the tree after the promise ran in iteration 3; iteration 0 is the baseline. */
export function verifiedName(iteration: number): string {
  return `${checkpointName(iteration)}-verified`
}

/** `iter-003-accepted` is the tree after iteration 3 as a person left it when resuming or answering the loop. */
export function acceptedName(iteration: number): string {
  return `${checkpointName(iteration)}-accepted`
}

/** `1 file`, `2 files`, `3 classes` */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`
}

/** `a, b and 3 more`. */
export function someOf(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}
