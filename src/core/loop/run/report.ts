/**
 * What the items of one agent run come to: the part of `run.ended` that only the agent knows. A fold, item by
 * item, so that a run of any size takes the same memory. Judges nothing: what a limit or an error means for
 * the loop is core/loop/decide's business.
 */
import {
  addTokens,
  type Item,
  type Limit,
  type LimitKind,
  noTokens,
  type Tokens,
} from '../../../model/agent.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import { costOf, type Price, priceOf } from '../../../model/price.ts'

/** Totals of a session as its agent counts them: from its first run on. */
export type SessionTotals = { id: string; tokens: Tokens | null; costUsd: number | null }

export type Report = {
  session: string | null
  model: string | null
  /** Steps added up, unless the agent has given a total of the run. */
  steps: Totals
  run: Totals | null
  /** Of the session, where the agent counts that. */
  whole: Totals | null
  /** Parts that no total has covered yet, by model (empty: that of the session). */
  parts: Map<string, Totals>
  /** Whether it has said or done anything: a run that was refused at once has cost nothing. */
  hasWorked: boolean
  edits: Map<string, number>
  limit: Omit<Extract<Item, { kind: 'limit' }>, 'kind'> | null
  /** It was trying again to reach its model, and has done nothing since. */
  retrying: { why: string; limitKind: LimitKind } | null
  auth: string | null
  question: string | null
  said: string
  /** The item before was text too: a delta goes on with it. */
  isTalking: boolean
  end: Extract<Item, { kind: 'end' }> | null
  /** Items seen at all: none means that nothing of its output could be understood. */
  items: number
}

type Totals = { tokens: Tokens | null; costUsd: number | null }

const mostWords = 2_000
/** Distinct files that are counted; an agent that edits more in one run is not thrashing one. */
const mostFiles = 10_000

export function noReport(): Report {
  return {
    session: null,
    model: null,
    steps: { tokens: null, costUsd: null },
    run: null,
    whole: null,
    parts: new Map(),
    hasWorked: false,
    edits: new Map(),
    limit: null,
    retrying: null,
    auth: null,
    question: null,
    said: '',
    isTalking: false,
    end: null,
    items: 0,
  }
}

/** Changes the report it is given: there may be a million items. */
export function addItem(report: Report, item: Item): void {
  report.items += 1
  const goesOn = report.isTalking && item.kind === 'text' && item.delta
  report.isTalking = item.kind === 'text'
  report.hasWorked ||= item.kind === 'text' || item.kind === 'tool'
  if (['text', 'tool', 'edit'].includes(item.kind)) report.retrying = null
  switch (item.kind) {
    case 'text':
      report.said = (goesOn ? report.said + item.text : item.text).slice(-mostWords)
      return
    case 'edit':
      return countEdit(report, item.path)
    case 'session':
      report.session = item.id ?? report.session
      report.model = item.model ?? report.model
      return
    case 'usage':
      return addUsage(report, item)
    case 'limit':
      report.limit = { ...report.limit, ...item }
      return
    case 'auth':
      report.auth = item.why
      return
    case 'question':
      report.question = item.text
      return
    case 'end':
      report.end = item
      // What it ran into on the way did not keep it from its end.
      if (item.ok) Object.assign(report, { limit: null, auth: null })
      return
    case 'warning':
      if (item.limitKind) report.retrying = { why: item.text, limitKind: item.limitKind }
      return
    case 'tool':
    case 'tool-failed':
      return
    default:
      return item satisfies never
  }
}

function countEdit({ edits }: Report, path: string): void {
  if (edits.has(path) || edits.size < mostFiles) edits.set(path, (edits.get(path) ?? 0) + 1)
}

function addUsage(report: Report, usage: Extract<Item, { kind: 'usage' }>): void {
  const { span, tokens, costUsd, model = '' } = usage
  if (span === 'part') {
    if (report.parts.has(model) || report.parts.size < mostModels) {
      report.parts.set(model, plus(report.parts.get(model) ?? nothing, usage))
    }
    return
  }
  report.parts.clear()
  if (span === 'run') report.run = { tokens, costUsd }
  else if (span === 'session') report.whole = { tokens, costUsd }
  else report.steps = plus(report.steps, usage)
}

const nothing: Totals = { tokens: null, costUsd: null }
/** More models than any agent uses in one run; a hostile stream could name one in each line. */
const mostModels = 100

function plus(a: Totals, b: Totals): Totals {
  return {
    tokens: b.tokens ? addTokens(a.tokens ?? noTokens, b.tokens) : a.tokens,
    costUsd: b.costUsd === null ? a.costUsd : (a.costUsd ?? 0) + b.costUsd,
  }
}

export type RunEnding = {
  /** When the run ended: a limit "in an hour" is counted from here. */
  at: number
  how: EventOf<'run.ended'>['data']['how'] | 'lost'
  /** What the session had come to before this run, if this run continued it. */
  before: SessionTotals | null
  model: string | null
  price: Price | null
  /** What the agent wrote into its usage file holds against what was read. */
  told: {
    costUsd: number | null
    edited: { path: string; times: number } | null
    question: string | null
    problem: string | null
    tokens?: Tokens | null
    limit?: Limit | null
  }
  /** The last line it printed to stderr, for a run that has said nothing else. */
  complaint: string
  /** Takes secrets out of what the agent said: it is recorded. */
  clean: (text: string) => string
  /** Whether its output ends with an item `end`: then a run without one was cut off. */
  endsItself: boolean
  /** Whether the agent reports its cost, or tokens that a cost can be worked out from. */
  reportsCost: boolean
}

type Told = Pick<
  EventOf<'run.ended'>['data'],
  | 'costUsd'
  | 'estimated'
  | 'costIncomplete'
  | 'tokens'
  | 'edited'
  | 'session'
  | 'limit'
  | 'auth'
  | 'question'
  | 'said'
  | 'failed'
  | 'usageProblem'
>

export function told(report: Report, ending: RunEnding): Told {
  const failed = failureOf(report, ending)
  const { clean } = ending
  const limit = report.limit ?? (['timeout', 'idle'].includes(ending.how) ? report.retrying : null)
  const question = ending.told.question ?? report.question
  const said = clean(report.said.trim())
  return {
    ...spending(report, ending),
    edited: ending.told.edited ?? mostEdited(report.edits),
    ...(report.session !== null && { session: sessionOf(report, report.session, ending) }),
    ...(ending.told.limit && { limit: ending.told.limit }),
    ...(limit && { limit: limitOf(limit, ending) }),
    ...(report.auth !== null && { auth: clean(report.auth).slice(0, 500) }),
    ...(question !== null && { question: clean(question).slice(0, mostWords) }),
    ...(said !== '' && { said }),
    ...(failed !== null && { failed: clean(failed).slice(0, 500) }),
    ...(ending.told.problem !== null && { usageProblem: clean(ending.told.problem).slice(0, 300) }),
  }
}

type Spending = Pick<Told, 'costUsd' | 'estimated' | 'costIncomplete' | 'tokens'>

/**
 * What the run cost, as far as that is known: by its totals and the parts that came after the last of them, or by what
 * it wrote into its usage file.
 */
export function spending(report: Report, ending: RunEnding): Spending {
  const model = report.model ?? ending.model
  const price = ending.price ?? priceOf(model)
  const parts = [...report.parts].map(([of, part]) => priced(part, ending.price ?? priceOf(of || model)))
  const printed = [priced(totalsOf(report, ending), price), ...parts]
  const { tokens: heard } = printed.reduce<Totals>(plus, nothing)
  const { costUsd: usd, tokens: written = null } = ending.told
  const isWritten = usd !== null || written !== null
  const pieces = isWritten ? [priced({ tokens: written ?? heard, costUsd: usd }, price)] : printed
  const { tokens, costUsd } = pieces.reduce<Totals>(plus, nothing)
  return {
    costUsd,
    ...(pieces.some(({ isEstimate }) => isEstimate) && { estimated: true }),
    ...(isIncomplete(report, ending) && { costIncomplete: true }),
    ...(tokens && { tokens }),
  }
}

function priced({ tokens, costUsd }: Totals, price: Price | null): Totals & { isEstimate: boolean } {
  const isEstimate = costUsd === null && tokens !== null && price !== null
  return { tokens, costUsd: isEstimate ? costOf(tokens, price) : costUsd, isEstimate }
}

const cutShort: readonly RunEnding['how'][] = ['killed', 'timeout', 'idle', 'stopped', 'flooded', 'lost']

/** A call to its model that was under way when a run was cut short is in no total. */
function isIncomplete(report: Report, { how, told: { costUsd }, reportsCost }: RunEnding): boolean {
  if (how === 'unstartable' || (costUsd === null && !reportsCost)) return false
  if (cutShort.includes(how)) return true
  const hasTotal =
    report.run !== null ||
    report.whole !== null ||
    report.steps.tokens !== null ||
    report.steps.costUsd !== null
  return costUsd === null && (report.parts.size > 0 || (report.hasWorked && !hasTotal))
}

function totalsOf({ steps, run, whole }: Report, { before }: RunEnding): Totals {
  if (run) return run
  if (!whole) return steps
  return {
    tokens: whole.tokens && minus(whole.tokens, before?.tokens ?? noTokens),
    costUsd: whole.costUsd === null ? null : Math.max(0, whole.costUsd - (before?.costUsd ?? 0)),
  }
}

function minus(a: Tokens, b: Tokens): Tokens {
  const less = (x: number, y: number) => Math.max(0, x - y)
  return { input: less(a.input, b.input), cached: less(a.cached, b.cached), output: less(a.output, b.output) }
}

/** Without a total at its end, what was known of the session before and what this run has said since. */
function sessionOf({ whole, parts }: Report, id: string, { before }: RunEnding): SessionTotals {
  const { tokens, costUsd } = whole ?? [...parts.values()].reduce(plus, before ?? nothing)
  return { id, tokens, costUsd }
}

const stoppedByLoop: readonly RunEnding['how'][] = ['timeout', 'idle', 'stopped', 'flooded']

/** Why this run was no work, in words; null where it ended as it should, or was refused by a limit or a key. */
function failureOf({ end, limit, auth, items }: Report, ending: RunEnding): string | null {
  if (limit || auth !== null || end?.ok) return null
  // What it says of being stopped by loop is no failure of its own.
  if (stoppedByLoop.includes(ending.how)) return null
  if (end) return end.why
  if (!ending.endsItself || ending.how !== 'exited') return null
  const what = items === 0 ? 'nothing of its output could be understood' : 'its output stops in the middle'
  return ending.complaint === '' ? what : `${what}; its last complaint: ${ending.complaint}`
}

function limitOf(limit: NonNullable<Report['limit']>, { at, clean }: RunEnding): Limit {
  const { why, until, afterMs, limitKind } = limit
  const time = until ?? (afterMs === undefined ? null : at + afterMs)
  return {
    until: time === null || !Number.isFinite(time) ? null : Math.round(time),
    why: clean(why).slice(0, 500),
    ...(limitKind && limitKind !== 'usage-limit' && { kind: limitKind }),
  }
}

function mostEdited(edits: Map<string, number>): { path: string; times: number } | null {
  let most: { path: string; times: number } | null = null
  for (const [path, times] of edits) if (!most || times > most.times) most = { path, times }
  return most
}
