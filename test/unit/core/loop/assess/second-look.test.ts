/** The second looks at a promise that passed: each look, and its consequence. */
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

/** The state after a first iteration that passed, with these files and one of the work changed, and these looks taken. */
function state(
  changed: SteeringChange[],
  looks: Partial<Look>[] = [],
  { product = 1, ...given }: Partial<Spec> & { product?: number } = {},
) {
  const [, ...iteration] = [null, ...wholeIteration(1, pass)]
  const steered = changed.length > 0 ? { steered: changed } : {}
  const seen = iteration.map(event =>
    event.kind === 'promise.verified' ? { ...event, data: { ...event.data, ...steered, product } } : event,
  )
  const base = { iteration: 1, home: 'own', verdict: 'FAIL', why: '', durationMs: 1 } as const
  const taking = looks.map(
    (look): Event => ({ kind: 'look.taken', data: { which: 'green', ...base, ...look } }),
  )
  return after(created(given), verified(0, {}), taken('initial'), ...seen, ...taking)
}

const calm: Partial<Look> = { which: 'calibrate', likeBaseline: true }
const green = (look: Partial<Look> = {}): Partial<Look> => ({ which: 'green', ...look })
const red = (look: Partial<Look> = {}): Partial<Look> => ({ which: 'red', ...look })
const passes = { verdict: 'PASS' } as const
const look = (which: Look['which'], home: Look['home'] = 'own') => ({ look: { which, home } })
const fewer = { suspect: { why: 'fewer-tests', files: ['test/a'] } }
const alone = { suspect: { why: 'steering-alone', files: ['test/a'] } }

const two: Partial<Spec> = {
  criteria: [
    { name: 'a', command: 'npm test' },
    { name: 'b', command: 'test -f b' },
  ],
}

const self: SteeringChange = { path: 'check.sh', kind: 'script', how: 'added' }
const inHome: SteeringChange = { path: '/home/me/.npmrc', kind: 'config', how: 'changed' }
const named: SteeringChange = { ...aTest, named: true }
const none = { product: 0 }
const again = { sameFailure: true } as const

const rows: [what: string, from: ReturnType<typeof state>, next: object][] = [
  ['only the work changed: it alone, in a clean copy', state([]), look('green')],
  ['which passes', state([], [green(passes)]), { is: 'verified' }],
  ['a copy that cannot be made is said', state([], [green({ verdict: 'ERROR' })]), { is: 'unclean' }],
  ['nothing changed at all: chance, or no file', state([], [], none), look('green')],
  ['by chance', state([], [green(passes)], none), { is: 'unchanged' }],
  ['by something else', state([], [green(again), calm], none), { is: 'only-here' }],
  ['what passes in the tree alone', state([], [green(), calm, green()]), { is: 'only-here' }],
  ['tests changed too: the work with the old tests', state([aTest]), look('green')],
  ['which passes', state([aTest], [green(passes)]), { is: 'verified' }],
  ['if it fails, the tree as it was found', state([aTest], [green()]), look('calibrate')],
  ['then another failure is tried again', state([aTest], [green(), calm]), look('green')],
  ['and may pass then', state([aTest], [green(), calm, green(passes)]), { is: 'unsteady' }],
  ['the failure that was there before is not', state([aTest], [green(again), calm]), look('red')],
  ['after two, the old work with the new tests', state([aTest], [green(), calm, green()]), look('red')],
  ['which pass alone', state([aTest], [green(), calm, green(), red(passes)]), alone],
  ['or not', state([aTest], [green(), calm, green(), red()]), { is: 'mixed' }],
  ['fewer tests with the old ones', state([aTest], [green({ fewer: true }), calm]), fewer],
  ['of named files it is only said', state([named], [green(again), calm, red(passes)]), { is: 'named' }],
  ['nothing of the work changed', state([aTest], [], none), alone],
  ['nor in named files', state([named], [], none), { is: 'named' }],
  ['what the promise runs was missing', state([self], [], none), { is: 'self-made' }],
  [
    'a clean copy that is worth nothing is tried with an empty HOME',
    state([aTest], [green(), { which: 'calibrate' }]),
    look('calibrate', 'fresh'),
  ],
  [
    'and green again with it',
    state([aTest], [green(), { which: 'calibrate' }, { ...calm, home: 'fresh' }]),
    look('green', 'fresh'),
  ],
  [
    'and then proves nothing',
    state([aTest], [green(), { which: 'calibrate' }, { which: 'calibrate', home: 'fresh' }]),
    { is: 'not-checkable' },
  ],
  ['a change in HOME: an empty one', state([inHome]), look('green', 'fresh')],
  [
    'of two criteria, one that the tests alone meet is enough',
    state([aTest], [green({ met: ['b'], ...again }), calm, red({ met: ['a'] })], two),
    alone,
  ],
  [
    'one that the sources meet too is not',
    state([aTest], [green({ met: ['b'], ...again }), calm, red({ met: ['b'] })], two),
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
  assert.deepEqual(secondLook(resumed(before)), look('green'))
  assert.equal(resumed(before).tree.reference, before.tree.reference)
  const mixed = resumed(state([aTest], [green(), calm, green(), red()]))
  assert.deepEqual(doubtsOf(mixed), [{ kind: 'steered', how: 'mixed', files: ['test/a'] }])
  assert.equal(resumed(state([])).tree.reference, null, 'nothing that judges the work was changed')
})

test('a promise that took long is not run again if only the work changed', () => {
  const long = wholeIteration(1, { ...pass, durationMs: 3_000 }).map(event =>
    event.kind === 'promise.verified' ? { ...event, data: { ...event.data, product: 1 } } : event,
  )
  assert.deepEqual(secondLook(after(created(), verified(0, {}), taken('initial'), ...long)), { is: 'sound' })
})

test('an attempt whose group takes the second look takes none itself, and says so', () => {
  const given = { secondLook: 'by-group' } as const
  const doubt = { kind: 'steered', how: 'unlooked', files: ['test/a'] }
  assert.deepEqual(doubtsOf(state([aTest], [], given)), [doubt])
  assert.deepEqual(doubtsOf(state([], [], given)), [])
  assert.deepEqual(doubtsOf(state([aTest], [green(passes)], given)), [])
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
