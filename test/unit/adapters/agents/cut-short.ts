/** The recorded streams of runs that were stopped or killed in the middle, and their cost by then. */
import { tokens } from '../../../rig/streams.ts'
import type { Case } from './refusals.ts'

export const cutShort: Case[] = [
  {
    file: 'claude-stopped.out',
    given: { how: 'timeout' },
    // The total does not include the answer that was under way: 59k at $4, 1k cached at $0.2, 5k at $20.
    comes: {
      costUsd: 0.3362,
      costIncomplete: true,
      estimated: undefined,
      tokens: tokens(59_000, 5_000, 1_000),
    },
  },
  {
    file: 'claude-cut.out',
    given: { how: 'killed' },
    // Two answers; the first consists of two events: 60k at $4, 1k cached at $0.2, 2 at $20.
    comes: { costUsd: 0.24024, costIncomplete: true, estimated: true, tokens: tokens(60_000, 2, 1_000) },
  },
  {
    file: 'cline-cut.out',
    given: { how: 'timeout', price: { input: 3, output: 15, cached: 0.3 } },
    comes: { costUsd: 0.2523, costIncomplete: true, estimated: true, tokens: tokens(59_000, 5_000, 1_000) },
  },
  {
    file: 'opencode-cut.out',
    given: { how: 'stopped' },
    comes: {
      costUsd: 0.2523,
      costIncomplete: true,
      estimated: undefined,
      tokens: tokens(59_000, 5_000, 1_000),
      edited: { path: '/tree/sum.mjs', times: 1 },
    },
  },
  { file: 'cline-cut.out', given: { how: 'killed' }, comes: { costUsd: null, costIncomplete: true } },
]
