/**
 * The result of one agent run, folded from its items: the part of `run.ended` that only the agent knows. The
 * fold works item by item, so that a run of any size needs the same memory. It judges nothing: core/loop/decide
 * says what a limit or an error means for the loop.
 */
import {
  addTokens,
  type ContextUse,
  type Item,
  type Limit,
  type LimitKind,
  laterContext,
  noTokens,
  type Tokens,
} from '../../model/agent.ts'
import type { EventOf } from '../../model/loop/event.ts'
import { costOf, type Price, priceOf } from '../../model/price.ts'

/** The totals of a session, counted by its agent from its first run on. */
export type SessionTotals = { id: string; tokens: Tokens | null; costUsd: number | null }

export type Report = {
  session: string | null
  model: string | null
  /** The sum of steps, used unless the agent reports a total for the run. */
  steps: Totals
  run: Totals | null
  /** The totals of the session, if the agent counts them. */
  whole: Totals | null
  /** Parts that no total has covered yet, by model (empty: the session's model). */
  parts: Map<string, Totals>
  /** Whether the agent has said or done anything: a run refused at once has cost nothing. */
  hasWorked: boolean
  /** The context use that was reported last. */
  context: ContextUse | null
  edits: Edits
  limit: Omit<Extract<Item, { kind: 'limit' }>, 'kind'> | null
  /** The agent was retrying to reach its model, and has done nothing since. */
  retrying: { why: string; limitKind: LimitKind } | null
  auth: string | null
  question: string | null
  said: string
  /** The previous item was text too, so a delta continues it. */
  isTalking: boolean
  end: Extract<Item, { kind: 'end' }> | null
  /** The number of items: none means that its output could not be understood at all. */
  items: number
}

type Totals = { tokens: Tokens | null; costUsd: number | null }
const mostWords = 2_000

export function noReport(): Report {
  return {
    session: null,
    model: null,
    steps: { tokens: null, costUsd: null },
    run: null,
    whole: null,
    parts: new Map(),
    hasWorked: false,
    context: null,
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

/** Changes the given report in place: there can be a million items. */
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
      return countEdit(report.edits, item.path)
    case 'session':
      report.session = item.id ?? report.session
      report.model = item.model ?? report.model
      return
    case 'usage':
      return addUsage(report, item)
    case 'context':
      report.context = laterContext(report.context, item)
      return
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
      // A run that ended well was not prevented by the limits and errors that it met.
      if (item.ok) Object.assign(report, { limit: null, auth: null })
      return
    case 'warning':
      if (item.limitKind) report.retrying = { why: item.text, limitKind: item.limitKind }
      return
    case 'tool':
    case 'tool-failed':
    case 'answer':
      return
    default:
      return item satisfies never
  }
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
/** More models than any agent uses in one run; a hostile stream could name a new one in each line. */
const mostModels = 100

function plus(a: Totals, b: Totals): Totals {
  return {
    tokens: b.tokens ? addTokens(a.tokens ?? noTokens, b.tokens) : a.tokens,
    costUsd: b.costUsd === null ? a.costUsd : (a.costUsd ?? 0) + b.costUsd,
  }
}

export type RunEnding = {
  /** The end of the run, from which a limit "in an hour" is counted. */
  at: number
  how: EventOf<'run.ended'>['data']['how'] | 'lost'
  /** The session's totals before this run, if this run continued the session. */
  before: SessionTotals | null
  model: string | null
  price: Price | null
  /** The content of the agent's usage file, which takes precedence over its output. */
  told: {
    costUsd: number | null
    edited: { path: string; times: number } | null
    question: string | null
    problem: string | null
    tokens?: Tokens | null
    limit?: Limit | null
  }
  /** The last line on stderr, for a run that reported nothing else. */
  complaint: string
  /** Removes secrets from the agent's text before it is recorded. */
  clean: (text: string) => string
  /** Whether the agent's output ends with an `end` item: if so, a run without one was cut off. */
  endsItself: boolean
  /** Whether the agent reports a cost, or tokens from which a cost can be computed. */
  reportsCost: boolean
}

type RunFacts = Pick<
  EventOf<'run.ended'>['data'],
  | 'costUsd'
  | 'estimated'
  | 'costIncomplete'
  | 'tokens'
  | 'context'
  | 'edited'
  | 'session'
  | 'limit'
  | 'auth'
  | 'question'
  | 'said'
  | 'failed'
  | 'usageProblem'
>

export function told(report: Report, ending: RunEnding): RunFacts {
  const { clean } = ending
  const limit = report.limit ?? retriedInVain(report, ending)
  const failed = limit ? null : failureOf(report, ending)
  const question = ending.told.question ?? report.question
  const said = clean(report.said.trim())
  return {
    ...spending(report, ending),
    ...(report.context && { context: report.context }),
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

/** What it still retried when loop stopped it; if it gave up by itself, only a missing network counts. */
function retriedInVain({ retrying, auth, end }: Report, { how }: RunEnding): Report['retrying'] {
  const gaveUp = auth === null && end?.ok === false && how === 'exited' && retrying?.limitKind === 'network'
  return gaveUp || ['timeout', 'idle'].includes(how) ? retrying : null
}

type Spending = Pick<RunFacts, 'costUsd' | 'estimated' | 'costIncomplete' | 'tokens'>

/** The known cost of the run: its totals and the parts after the last total, or its usage file. */
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

/** A model call under way when the run was cut short is in no total. One that ended well without any reports none. */
function isIncomplete(report: Report, { how, told: { costUsd }, reportsCost }: RunEnding): boolean {
  if (how === 'unstartable' || (costUsd === null && !reportsCost)) return false
  if (cutShort.includes(how)) return true
  const hasTotal =
    report.run !== null ||
    report.whole !== null ||
    report.steps.tokens !== null ||
    report.steps.costUsd !== null
  return costUsd === null && (report.parts.size > 0 || (report.hasWorked && !hasTotal && !report.end?.ok))
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

/** Without a final total: the session's earlier totals plus what this run reported. */
function sessionOf({ whole, parts }: Report, id: string, { before }: RunEnding): SessionTotals {
  const { tokens, costUsd } = whole ?? [...parts.values()].reduce(plus, before ?? nothing)
  return { id, tokens, costUsd }
}

const stoppedByLoop: readonly RunEnding['how'][] = ['timeout', 'idle', 'stopped', 'flooded']

/** Why this run did no work, in words; null if it ended regularly or by a key. Being stopped by loop is no failure. */
function failureOf({ end, auth, items }: Report, ending: RunEnding): string | null {
  if (auth !== null || end?.ok) return null
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

/** How often a run has edited each file. The breaker against thrashing uses the most edited one. */

type Edits = Map<string, number>

/** Distinct files that are counted; an agent that edits more in one run is not thrashing one. */
const mostFiles = 10_000

function countEdit(edits: Edits, path: string): void {
  if (edits.has(path) || edits.size < mostFiles) edits.set(path, (edits.get(path) ?? 0) + 1)
}

function mostEdited(edits: Edits): { path: string; times: number } | null {
  let most: { path: string; times: number } | null = null
  for (const [path, times] of edits) if (!most || times > most.times) most = { path, times }
  return most
}
