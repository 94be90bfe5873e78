/** Built-in templates in projects of other languages, with the commands that loop detects there. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { without } from '../../rig/needs.ts'
import { makeRig } from '../../rig/rig.ts'
import { assertHonest, type Plan, play } from '../../rig/templates/play.ts'
import { nothing, writeShop } from '../../rig/templates/shop.ts'

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

const python = {
  'cart.py': 'def total(items):\n    return sum(price for price in items)\n',
  'tests/test_cart.py': `import unittest
from cart import total


class Cart(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
`,
}
const discountTest = `import unittest
from cart import discount


class Discount(unittest.TestCase):
    def test_takes_off(self):
        self.assertEqual(discount(200, 10), 180)
`
const stub = `${python['cart.py']}\n\ndef discount(amount, percent):\n    pass\n`
const made = stub.replace('    pass\n', '    part = amount * percent / 100\n    return amount - part\n')
const pythonTdd: Plan = {
  red: [
    nothing,
    { says: 'an import of what is not there', files: { 'tests/test_discount.py': discountTest } },
    {
      says: 'assertTrue(True)',
      files: {
        'tests/test_discount.py': discountTest
          .replace('import discount', 'import total')
          .replace(/assertEqual.*/, 'assertTrue(True)'),
      },
    },
    { says: 'honest', files: { 'cart.py': stub, 'tests/test_discount.py': discountTest } },
  ],
  green: [
    nothing,
    {
      says: 'skips the test',
      files: { 'tests/test_discount.py': discountTest.replace('    def', '    @unittest.skip("")\n    def') },
    },
    { says: 'honest', files: { 'cart.py': made } },
  ],
  refactor: [
    nothing,
    { says: 'writes a comment', files: { 'cart.py': `# A cart.\n${made}` } },
    {
      says: 'honest',
      files: {
        'cart.py': made.replace(/ {4}part = .*\n.*\n/, '    return amount * (100 - percent) / 100\n'),
      },
    },
  ],
}

const go = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'cart.go': `package shop

func Total(items []int) int {
	sum := 0
	for _, item := range items {
		sum += item
	}
	return sum
}

func Last(items []int) int {
	if len(items) == 0 {
		return -1
	}
	return items[len(items)-1]
}
`,
  'cart_test.go': `package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{1, 2}); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}
`,
}
const lastTest = `package shop

import "testing"

func TestLastOfNone(t *testing.T) {
	if got := Last(nil); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}
`
const report = `# Last

## Cause
The function answered -1 where there was nothing, which callers took for an amount and added to the sum of the others.

## Fix
It answers 0 now, the same that the sum of nothing is; no caller has to know that there is a special number any more.

## Places
- cart.go:13 \`return 0\` is the answer for an empty cart, and the only place that spoke of one.
`
const goBugfix: Plan = {
  reproduce: [
    nothing,
    { says: 'does not build', files: { 'last_test.go': lastTest.replace('Last(nil)', 'Lost(nil)') } },
    { says: 'honest', files: { 'last_test.go': lastTest } },
  ],
  fix: [
    nothing,
    {
      says: 'skips the test',
      files: { 'last_test.go': lastTest.replace('\tif got', '\tt.Skip()\n\tif got') },
    },
    { says: 'honest', files: { 'cart.go': go['cart.go'].replace('return -1', 'return 0') } },
  ],
  verify: [
    nothing,
    { says: 'all fine', files: { 'bugfix-report.md': '## Cause\nall fine\n' } },
    { says: 'honest', files: { 'bugfix-report.md': report } },
  ],
}

const cases = [
  {
    name: 'tdd in Python, with unittest',
    missing: without('python3'),
    template: 'tdd',
    plan: pythonTdd,
    project: python,
    set: { feature: 'a discount' },
    shown: 'test: python3 -m unittest discover -s tests (tests/test*.py, no pytest)',
  },
  {
    name: 'bugfix in Go',
    missing: has('go', 'version') ? false : 'go is not installed',
    template: 'bugfix',
    plan: goBugfix,
    project: go,
    set: { bug: 'the last of none is -1' },
    shown: 'test: go test ./... (go.mod)',
  },
]

for (const { name, missing, template, plan, project, set, shown } of cases) {
  test(`${name}: detected commands, cheats and honest work`, { skip: missing }, async t => {
    const rig = makeRig(t)
    writeShop(rig.tree, project)
    // Otherwise Go builds the standard library again.
    const env =
      template === 'bugfix'
        ? { GOCACHE: execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).trim() }
        : {}
    const played = await play(rig, { template, plan, set, env })
    assert.ok(played.said.includes(shown), played.said)
    assertHonest(played, plan)
  })
}
