/**
 * The files of a session: `.loop/state.json`, and the marker of its loop. The agent writes the state file, so its content
 * is a claim and never a fact. The result has known fields of bounded size, or is null; a claim counts only in its exact
 * form.
 */
import type { SessionLoop } from './stop.ts'

type Claim = { met: boolean; verification: string | null }

export type StateFile = {
  spec: string
  /** The names listed beside the claims; null if there is no list. */
  criteria: string[] | null
  claims: Map<string, Claim>
  exitSignal: boolean
  steps: string[]
  completedSteps: string[]
  remainingSteps: string[]
  iteration: number
  status: string
  stuckCount: number
  lastUnmet: string
  /** loop wrote the file for a loop that it drives itself: sessions ignore it. */
  driven: boolean
}

/** Names of criteria are not cut, since a name can be a whole command; the size of the file is bounded instead. */
const most = { names: 2_000, texts: 200, text: 2_000 }

/** Null if the text is not a valid state file. */
export function parseStateFile(text: string): StateFile | null {
  const document = objectOf(parseJson(text))
  if (!document) return null
  const breaker = objectOf(document['circuitBreaker'])
  return {
    spec: textOf(document['spec']),
    criteria: Array.isArray(document['criteria']) ? namesOf(document['criteria']) : null,
    claims: claimsOf(document['criteriaStatus']),
    exitSignal: document['exit_signal'] === true,
    steps: textsOf(document['steps']),
    completedSteps: textsOf(document['completedSteps']),
    remainingSteps: textsOf(document['remainingSteps']),
    iteration: countOf(document['iteration']),
    status: textOf(document['status']),
    stuckCount: countOf(breaker?.['stuckCount']),
    lastUnmet: textOf(breaker?.['lastUnmet']),
    driven: document['driver'] === 'loop',
  }
}

/** Tells whether the file claims exactly the expected criteria in the exact form, and signals the end. */
export function claimsAll(file: StateFile, expected: readonly string[]): boolean {
  return (
    file.exitSignal &&
    expected.length > 0 &&
    openClaims(file, expected).length === 0 &&
    hasSame(file, expected)
  )
}

/** The expected criteria that the file does not claim as met. */
export function openClaims({ claims }: StateFile, expected: readonly string[]): string[] {
  return expected.filter(name => {
    const claim = claims.get(name)
    return !claim?.met || claim.verification === 'assumption'
  })
}

export function hasSame({ claims, criteria }: StateFile, expected: readonly string[]): boolean {
  const wanted = new Set(expected)
  const same = (names: Iterable<string>) => {
    const found = new Set(names)
    return found.size === wanted.size && [...found].every(name => wanted.has(name))
  }
  return same(claims.keys()) && (criteria === null || same(criteria))
}

/** `verification`: where one was given for the criterion, as SHAPE.md does. */
type ClaimedCriterion = { name: string; met: boolean; verification?: string }

/** `iteration`: the number of iterations that loop knows of; `judged`: whether any of them was verified. */
type StateFields = {
  spec: string
  loop: string | null
  status: string
  criteria: ClaimedCriterion[]
  iteration?: number
  judged?: boolean
}

/**
 * The file as loop writes it for a session: loop's knowledge replaces the agent's values, the agent's own
 * fields are kept.
 */
export function stateFileText(known: StateFields, file: StateFile | null): string {
  const names = known.criteria.map(({ name }) => name)
  const unmet = known.criteria.filter(({ met }) => !met).map(({ name }) => name)
  const met = names.filter(name => !unmet.includes(name))
  // Until the agent has steps of its own, the names of the criteria serve as steps.
  const own = file !== null && file.steps.join('\n') !== names.join('\n') && file.steps.length > 0
  const document = {
    spec: known.spec,
    criteria: names,
    criteriaStatus: Object.fromEntries(
      known.criteria.map(({ name, met: isMet, verification }) => [
        name,
        verification === undefined ? isMet : { met: isMet, verification },
      ]),
    ),
    exit_signal: known.status === 'completed',
    steps: own ? file.steps : names,
    completedSteps: own ? file.completedSteps : met,
    remainingSteps: own ? file.remainingSteps : unmet,
    iteration: Math.max(known.iteration ?? 0, file?.iteration ?? 0),
    status: known.status,
    circuitBreaker: {
      stuckCount: file?.stuckCount ?? 0,
      lastUnmet: known.judged ? (unmet[0] ?? '') : (file?.lastUnmet ?? ''),
    },
    loop: known.loop,
    driver: 'session',
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // half-written, or not JSON: both are no answer
  }
}

export function objectOf(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value as Record<string, unknown>
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, most.text) : ''
}

export function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, most.texts)
    .flatMap(item => (typeof item === 'string' ? item.slice(0, most.text) : []))
}

function namesOf(values: unknown[]): string[] {
  return values.slice(0, most.names + 1).filter(value => typeof value === 'string')
}

export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}

function claimsOf(value: unknown): Map<string, Claim> {
  const claims = new Map<string, Claim>()
  for (const [name, claim] of Object.entries(objectOf(value) ?? {}).slice(0, most.names + 1)) {
    const long = objectOf(claim)
    const verification = long ? textOf(long['verification']) || null : null
    claims.set(name, {
      met: claim === true || (long?.['met'] === true && verification !== null),
      verification,
    })
  }
  return claims
}

/**
 * The text form of a session loop's marker file. Its first three lines (work tree, session, program) let a
 * shell script decide whether there is anything to do; the JSON after them is authoritative. An incomplete
 * marker counts as none.
 */

type SessionMarker = { program: string; loop: SessionLoop }

export function markerText({ program, loop }: SessionMarker): string {
  const lines = [loop.tree, loop.session ?? '', program].map(line => line.replaceAll(/[\r\n]/g, '?'))
  return `${[...lines, JSON.stringify(loop)].join('\n')}\n`
}

export function parseMarker(text: string): SessionMarker | null {
  const [, , program = '', ...rest] = text.split('\n')
  const loop = objectOf(parseJson(rest.join('\n')))
  return loop && isWhole(loop) ? { program, loop } : null
}

function isWhole(loop: Record<string, unknown>): loop is SessionLoop {
  const { tree, session, id, spec, criteria, status, maxIterations, budgetUsd, run, told, taskList, host } =
    loop
  return (
    [tree, spec, status].every(isText) &&
    String(tree).startsWith('/') &&
    [session, id, run].every(value => value === null || (isText(value) && value !== '')) &&
    [taskList, host].every(value => value === undefined || isText(value)) &&
    [maxIterations, budgetUsd].every(value => value === null || typeof value === 'number') &&
    Array.isArray(criteria) &&
    criteria.every(isCriterion) &&
    Array.isArray(told) &&
    told.every(isText)
  )
}

function isCriterion(value: unknown): boolean {
  const criterion = objectOf(value)
  return isText(criterion?.['name']) && (criterion['command'] === null || isText(criterion['command']))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
