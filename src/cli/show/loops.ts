/** Loops as a table or as JSON: shared by `status` and `list`. */
import type { Brief } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { jsonText, oneLine } from '../../core/text/plain-text.ts'
import { rowJson } from '../../documents/loop.ts'
import { withMembers } from '../../engine/shown/members.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { hasEscape } from '../../secrets/escapes.ts'
import { mayHoldSecret } from '../../secrets/suspicion.ts'
import type { Choice, Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { readMarkers } from '../../store/files/session-marker.ts'
import { hung } from '../../views/layout/columns.ts'
import { type Place, table } from '../../views/text/loop-table.ts'
import type { Shown } from '../../views/text/status.ts'
import type { Input } from '../command-table.ts'
import { directoryHere } from '../find-loop.ts'
import { out, outputWidth } from '../terminal.ts'

const noLoops = 'No loops. Start one with: loop start "…" -p "…", or see: loop demo'

/** `none`: the message if there are none. `needs`: below the table, what those that need a person need. */
type Wish = { which: Choice; none?: string; needs?: true }

/** What `loop status` lists: all that are open, and this many that have ended; `loop list` shows all. */
export const currentLoops: Wish = { which: { current: 10 }, needs: true }

/** The text of these loops, the same without times to detect changes, and its end. */
export type View = { text: string; facts(): string; ends: Result<number> }

export async function viewOfLoops(store: Store | null, input: Input, wish: Wish): Promise<View> {
  return input.given('json') ? json(store, input, wish) : words(store, input, wish)
}

export async function printLoops(store: Store | null, input: Input, wish: Wish): Promise<Result<number>> {
  const { text, ends } = await viewOfLoops(store, input, wish)
  if (text !== '') out(text)
  return ends
}

async function json(store: Store | null, { env }: Input, { which }: Wish): Promise<View> {
  const { summaries, damaged } = store?.heads.list(hereFirst(which)) ?? nothing
  const found = hosted(store, summaries)
  const rows = await cleaned(found.rows, env)
  const now = Date.now()
  return {
    text: jsonText(rows.map(row => rowJson(row, now))),
    facts: () => JSON.stringify(rows.map(timeless).map(row => rowJson(row, 0))),
    ends: end([...damaged, ...found.damaged]),
  }
}

async function words(store: Store | null, { env }: Input, wish: Wish): Promise<View> {
  const { which, none = noLoops } = wish
  const { summaries, damaged } = store?.heads.briefs(hereFirst(which)) ?? nothing
  const begun = summaries.map(one => ({ ...one, prompt: firstWords(one.prompt) }))
  const found = hosted(store, begun)
  const rows = await cleaned(found.rows, env)
  const place = placeHere(env)
  const all = [...damaged, ...found.damaged]
  const needs = store && wish.needs ? await needsBelow(store, found.rows, env) : []
  const runs = wish.needs ? sessionRuns(env) : []
  const listed = rows.length > 0 ? table(rows, Date.now(), place) : []
  const lines = [...listed, ...[...needs, ...runs].flatMap(line => hung(line, place.width))]
  return {
    text: lines.length > 0 ? lines.join('\n') : all.length === 0 ? none : '',
    facts: () => [...table(rows.map(timeless), 0), ...runs].join('\n'),
    ends: end(all),
  }
}

/** Runs of `loop init` without a promise have no journal: their markers are all there is of them. */
function sessionRuns(env: NodeJS.ProcessEnv): string[] {
  return readMarkers(pathsFrom(env)).flatMap(({ loop }) =>
    loop.id === null && loop.run !== null
      ? oneLine(
          `session run ${loop.run} in ${loop.tree}: ${loop.status.replace('_', ' ')}, without a promise. Its tasks: loop task list`,
        )
      : [],
  )
}

/** Loaded only if one of them needs a person, so that the table stays instant. */
async function needsBelow(store: Store, rows: readonly Shown<Brief>[], env: NodeJS.ProcessEnv) {
  const still: readonly string[] = ['waiting', 'paused', 'failed', 'crashed']
  const ids = rows.flatMap(({ summary, orphaned, notApplied }) =>
    orphaned || notApplied || still.includes(summary.status) ? summary.id : [],
  )
  if (ids.length === 0) return []
  const { needsOfLoops } = await import('./needs.ts')
  return needsOfLoops(store, ids, env)
}

/** Without the fields that change while nothing happens. */
export function timeless<T extends Brief>(row: Shown<T>): Shown<T> {
  const still = {
    ...row.summary,
    createdAt: 0,
    endedAt: 0,
    outcomeAt: 0,
    activeMs: 0,
    activeSince: null,
    seq: 0,
  }
  const members = row.members?.map(one => ({ ...one, ...timeless(one) }))
  return { ...row, summary: still, ...(members && { members }) }
}

/** The directory, the home and the terminal width of the reader. */
export function placeHere(env: NodeJS.ProcessEnv): Place {
  return { here: directoryHere(), home: env['HOME'] ?? null, width: outputWidth() }
}

/** Loops of the current directory come first. */
function hereFirst(which: Choice): Choice {
  const near = directoryHere()
  return near === null ? which : { ...which, near }
}

const mostWords = 100

/** As much as a line can show. A last word that may be cut is dropped: half of a secret would not be recognised. */
function firstWords(prompt: string): string {
  return prompt.length < mostWords ? prompt : prompt.slice(0, mostWords).replace(/\S*$/, '…')
}

const nothing = { summaries: [], damaged: [] }

function hosted<T extends Brief>(store: Store | null, summaries: T[]) {
  if (!store) return { rows: [], damaged: [] }
  const find = store.leases.finder()
  return withMembers(
    store,
    summaries.map(summary => shown(store, summary, find)),
    find,
  )
}

function end(damaged: string[]): Result<number> {
  if (damaged.length === 0) return ok(0)
  return fail('store-damaged', { kind: 'journals-damaged', ids: damaged })
}

/** Removes secrets from the shown texts of each loop and its members. */
async function cleaned<T extends Brief>(rows: Shown<T>[], env: NodeJS.ProcessEnv): Promise<Shown<T>[]> {
  const texts: string[] = []
  for (const { summary, members = [] } of rows)
    for (const one of [summary, ...members.map(member => member.summary)]) texts.push(...textsOf(one))
  const clean = await cleaner(texts, env)
  if (!clean) return rows
  const one = <S extends Texts>(summary: S): S => ({
    ...summary,
    promise: clean(summary.promise),
    prompt: clean(summary.prompt),
    ...(summary.detail !== undefined && { detail: clean(summary.detail) }),
  })
  return rows.map(row => ({
    ...row,
    summary: one(row.summary),
    ...(row.members && { members: row.members.map(member => ({ ...member, summary: one(member.summary) })) }),
  }))
}

type Texts = Brief & Partial<Pick<Summary, 'detail'>>

function textsOf({ promise, prompt, detail = '' }: Texts): string[] {
  return [promise, prompt, detail]
}

/** Most texts hold no secret: the redaction is loaded only if one is suspected. Null if none is. */
async function cleaner(texts: string[], env: NodeJS.ProcessEnv): Promise<((text: string) => string) | null> {
  const values = Object.values(env).filter(value => value !== undefined && value.length >= 8) as string[]
  const doubtful = [...new Set(texts)].filter(
    text =>
      /\S{8}/.test(text) &&
      (hasEscape(text) || mayHoldSecret(text) || values.some(value => text.includes(value))),
  )
  if (doubtful.length === 0) return null
  const { redactText, secretsIn } = await import('../../secrets/redact.ts')
  const secrets = secretsIn(env)
  const clean = new Map(doubtful.map(text => [text, redactText(text, secrets)]))
  return text => clean.get(text) ?? text
}
