/** The list that people watch: its rows, their order, and that its pages together are the whole list, once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingIn } from '../../../../src/engine/shown/failing.ts'
import { listPage } from '../../../../src/engine/shown/listing.ts'
import type { Store } from '../../../../src/store/contract.ts'
import {
  completed,
  createdAt,
  ended,
  failed,
  held,
  nextEntry,
  pass,
  story,
  taken,
  tempStore,
  verified,
  wholeIteration,
  writeLoop,
} from '../../../rig/given.ts'

const now = createdAt + 60_000
type Wish = Parameters<typeof listPage>[1]
const wish: Wish = { sort: 'attention', isAscending: false, limit: 100, after: null }

function page(store: Store, given: Partial<Wish> = {}) {
  return listPage(store, { ...wish, ...given }, { now, failing: failingIn(store) })
}

/** None of these loops has a host, so an open one is orphaned. */
function aStore(t: Parameters<typeof tempStore>[0]): Store {
  const store = tempStore(t)
  const end = [...story, ...wholeIteration(2, pass), completed]
  writeLoop(store, { id: 'done01', events: end, spec: { cwd: '/a', prompt: 'mend the cart' } })
  writeLoop(store, { id: 'fail01', events: [...story, failed], at: createdAt + 100, spec: { cwd: '/a/b' } })
  writeLoop(store, { id: 'rest01', events: [...story, held()], at: createdAt + 200, spec: { cwd: '/ab' } })
  writeLoop(store, { id: 'orph01', events: story, at: createdAt + 300, spec: { agent: 'claude' } })
  return store
}

const ids = ({ rows }: ReturnType<typeof page>) => rows.map(({ id }) => id)

test('those that need a person come first; each filter, search and order does what it says', t => {
  const store = aStore(t)
  const whole = page(store)
  assert.deepEqual(ids(whole), ['orph01', 'fail01', 'rest01', 'done01'])
  assert.deepEqual(
    whole.rows.map(({ section, attention }) => [section, attention]),
    [
      ['attention', 'orphaned'],
      ['attention', 'failed'],
      ['paused', null],
      ['done', null],
    ],
  )
  assert.deepEqual(whole.counts, {
    sections: { attention: 2, running: 0, queued: 0, paused: 1, done: 1 },
    statuses: { running: 1, failed: 1, paused: 1, completed: 1 },
  })
  const rows: [Partial<Wish>, string[]][] = [
    [{ sort: 'created' }, ['orph01', 'rest01', 'fail01', 'done01']],
    [{ sort: 'created', isAscending: true }, ['done01', 'fail01', 'rest01', 'orph01']],
    [{ sort: 'iteration' }, ['done01', 'fail01', 'orph01', 'rest01']],
    [{ status: ['failed', 'completed'] }, ['fail01', 'done01']],
    [{ section: 'attention' }, ['orph01', 'fail01']],
    [{ agent: 'claude' }, ['orph01']],
    [{ cwd: '/a' }, ['fail01', 'done01']],
    [{ search: 'CART  mend' }, ['done01']],
    [{ search: 'rest01' }, ['rest01']],
    [{ search: 'nothing of that' }, []],
  ]
  for (const [given, expected] of rows) {
    const found = page(store, given)
    assert.deepEqual(ids(found), expected, JSON.stringify(given))
    assert.equal(found.total, expected.length)
    assert.deepEqual(found.counts, whole.counts, 'counts are of all')
  }
})

test('the pages of a list are the list, though a loop is added between two of them', t => {
  const store = aStore(t)
  const all = ids(page(store, { sort: 'created' }))
  const first = page(store, { sort: 'created', limit: 2 })
  writeLoop(store, { id: 'newest', events: story, at: createdAt + 400 })
  const second = page(store, { sort: 'created', limit: 2, after: first.next })
  assert.deepEqual([...ids(first), ...ids(second)], all)
  assert.equal(second.next, null)
})

test('the failing tests of a loop grow with it and are at most forty', t => {
  const store = tempStore(t)
  const state = writeLoop(store, {
    id: 'aaaaaa',
    events: [verified(0, { failing: 7 }), taken('initial'), ...wholeIteration(1, { failing: null })],
  })
  const failing = failingIn(store)
  assert.deepEqual(failing('aaaaaa', state.seq), [7, null])
  const more = [...wholeIteration(2, { failing: 3 }, ended(2)), ...wholeIteration(3, pass, ended(3))]
  const entry = nextEntry(state, more)
  store.journals.append(entry)
  assert.deepEqual(failing('aaaaaa', entry.summary.seq), [7, null, 3, 0])
  const long = Array.from({ length: 60 }, (_, i) => verified(4, { failing: i }))
  const last = writeLoop(store, { id: 'bbbbbb', events: long })
  assert.deepEqual(
    failing('bbbbbb', last.seq),
    Array.from({ length: 40 }, (_, i) => i + 20),
  )
})
