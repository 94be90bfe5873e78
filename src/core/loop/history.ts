/** The iterations of a loop, each as one row: a fold of its journal. */
import { type AgentName, addTokens, type Tokens } from '../../model/agent.ts'
import type { Changes, EventOf, Recorded, Verdict } from '../../model/loop/event.ts'
import { checkpointName, verifiedName } from '../../model/units.ts'
import { nothingSpent, type Spent, spentAfter } from './run/spent.ts'

export type Iteration = {
  n: number
  /** The tree before the agent ran, and what it left; null while that is not saved. */
  checkpoint: string
  after: string | null
  /** Null while it has not been verified. */
  verdict: Verdict | null
  /** Checkpoints, agent and promise together, as measured. */
  durationMs: number
  /** By the agent; and by the promise when it was run after that, where it is known. */
  changes: Changes | null
  promiseChanges: Changes | null
  spent: Spent
  tokens: Tokens | null
  /** Its agent runs, mostly one: the directory of each, relative to that of the loop, and who ran. */
  runs: { dir: string; agent: AgentName }[]
}

/** The checkpoints that people have asked for, by name. */
export function ownCheckpoints(events: readonly Recorded[]): string[] {
  const asked = new Set(
    events.flatMap(event => (event.kind === 'checkpoint.requested' ? event.data.name : [])),
  )
  return events.flatMap(event =>
    event.kind === 'checkpoint.taken' && asked.has(event.data.name) ? event.data.name : [],
  )
}

/** What ran after each end of the loop, and how it ended; one that runs has no end yet. */
export function hooksIn(events: readonly Recorded[]): EventOf<'hook.ended'>['data'][] {
  return events.flatMap(event => (event.kind === 'hook.ended' ? event.data : []))
}

export function history(events: readonly Recorded[]): Iteration[] {
  const iterations: Iteration[] = []
  const [first] = events
  const named = first?.kind === 'loop.created' ? first.data.spec.agent : 'custom'
  for (const event of events) {
    const current = iterations.at(-1)
    const began =
      event.kind === 'checkpoint.taken' && event.data.name === checkpointName(iterations.length + 1)
    if (began) {
      // Against what the agent left before: only the promise has been at it since.
      if (current && event.data.changes) current.promiseChanges = event.data.changes
      iterations.push(begin(iterations.length + 1, event.data.durationMs))
    } else if (current && event.kind === 'run.started') {
      current.runs.push({ dir: event.data.dir, agent: event.data.agent ?? named })
    } else if (current) add(current, event)
  }
  return iterations
}

function begin(n: number, durationMs: number): Iteration {
  const nothing = { verdict: null, changes: null, promiseChanges: null }
  const unspent = { spent: nothingSpent, tokens: null, runs: [] }
  return { n, checkpoint: checkpointName(n), after: null, durationMs, ...nothing, ...unspent }
}

function add(row: Iteration, event: Recorded): void {
  if (event.kind === 'run.ended') row.durationMs += event.data.durationMs
  if (event.kind === 'run.ended' || event.kind === 'run.lost') {
    row.spent = spentAfter(row.spent, event)
    const { tokens } = event.data
    if (tokens) row.tokens = row.tokens ? addTokens(row.tokens, tokens) : tokens
  }
  if (event.kind === 'checkpoint.taken' && event.data.name === checkpointName(row.n, true)) {
    row.durationMs += event.data.durationMs
    row.changes = event.data.changes
    if (event.data.tree !== null) row.after = event.data.name
  }
  if (event.kind === 'checkpoint.taken' && event.data.name === verifiedName(row.n)) {
    row.durationMs += event.data.durationMs
    row.promiseChanges = event.data.changes
  }
  if (event.kind === 'promise.verified' && event.data.iteration === row.n) {
    const verdicts = event.data.results.map(result => result.verdict)
    row.durationMs += event.data.results.reduce((sum, result) => sum + result.durationMs, 0)
    row.verdict =
      verdicts.find(verdict => verdict === 'ERROR') ?? verdicts.find(verdict => verdict === 'FAIL') ?? 'PASS'
  }
}
