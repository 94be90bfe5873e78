/** The runs of a loop as a list, from its journal. */
import { agents } from '../../adapters/agents/agent.ts'
import type { AgentName, Tokens } from '../../model/agent.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'

type RunRow = {
  run: number
  iteration: number
  agent: AgentName
  startedAt: number
  endedAt: number | null
  how: string | null
  exitCode: number | null
  durationMs: number | null
  costUsd: number | null
  isEstimated: boolean
  tokens: Tokens | null
  session: string | null
  outBytes: number
  errBytes: number
  promptBytes: number
  hasItems: boolean
}

export function runRows(events: readonly Recorded[]): RunRow[] {
  const rows = new Map<number, RunRow>()
  const [first] = events
  const named = first?.kind === 'loop.created' ? first.data.spec.agent : 'custom'
  for (const event of events) {
    if (event.kind === 'run.started') rows.set(event.data.run, begun(event.data, event.at, named))
    if (event.kind !== 'run.ended' && event.kind !== 'run.lost') continue
    const row = rows.get(event.data.run)
    if (row) rows.set(row.run, { ...row, ...ended(event) })
  }
  return [...rows.values()]
}

function begun(data: EventOf<'run.started'>['data'], at: number, named: AgentName): RunRow {
  const agent = data.agent ?? named
  return {
    run: data.run,
    iteration: data.iteration,
    agent,
    startedAt: at,
    endedAt: null,
    how: null,
    exitCode: null,
    durationMs: null,
    costUsd: null,
    isEstimated: false,
    tokens: null,
    session: data.session ?? null,
    outBytes: 0,
    errBytes: 0,
    promptBytes: data.prompt.bytes,
    hasItems: agents[agent].read !== null,
  }
}

function ended({ kind, data, at }: Extract<Recorded, { kind: 'run.ended' | 'run.lost' }>): Partial<RunRow> {
  const exit =
    kind === 'run.ended'
      ? { how: data.how, exitCode: data.exitCode, durationMs: data.durationMs }
      : { how: 'lost' }
  return {
    ...exit,
    endedAt: at,
    costUsd: data.costUsd ?? null,
    isEstimated: data.estimated ?? false,
    tokens: data.tokens ?? null,
    ...(kind === 'run.ended' && data.session && { session: data.session.id }),
    outBytes: data.out.bytes,
    errBytes: data.err.bytes,
  }
}
