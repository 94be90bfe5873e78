/**
 * The breakers: each stops a loop before it wastes more. One row is all there is to a breaker but its counter
 * (core/loop/breaker) and the words for its reason (views/words/reasons). The limits in the spec, flags, help, config
 * keys, exit codes, recorded reasons and the order in which breakers are judged are made from it. No schema: the page
 * uses these rules too.
 */

/**
 * What a loop does when a breaker trips, in the order in which they are judged. `pause-first`: the verdicts that the
 * later ones count were none. `pause-if-watched`: work that nobody watches changes its approach instead
 * (core/loop/prompt), and goes on to where it is stuck.
 */
const actions = ['crash', 'pause-first', 'fail', 'pause', 'pause-if-watched'] as const

type BreakerAction = (typeof actions)[number]

type BreakerRow = {
  flag: string
  /** How often in a row (same file: in one iteration) something can happen before it trips. */
  default: number
  help: string
  action: BreakerAction
  reason: string
  /** Counts faults, not work without progress: a question, which changes no file, has it too. */
  countsFaults?: true
  /** Counts what only an agent started by loop does: a session cannot have it. */
  ofAgent?: true
}

const table = {
  stuck: {
    flag: 'stuck-limit',
    default: 5,
    help: 'give up after N iterations in which nothing got better',
    action: 'fail',
    reason: 'stuck',
  },
  sameError: {
    flag: 'same-error-limit',
    default: 3,
    help: 'demand another approach after the same error N times',
    action: 'pause-if-watched',
    reason: 'same-error',
  },
  sameFile: {
    flag: 'same-file-limit',
    default: 20,
    help: 'pause when one run edited a file N times',
    action: 'pause',
    reason: 'thrashing',
    ofAgent: true,
  },
  noChange: {
    flag: 'no-change-limit',
    default: 3,
    help: 'give up after N iterations that changed no file',
    action: 'fail',
    reason: 'no-change',
  },
  agentErrors: {
    flag: 'agent-error-limit',
    default: 3,
    help: 'give up after N agent errors in a row',
    action: 'crash',
    reason: 'agent-errors',
    countsFaults: true,
    ofAgent: true,
  },
  promiseErrors: {
    flag: 'promise-error-limit',
    default: 3,
    help: 'pause when the promise could not be judged N times',
    action: 'pause-first',
    reason: 'promise-errors',
    countsFaults: true,
  },
} as const satisfies Record<string, BreakerRow>

export type BreakerName = keyof typeof table

type Table = typeof table
type NamedRow = { [N in BreakerName]: BreakerRow & { name: N } & Table[N] }[BreakerName]

export const breakerRows = Object.entries(table).map(([name, row]) => ({ name, ...row })) as NamedRow[]

/** Null: off. */
export type BreakerLimits = Record<BreakerName, number | null>

/** A value for each breaker. */
export function perBreaker<T>(valueOf: (row: NamedRow) => T): Record<BreakerName, T> {
  return Object.fromEntries(breakerRows.map(row => [row.name, valueOf(row)])) as Record<BreakerName, T>
}

export const defaultLimits: BreakerLimits = perBreaker(row => row.default)

export const breakersAsJudged = actions.flatMap(action => breakerRows.filter(row => row.action === action))

/** Those that make a loop fail come first. */
export const breakersAsHelped = [
  ...breakerRows.filter(({ action }) => action === 'fail'),
  ...breakerRows.filter(({ action }) => action !== 'fail'),
]

/**
 * The reasons of the breakers with this action, as they are recorded, each with its exit code: 3 if the agent cannot do
 * its work, 1 if the work does not succeed.
 */
export function breakerExits<A extends BreakerAction>(action: A) {
  const rows = breakerRows.filter(row => row.action === action)
  const exits = rows.map(({ reason }) => [reason, action === 'crash' ? 3 : 1])
  return Object.fromEntries(exits) as Record<Extract<NamedRow, { action: A }>['reason'], 1 | 3>
}

export function breakerReasons<A extends BreakerAction>(action: A) {
  return Object.keys(breakerExits(action)) as Extract<NamedRow, { action: A }>['reason'][]
}

/**
 * The defaults of waits that the rules of a loop need as well as the options: a spec can lack these fields, and then
 * these values apply. The table of options (options/table) shows them; no other file repeats them.
 */

/**
 * Waiting at a usage limit without a known end: the first wait, doubled each time up to the longest, and the
 * limit on all waits together.
 */
export const limitWaits = { firstMs: 60_000, longestMs: 30 * 60_000, allMs: 24 * 3_600_000 }
