/** The iterations of a loop, one row each: a fold of its journal. */
import { type AgentName, addTokens, type ContextUse, laterContext, type Tokens } from '../../model/agent.ts'
import type { Changes, EventOf, Recorded, Verdict } from '../../model/loop/event.ts'
import { checkpointName, verifiedName } from '../../model/units.ts'
import { nothingSpent, type Spent, spentAfter } from './spent.ts'

export type Iteration = {
  n: number
  /** The checkpoints before the agent ran and after it; null while not saved. */
  checkpoint: string
  after: string | null
  /** Null while it has not been verified. */
  verdict: Verdict | null
  /** The promise passed by what judges the work, and no person has accepted that. */
  isSuspect: boolean
  /** The measured time of checkpoints, agent and promise together. */
  durationMs: number
  /** The changes by the agent, and by the promise that ran after it, where known. */
  changes: Changes | null
  promiseChanges: Changes | null
  spent: Spent
  tokens: Tokens | null
  /** The context use of the last run that reported it. */
  context: ContextUse | null
  /** The agent runs of the iteration, usually one: the directory of each, relative to the loop's, and its agent. */
  runs: { dir: string; agent: AgentName }[]
}

/** The names of the checkpoints that people asked for. */
export function ownCheckpoints(events: readonly Recorded[]): string[] {
  const asked = new Set(
    events.flatMap(event => (event.kind === 'checkpoint.requested' ? event.data.name : [])),
  )
  return events.flatMap(event =>
    event.kind === 'checkpoint.taken' && asked.has(event.data.name) ? event.data.name : [],
  )
}

/** The hooks that ran after each end of the loop; a running hook has no end yet. */
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
      // Compared with the tree that the agent left: only the promise has run since.
      if (current && event.data.changes) current.promiseChanges = event.data.changes
      iterations.push(begin(iterations.length + 1, event.data.durationMs))
    } else if (current && event.kind === 'run.started') {
      current.runs.push({ dir: event.data.dir, agent: event.data.agent ?? named })
    } else if (current) add(current, event)
  }
  return iterations
}

function begin(n: number, durationMs: number): Iteration {
  const nothing = { verdict: null, isSuspect: false, changes: null, promiseChanges: null }
  const unspent = { spent: nothingSpent, tokens: null, context: null, runs: [] }
  return { n, checkpoint: checkpointName(n), after: null, durationMs, ...nothing, ...unspent }
}

function add(row: Iteration, event: Recorded): void {
  if (event.kind === 'run.ended') row.durationMs += event.data.durationMs
  if (event.kind === 'run.ended' && event.data.context)
    row.context = laterContext(row.context, event.data.context)
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
  if (event.kind === 'suspicion.raised') row.isSuspect = true
  if (event.kind === 'question.answered' && event.data.suspect && event.data.met) row.isSuspect = false
  if (event.kind === 'promise.verified' && event.data.iteration === row.n) {
    const verdicts = event.data.results.map(result => result.verdict)
    row.durationMs += event.data.results.reduce((sum, result) => sum + result.durationMs, 0)
    row.verdict =
      verdicts.find(verdict => verdict === 'ERROR') ?? verdicts.find(verdict => verdict === 'FAIL') ?? 'PASS'
  }
}
