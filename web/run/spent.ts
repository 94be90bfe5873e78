/** The usage of a loop's runs, summed over its journal. */
import { addTokens, type Tokens } from '../../src/model/agent.ts'
import type { Recorded } from '../../src/model/loop/event.ts'

/** Null if no agent reported any. */
export function tokensOf(events: readonly Recorded[]): Tokens | null {
  let all: Tokens | null = null
  for (const event of events) {
    if (event.kind !== 'run.ended' && event.kind !== 'run.lost') continue
    const { tokens } = event.data
    if (tokens) all = all ? addTokens(all, tokens) : tokens
  }
  return all
}

/** The runs in order: iteration, agent, and ending. */
type RunRow = {
  run: number
  iteration: number
  agent: string
  promptBytes: number
  /** The kind of the ending event; null while the run is under way. */
  end: string | null
}

export function runsOf(events: readonly Recorded[], agent: string): RunRow[] {
  const runs = new Map<number, RunRow>()
  for (const event of events) {
    if (event.kind === 'run.started') {
      const { run, iteration, prompt } = event.data
      runs.set(run, {
        run,
        iteration,
        agent: event.data.agent ?? agent,
        promptBytes: prompt.bytes,
        end: null,
      })
    }
    if (event.kind !== 'run.ended' && event.kind !== 'run.lost') continue
    const known = runs.get(event.data.run)
    if (known) runs.set(known.run, { ...known, end: event.kind === 'run.lost' ? 'lost' : event.data.how })
  }
  return [...runs.values()]
}
