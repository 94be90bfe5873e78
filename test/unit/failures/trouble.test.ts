/** Why a step, a run or a node came to nothing, as people read it; and that such an event has both facts and words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loopMachine } from '../../../src/core/loop/machine.ts'
import { inEnvelopes, inWords } from '../../../src/engine/recorded.ts'
import type { Facts } from '../../../src/failures/all.ts'
import type { Troubles } from '../../../src/failures/trouble.ts'

const said: { [K in keyof Troubles]: [Troubles[K], string][] } = {
  'system-said': [
    [{ said: 'ENOSPC: no space left on device, write' }, 'ENOSPC: no space left on device, write'],
  ],
  'tree-leads-elsewhere': [
    [
      { tree: '/w', to: '/x' },
      '/w is not the work tree any more: it leads to /x. Put the directory back first',
    ],
  ],
  'tree-no-directory': [[{ tree: '/w' }, '/w is not a directory any more. Put the directory back first']],
  'tree-replaced': [
    [
      { tree: '/w' },
      '/w is not the directory it was: it was replaced, or deleted and created again. If that is meant, resume the loop',
    ],
  ],
  'checkpoint-overdue': [
    [{ ms: 600_000 }, 'not done within 10m; is there a FIFO or a dead mount in the tree?'],
  ],
  'runs-no-directory': [[{ path: '/d/runs' }, '/d/runs is not a directory any more; remove it']],
  'agent-elsewhere': [[{}, 'it runs in another PID namespace; cancel the loop from where it was started']],
  'result-lost': [[{}, 'its result is gone']],
  'rollback-given-up': [
    [{ by: 'user' }, 'given up by you'],
    [{ by: 'session' }, 'given up inside a session'],
  ],
  'run-lost': [
    [{ how: 'spoilt', said: '' }, 'the files of the run were spoiled'],
    [{ how: 'restarted', said: '' }, 'the machine was restarted while the agent ran'],
    [{ how: 'restarted', said: 'sh: no' }, 'the machine was restarted while the agent ran: sh: no'],
    [{ how: 'killed', said: '' }, 'the agent and its shim were killed, or its files were spoiled'],
  ],
  'hook-lost': [
    [{ how: 'restarted', said: '' }, 'the machine was restarted while it ran'],
    [{ how: 'killed', said: 'sh: no' }, 'it was killed, and its end is not known: sh: no'],
  ],
  'copy-names-tree': [
    [
      { reference: '.venv/bin/pip' },
      'dependencies in its copy name the work tree by its own path (.venv/bin/pip), so that its commands would use that; give a command that makes a copy ready (--copy-setup, copy_setup)',
    ],
  ],
  'files-unchanged': [[{ node: '1-a', files: ['x', 'y'] }, '1-a has not changed x, y']],
  'command-lost': [[{}, 'it was killed, or its host ended while it ran']],
  'command-timeout': [[{}, 'its time was up']],
  'outputs-too-large': [[{ mostBytes: 256_000 }, 'what it left in $LOOP_OUTPUT_FILE is larger than 256 kB']],
  'outputs-unreadable': [[{}, 'what it left in $LOOP_OUTPUT_FILE is no JSON object of texts and numbers']],
  'outputs-missing': [[{ names: ['a', 'b'] }, 'it left no output a, b in $LOOP_OUTPUT_FILE']],
  'output-missing': [[{ loop: 'build', field: 'version' }, 'build left no output version']],
  'reference-missing': [[{ of: 'iteration' }, 'there is no value for iteration']],
  'plan-iterations-used-up': [[{}, 'the iterations of the plan are used up']],
  'promise-fails-in-tree': [[{}, 'the promise fails in the work tree']],
}

for (const [kind, rows] of Object.entries(said))
  test(`the words of ${kind}`, () => {
    for (const [data, why] of rows) {
      const facts = { kind, ...(data as object) } as Facts
      assert.deepEqual(inWords(facts), { facts, why })
    }
  })

test('facts that core records get their words when they are recorded, once', () => {
  const of = { after: 0, at: 1, loop: 'a', epoch: 1, cause: null }
  const facts = { kind: 'rollback-given-up', by: 'user' }
  const dataOf = (data: { to: string; facts?: typeof facts; why?: string }) =>
    inEnvelopes(loopMachine, [{ kind: 'rollback.failed', data }], of)[0]?.data
  assert.deepEqual(dataOf({ to: 'initial', facts }), { to: 'initial', facts, why: 'given up by you' })
  assert.deepEqual(dataOf({ to: 'initial', facts, why: 'said before' }), {
    to: 'initial',
    facts,
    why: 'said before',
  })
  assert.deepEqual(dataOf({ to: 'initial', why: 'disk full' }), { to: 'initial', why: 'disk full' })
})
