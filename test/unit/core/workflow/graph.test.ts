/** The graph of a workflow: order, circles, and the loops that run in the main tree. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { circlesOf, placesOf, predecessorsOf } from '../../../../src/core/workflow.ts'

/** `b: a` means that b needs a. */
function graph(text: string): { id: string; needs: string[] }[] {
  return text.split(';').map(part => {
    const [id = '', needs = ''] = part.split(':').map(word => word.trim())
    return { id, needs: needs.split(' ').filter(Boolean) }
  })
}

function inTree(text: string): string {
  return [...placesOf(graph(text))].flatMap(([id, place]) => (place === 'tree' ? [id] : [])).join(' ')
}

test('a chain runs in the tree, what may run side by side in copies', () => {
  assert.equal(inTree('a'), 'a')
  assert.equal(inTree('a; b: a; c: b'), 'a b c')
  assert.equal(inTree('a; b'), '')
  assert.equal(inTree('a; b: a; c: a; d: b c'), 'a d')
  assert.equal(inTree('a; b: a; c: a; d: b'), 'a')
  assert.equal(inTree('a; b: a; c: b; x'), '')
  assert.equal(inTree('a; b: a; c: a b'), 'a b c')
})

test('all that comes before', () => {
  assert.deepEqual(predecessorsOf(graph('a; b: a; c: b nobody')).get('c'), new Set(['a', 'b']))
})

test('circles are named once, from the first', () => {
  assert.deepEqual(circlesOf(graph('a: a')), [['a']])
  assert.deepEqual(circlesOf(graph('a: b; b: c; c: a')), [['a', 'b', 'c']])
  assert.deepEqual(circlesOf(graph('x: a; a: b; b: a; c: d; d: c')), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(circlesOf(graph('a; b: a; c: a b')), [])
})

test('no two loops that may run at once are both in the tree', () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 })
  fc.assert(
    fc.property(edges, pairs => {
      const loops = Array.from({ length: 10 }, (_, i) => ({
        id: String(i),
        needs: pairs
          .filter(([a, b]) => Math.max(a, b) === i && a !== b)
          .map(([a, b]) => String(Math.min(a, b))),
      }))
      const before = predecessorsOf(loops)
      const places = placesOf(loops)
      for (const { id } of loops) {
        const beside = loops.some(
          other => other.id !== id && !before.get(id)?.has(other.id) && !before.get(other.id)?.has(id),
        )
        assert.equal(places.get(id), beside ? 'copy' : 'tree')
      }
      assert.deepEqual(circlesOf(loops), [])
    }),
  )
})
