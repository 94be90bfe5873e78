/** The sentence of each refusal, as people read it; facts and texts of another version. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefusalFacts, Refusals } from '../../../src/failures/refusal.ts'
import { refusalWords, refusedWords } from '../../../src/failures/refusal.ts'
import { factWords, knownFacts } from '../../../src/failures/words.ts'

const id = 'abc123'

const said: { [K in keyof Refusals]: [Refusals[K], string][] } = {
  'journal-too-new': [
    [
      { holds: 'loop.levitated' },
      'its journal holds loop.levitated, which this version of loop does not know; update loop',
    ],
  ],
  'has-ended': [[{ outcome: 'failed' }, 'it has already ended: failed']],
  'has-completed': [[{}, 'it has completed']],
  'already-paused': [[{}, 'it is already paused']],
  'already-queued': [[{}, 'it is queued already']],
  'checkpoint-unknown': [
    [{ name: 'x', has: ['initial', 'mark-1'], older: 0 }, 'it has no checkpoint x; it has: initial, mark-1'],
    [{ name: 'x', has: ['iter-003'], older: 2 }, 'it has no checkpoint x; it has: 2 older ones, iter-003'],
    [{ name: 'x', has: [], older: 0 }, 'it has no checkpoint x; it has: none'],
  ],
  'command-unreadable': [[{}, 'it cannot be read']],
  'command-unknown': [[{}, 'no loop knows this command']],
  'no-host': [
    [
      { id, asked: 'pause' },
      'no process hosts it any more. Go on with: loop resume abc123; end it with: loop cancel abc123',
    ],
    [
      { id, asked: 'rollback' },
      'no process hosts it any more, and it is not at rest; end it first: loop cancel abc123',
    ],
    [
      { id, asked: 'checkpoint' },
      'no process hosts it any more, and it is not at rest; take it up first: loop resume abc123',
    ],
  ],
  'host-gone': [[{}, 'the process that hosted it is gone']],
  'goes-on-already': [[{ id }, 'it goes on already; to change how, let it rest first: loop pause abc123']],
  'pauses-already': [[{}, 'it pauses after this iteration already']],
  'loop-completed': [[{}, 'it has completed; start a new loop instead']],
  'agent-at-work': [[{ id }, 'its agent may still be at work; end that first: loop cancel abc123']],
  'agent-at-work-still': [[{}, 'its agent may still be at work; cancel it first']],
  'limits-used-up': [
    [
      { iterations: 1, costUsd: null, budgetUsd: null, raise: { maxIterations: 11 } },
      'it has used one iteration; raise the limit with --max-iterations 11',
    ],
    [
      { iterations: 4, costUsd: 2.5, budgetUsd: 2, raise: { budgetUsd: 5 } },
      'it has spent $2.50 of $2; raise the limit with --budget 5',
    ],
    [
      { iterations: 4, costUsd: 2.5, budgetUsd: 2, raise: { maxIterations: 14, budgetUsd: 5 } },
      'it has used 4 iterations and spent $2.50 of $2; raise the limits with --max-iterations 14 --budget 5',
    ],
  ],
  'nothing-asked': [[{}, 'it has asked nothing']],
  'checkpoints-off': [[{}, 'it was started with --checkpoint none']],
  'never-saved': [[{}, 'it was started with --checkpoint none: nothing was saved']],
  'checkpoint-under-way': [[{ name: 'a' }, 'it is about to take the checkpoint a']],
  'rollback-under-way': [[{ to: 'a' }, 'a rollback to a is under way']],
  'checkpoint-name-unfit': [
    [{}, 'a name begins with a letter or digit and goes on with letters, digits, _, - and single dots'],
  ],
  'checkpoint-name-reserved': [[{ name: '7' }, 'loop itself uses names like 7; take another']],
  'checkpoint-name-taken': [[{ name: 'a' }, 'it has a checkpoint a already']],
  'text-too-long': [[{}, 'the text is too long; put it into a file of the work tree and name that']],
  'criterion-unknown': [
    [
      { criterion: 'lint', has: ['npm test', 'types'] },
      'it has no criterion "lint"; it has: npm test, types',
    ],
  ],
  'loop-not-at-rest': [[{ id, status: 'running' }, 'it is running; pause it first: loop pause abc123']],
  'for-one-loop': [
    [{ asked: 'inject' }, 'inject is for one loop: name one of its members, which loop status shows'],
  ],
  'hook-stops-already': [[{}, 'its hook is being stopped']],
  'cancels-already': [[{}, 'it is being cancelled']],
  'copies-gone': [[{}, 'it was cancelled, and its copies are gone']],
  'group-budget-used-up': [[{ id }, 'its budget is used up; give it more: loop resume abc123 --budget …']],
  'no-open-question': [[{}, 'it asks nothing just now']],
  'answer-unfit': [
    [{ question: 'Which one?', choices: ['1-a', 'none'] }, '"Which one?" is answered by one of: 1-a, none'],
  ],
  'answer-wordless': [
    [
      { option: 'In one module (answer with its path)' },
      '"In one module (answer with its path)" asks for your own words: answer with those, not with the letter',
    ],
  ],
  'no-reviews': [[{}, 'it has no reviews: only a plan has']],
  'finding-unknown': [
    [{ finding: 'F-9', has: ['F-1', 'F-2'] }, 'it has no finding F-9; it has: F-1, F-2'],
    [{ finding: 'F-9', has: [] }, 'it has no finding F-9; it has: none yet'],
  ],
  'attempt-unknown': [[{ attempt: '7', has: ['1-a', '2-b'] }, 'it has no attempt 7; it has: 1-a, 2-b']],
  'attempt-without-result': [[{ node: '2-b' }, '2-b has no result that could be brought into the tree']],
  'was-cancelled': [[{}, 'it was cancelled']],
  'pick-too-early': [[{}, 'it is still at work; wait for its end, or pause it']],
  'pick-outside-tree': [
    [{ file: '../x' }, '../x is not in the work tree; name a file as it is called from its top'],
  ],
  'group-not-at-rest': [[{}, 'it is at work; pause it first']],
}

for (const [kind, rows] of Object.entries(said))
  test(`the words of ${kind}`, () => {
    for (const [data, words] of rows) {
      const facts = { kind, ...(data as object) } as RefusalFacts
      assert.equal(refusalWords(facts), words)
      assert.equal(refusedWords({ facts, why: 'as another version said it' }), words)
    }
  })

test('facts of a newer journal that nobody knows here are said in its words', () => {
  const newer = { facts: { kind: 'asleep', since: 7 }, why: 'it is asleep' }
  assert.equal(refusedWords(newer), 'it is asleep')
  assert.equal(factWords(knownFacts(newer)), 'it is asleep')
  assert.deepEqual(knownFacts(newer), { kind: 'said', message: 'it is asleep', facts: newer.facts })
  const inherited = { facts: { kind: 'toString' }, why: 'it is asleep' }
  assert.equal(refusedWords(inherited), 'it is asleep')
  assert.equal(factWords(knownFacts(inherited)), 'it is asleep')
  const known = { kind: 'has-ended', outcome: 'failed' }
  assert.deepEqual(knownFacts({ facts: known, why: 'x' }), known)
})
