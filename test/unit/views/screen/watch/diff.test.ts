/** The colours of a patch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Look } from '../../../../../src/views/screen/look.ts'
import { diffInk } from '../../../../../src/views/screen/loop-panes.ts'

const look: Look = { colour: true, unicode: true }

test('the names of files in the head of a patch are no removed and no added lines', () => {
  const inkOf = (row: string) => diffInk(look, row).replace(row, '…')
  const [head, removed, added] = ['diff --git a/x b/x', '-gone', '+new'].map(inkOf)
  assert.equal(new Set([head, removed, added]).size, 3)
  for (const row of ['--- a/cart.js', '+++ b/cart.js', '--- /dev/null', '+++ "b/caf\\303\\251.js"'])
    assert.equal(inkOf(row), head, row)
  assert.equal(inkOf('--- a comment of SQL'), removed)
  assert.equal(inkOf('++++'), added)
})
