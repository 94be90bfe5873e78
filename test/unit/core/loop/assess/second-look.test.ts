/** The second looks at a promise that passed while its tests or scripts changed: each look, and its consequence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtsOf } from '../../../../../src/core/loop/assess/doubts.ts'
import { isSameFailure, secondLook } from '../../../../../src/core/loop/assess/second-look.ts'
import { judgedOnce } from '../../../../../src/core/loop/parts/trust.ts'
import type { CriterionResult, Event } from '../../../../../src/model/loop/event.ts'
import type { Spec } from '../../../../../src/model/loop/spec.ts'
import type { SteeringChange } from '../../../../../src/model/loop/trust.ts'
import { after, aResult, created, pass, taken, verified, wholeIteration } from '../../../../rig/given.ts'

type Look = Extract<Event, { kind: 'look.taken' }>['data']

const aTest: SteeringChange = { path: 'test/a', kind: 'test', how: 'changed' }
const aTool: SteeringChange = { path: 'node_modules/.bin/x', kind: 'tool', how: 'changed' }
const patched: SteeringChange = { path: 'node_modules/a', kind: 'dependency', how: 'changed' }
const newPackage: SteeringChange = { path: '.venv/lib/a.pth', kind: 'dependency', how: 'added' }

/** The state after a first iteration that passed, with these files changed and these looks taken. */
function state(changed: SteeringChange[], looks: Partial<Look>[] = [], given: Partial<Spec> = {}) {
  const [, ...iteration] = [null, ...wholeIteration(1, pass)]
  const seen = iteration.map(event =>
    event.kind === 'promise.verified' ? { ...event, data: { ...event.data, steered: changed } } : event,
  )
  const base = { iteration: 1, home: 'fresh', verdict: 'FAIL', why: '', durationMs: 1 } as const
  const taking = looks.map(
    (look): Event => ({ kind: 'look.taken', data: { which: 'green', ...base, ...look } }),
  )
  return after(created(given), verified(0, {}), taken('initial'), ...seen, ...taking)
}

const calm: Partial<Look> = { which: 'calibrate', likeBaseline: true }
const green = (look: Partial<Look> = {}): Partial<Look> => ({ which: 'green', ...look })
const red = (look: Partial<Look> = {}): Partial<Look> => ({ which: 'red', ...look })
const passes = { verdict: 'PASS' } as const
const look = (which: Look['which'], home: Look['home'] = 'fresh') => ({ look: { which, home } })
const alone = { suspect: { why: 'steering-alone', files: ['test/a'] } }

const two: Partial<Spec> = {
  criteria: [
    { name: 'a', command: 'npm test' },
    { name: 'b', command: 'test -f b' },
  ],
}

const rows: [what: string, from: ReturnType<typeof state>, next: object][] = [
  ['first the tree as it was found', state([aTest]), look('calibrate')],
  ['then the sources with the old tests', state([aTest], [calm]), look('green')],
  ['which pass', state([aTest], [calm, green(passes)]), { is: 'sound' }],
  ['a failure of another kind is tried again', state([aTest], [calm, green()]), look('green')],
  ['and may pass then', state([aTest], [calm, green(), green(passes)]), { is: 'sound' }],
  [
    'the failure that was there before is not',
    state([aTest], [calm, green({ sameFailure: true })]),
    look('red'),
  ],
  ['after two, the old sources with the new tests', state([aTest], [calm, green(), green()]), look('red')],
  ['which pass alone', state([aTest], [calm, green(), green(), red(passes)]), alone],
  ['or not', state([aTest], [calm, green(), green(), red()]), { is: 'mixed' }],
  [
    'a clean copy that is worth nothing is tried with the own HOME',
    state([aTest], [{ which: 'calibrate' }]),
    look('calibrate', 'own'),
  ],
  [
    'and then proves nothing',
    state([aTest], [{ which: 'calibrate' }, { which: 'calibrate', home: 'own' }]),
    { is: 'not-checkable' },
  ],
  [
    'of two criteria, one that the tests alone meet is enough',
    state([aTest], [calm, green({ met: ['b'], sameFailure: true }), red({ met: ['a'] })], two),
    alone,
  ],
  [
    'one that the sources meet too is not',
    state([aTest], [calm, green({ met: ['b'], sameFailure: true }), red({ met: ['b'] })], two),
    { is: 'mixed' },
  ],
  ['with another tool, the old sources', state([aTool]), look('red', 'own')],
  ['a patched package: the same', state([patched]), look('red', 'own')],
  [
    'which may be kind to the new sources alone',
    state([patched], [red({ likeBaseline: true })]),
    { is: 'mixed' },
  ],
  [
    'a patched package of a copy stays there',
    state([patched], [red({ likeBaseline: true })], { copy: { tree: '/t', base: 'b' } }),
    { is: 'sound' },
  ],
  ['a new package that changes nothing', state([newPackage], [red({ likeBaseline: true })]), { is: 'sound' }],
  [
    'a new package that makes it pass',
    state([newPackage], [red(passes)]),
    { suspect: { why: 'tools-changed', files: ['.venv/lib/a.pth'] } },
  ],
]

for (const [what, from, next] of rows) test(what, () => assert.deepEqual(secondLook(from), next))

test('a resume accepts neither a pass without a second look nor a mixed one', () => {
  const paused: Event = { kind: 'loop.held', data: { reason: 'paused-by-user' } }
  const resumed = (from: ReturnType<typeof state>) => after(from, paused, { kind: 'loop.resumed', data: {} })
  const before = state([aTest])
  assert.deepEqual(secondLook(resumed(before)), look('calibrate'))
  assert.equal(resumed(before).tree.reference, before.tree.reference)
  const mixed = resumed(state([aTest], [calm, green(), green(), red()]))
  assert.deepEqual(doubtsOf(mixed), [{ kind: 'steered', how: 'mixed', files: ['test/a'] }])
  assert.equal(resumed(state([])).tree.reference, null, 'nothing that judges the work was changed')
})

test('an attempt whose group takes the second look takes none itself, and says so', () => {
  const given = { secondLook: 'by-group' } as const
  const doubt = { kind: 'steered', how: 'unlooked', files: ['test/a'] }
  assert.deepEqual(doubtsOf(state([aTest], [], given)), [doubt])
  assert.deepEqual(doubtsOf(state([], [], given)), [])
  assert.deepEqual(doubtsOf(state([aTest], [calm, green(passes)], given)), [])
})

test('the same failure: as many tests, the same exit, the same error, and an error at all', () => {
  const before: Partial<CriterionResult> = { failing: 1, total: 9, signature: 'adds prices' }
  const baseline = after(created(), verified(0, before))
  const isSame = (given: Partial<CriterionResult>) =>
    isSameFailure(baseline, [judgedOnce(aResult({ ...before, ...given }))])
  assert.equal(isSame({}), true)
  assert.equal(isSame({ signature: 'a flaky test' }), false)
  assert.equal(isSame({ failing: 2 }), false)
  assert.equal(isSame({ exitCode: 2 }), false)
  const silent = after(created(), verified(0, { signature: null }))
  assert.equal(isSameFailure(silent, [judgedOnce(aResult({ signature: null }))]), false)
  assert.equal(isSameFailure(created(), [judgedOnce(aResult(before))]), false)
})
