/** How a run of an agent ended, in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from '../../../../../src/model/loop/event.ts'
import { agentEnded } from '../../../../../src/views/text/announce.ts'

type End = EventOf<'run.ended'>['data']

test('each way an agent can end', () => {
  const out = { path: 'out', bytes: 1_500, tail: '' }
  const err = { path: 'err', bytes: 12, tail: 'noise\nsh: 1: my-agent: not found\n' }
  const rows: [Partial<End>, string][] = [
    [{}, 'ended after 3.0s (exit 0, 1.5 kB of output)'],
    [{ exitCode: 2, durationMs: 62_000 }, 'ended after 1m 2s (exit 2, 1.5 kB of output)'],
    [{ how: 'unstartable', exitCode: 127 }, 'could not start (exit 127): sh: 1: my-agent: not found'],
    [{ how: 'timeout' }, 'stopped by its timeout after 3.0s (1.5 kB of output); its work is kept'],
    [
      { how: 'timeout', costUsd: 0.9, costIncomplete: true, tokens: { input: 1_000, cached: 0, output: 10 } },
      'stopped by its timeout after 3.0s (1.5 kB of output, 1.0k tokens, at least $0.90); its work is kept',
    ],
    [
      { how: 'stopped', costIncomplete: true },
      'was stopped (1.5 kB of output, cost unknown); its work is kept',
    ],
    [{ how: 'killed', exitCode: 137 }, 'was killed after 3.0s (exit 137)'],
    [{ how: 'flooded' }, 'was stopped: it printed more than allowed (--max-output; 1.5 kB of output kept)'],
    [{ how: 'stopped' }, 'was stopped (1.5 kB of output); its work is kept'],
  ]
  for (const [given, line] of rows) {
    const data: End = {
      run: 1,
      how: 'exited',
      exitCode: 0,
      durationMs: 3_000,
      costUsd: null,
      out,
      err,
      ...given,
    }
    assert.deepEqual(agentEnded(data), [`  agent ${line}`])
  }
})
