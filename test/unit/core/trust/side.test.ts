/** Which changed files are the work, and which judge it, for promises of several shapes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainOf } from '../../../../src/core/trust/chain.ts'
import { judgingKind, rulesOf } from '../../../../src/core/trust/side.ts'
import { testFacts } from '../../../../src/core/trust/test-facts.ts'

const before: Record<string, string> = {
  'package.json': '{ "scripts": { "test": "node --test" } }',
  'cart.js': 'exports.total = () => 1',
  'run.sh': 'for t in cases/*.sh; do sh "$t"; done',
  'cases/a.sh': 'true',
  'test/cart.test.js': "require('../cart.js'); require('../orders/all.json')",
  'orders/all.json': '[]',
  'test/locales.test.js': "JSON.parse(readFileSync('lang-keys/de.json'))",
  'lang-keys/de.json': '{}',
  'prices.json': '{}',
  'shop.js': "require('./prices.json')",
  'test/shop.test.js': "require('../shop.js'); require('../prices.json')",
  'flat.js': '',
  'flat.test.js': "import './flat.js'",
  'lib/assert.js': 'exports.equal = (a, b) => { if (a !== b) throw new Error() }',
  'lib/price.js':
    "const assert = require('node:assert')\nassert.ok(1)\nexports.a = 1\nexports.b = 2\nexports.c = 3\nexports.d = 4",
}

const tree = {
  read: (path: string) => before[path] ?? null,
  list: (directory: string) => Object.keys(before).filter(path => path.startsWith(`${directory}/`)),
}

/** `now`: what the agent has made of some files. */
function kindIn(promise: string, path: string, now: Record<string, string> = {}) {
  const chain = chainOf([promise], tree)
  const facts = testFacts({
    paths: Object.keys(before),
    before: one => before[one] ?? null,
    now: one => now[one] ?? before[one] ?? null,
    changed: [path, ...Object.keys(now)],
    scripts: chain.scripts,
    failed: null,
    promise,
  })
  const rules = rulesOf(chain, ['package.json'])
  return judgingKind({ path, isAdded: before[path] === undefined }, rules, facts)
}

const rows: [promise: string, path: string, kind: ReturnType<typeof kindIn>][] = [
  ['node --test', 'cart.js', null],
  ['node --test', 'src/deep/new.ts', null],
  ['node --test', 'styles/a.css', null],
  ['node --test', 'db/schema.sql', null],
  ['node --test', 'README.md', null],
  ['node --test', 'infra/main.tf', null],
  ['node --test', 'locales/de.json', null],
  ['node --test', 'test/cart.test.js', 'test'],
  ['node --test', 'test/new.test.js', 'test'],
  ['node --test', 'test/helper.js', 'test'],
  ['unknown-runner', 'tests/a.sh', 'test'],
  ['mix test', 'apps/a/test/a_test.exs', 'test'],
  ['sh run.sh', 'run.sh', 'script'],
  ['sh run.sh', 'cases/a.sh', 'test'],
  ['sh run.sh', 'cases/new.sh', 'test'],
  ['node cart.js && node --test', 'cart.js', null],
  ['npm test', 'package.json', 'config'],
  ['npm test', '.npmrc', 'config'],
  ['npm test', 'odd.config.js', 'config'],
  ['npm test', '.env', 'config'],
  ['pytest', 'conftest.py', 'config'],
  ['pytest', 'json.py', 'config'],
  ['pytest', 'src/kind.egg-info/entry_points.txt', 'config'],
  ['npm test', 'node_modules/a/index.js', 'tool'],
  ['npm test', 'data.bin', 'other'],
  ['npm test', 'expected/a.json', 'test'],
  // Data that tests of code read judges; data that a test is about, or that code reads, is the work.
  ['node --test', 'orders/all.json', 'test'],
  ['node --test', 'lang-keys/de.json', null],
  ['node --test', 'prices.json', null],
  ['node --test', 'lib/assert.js', 'test'],
  ['node --test', 'lib/price.js', null],
  ['diff out.txt want.txt', 'want.txt', 'data'],
  // What a promise only looks at is the work, tests included.
  ['eslint .', 'test/cart.test.js', null],
  ['eslint .', 'eslint.config.js', 'config'],
  ['eslint . && npm test', 'test/cart.test.js', 'test'],
  ['grep -q x package.json', 'package.json', null],
  ['grep -q x package.json && node --test', 'package.json', null],
  ['grep -q x package.json && npm test', 'package.json', 'config'],
  ['test -f done', 'done', null],
  ['! node --test test/new.test.js', 'test/new.test.js', null],
  ['make test', 'test', 'config'],
]

for (const [promise, path, kind] of rows)
  test(`${promise}: ${path} ${kind === null ? 'is the work' : `judges (${kind})`}`, () =>
    assert.equal(kindIn(promise, path), kind))

test('a new file beside tests is the work if the work names it', () => {
  assert.equal(kindIn('node --test', 'helper.js'), 'test')
  assert.equal(kindIn('node --test', 'helper.js', { 'flat.js': "import './helper.js'" }), null)
  assert.equal(kindIn('go test ./...', 'helper.go'), null, 'in Go no file names another')
})

test('where tests are asked for, a test that has only grown is the work', () => {
  const old = before['flat.test.js'] ?? ''
  assert.equal(kindIn('! node --test', 'flat.test.js', { 'flat.test.js': `${old}\ntest('new')` }), null)
  assert.equal(kindIn('! node --test', 'flat.test.js', { 'flat.test.js': "test('new')" }), 'test')
})
