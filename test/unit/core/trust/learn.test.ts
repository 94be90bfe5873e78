import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learntFrom, loadedBy } from '../../../../src/core/trust/learn.ts'
import { steeringKind, steeringRules } from '../../../../src/core/trust/steering.ts'
import type { SteeringKind } from '../../../../src/model/loop/trust.ts'

type Files = Record<string, string>
type Kinds = Record<string, SteeringKind | null>

const rows: [what: string, promise: string, files: Files, kinds: Kinds][] = [
  [
    'a script and what it calls',
    './verify.sh',
    {
      'verify.sh': '#!/bin/sh\nset -e\nexec sh checks/run.sh\n',
      'checks/run.sh': 'sh greet.sh | diff - checks/want.txt\n',
    },
    { 'verify.sh': 'script', 'checks/run.sh': 'script', 'checks/want.txt': 'test', 'greet.sh': null },
  ],
  [
    'a runner in a script',
    'bash ci/check',
    { 'ci/check': 'if true; then\n  FOO=1 timeout 60 pytest -q\nfi\n' },
    {
      'conftest.py': 'config',
      'tests/test_a.py': 'test',
      'pytest.py': 'config',
      'src/cart.py': null,
      'ci/other': null,
    },
  ],
  [
    'recipes, and files that are included',
    'make -s test',
    { Makefile: 'include more.mk\ntest:\n\t@sh checks/all.sh\n', 'more.mk': 'unit:\n\tgo test ./...\n' },
    {
      Makefile: 'config',
      'checks/all.sh': 'script',
      'a_test.go': 'test',
      test: 'script',
      'test/x': 'script',
    },
  ],
  [
    'a path that is put together when it runs',
    'sh ci/verify.sh',
    {
      'ci/verify.sh': 'here=$(dirname "$0")\nsh "$here/checks/run.sh"\n"$here/../app.sh"\n',
      'ci/checks/run.sh': 'true\n',
      'app.sh': 'true\n',
    },
    { 'ci/checks/run.sh': 'script', 'app.sh': null },
  ],
  [
    'a script in another language, and what it compares with',
    'node verify.js',
    {
      'verify.js':
        "spawnSync('sh', ['checks/run.sh']); readFileSync('golden/want.txt'); require('./lib/cart.js')\n",
      'checks/run.sh': 'true\n',
      'golden/want.txt': 'x\n',
      'lib/cart.js': 'x\n',
    },
    { 'checks/run.sh': 'script', 'golden/want.txt': 'test', 'golden/more.txt': 'test', 'lib/cart.js': null },
  ],
  [
    'what is named and is not there is nothing',
    './verify.sh',
    { 'verify.sh': '#!/bin/sh\n"$x/checks/run.sh"\n' },
    { 'checks/run.sh': null },
  ],
  [
    'a check outside of the tree, and the runner in it',
    'sh /home/me/checks/all.sh',
    { '/home/me/checks/all.sh': 'pytest -q\n' },
    { '/home/me/checks/all.sh': 'script', 'conftest.py': 'config' },
  ],
  [
    'a file that the promise reads, and that its script runs by',
    'grep -q x package.json && ./verify.sh',
    { 'verify.sh': '#!/bin/sh\nnpm test\n', 'package.json': '{}\n' },
    { 'package.json': 'config' },
  ],
  ['a file that is not there', './verify.sh', {}, { 'verify.sh': 'script', 'a.test.js': null }],
  ['a program that is no script', './run', { run: '\0' }, { run: 'script', 'a.test.js': null }],
]

test('what the scripts and recipes of a promise call steers it too', () => {
  for (const [what, promise, files, kinds] of rows) {
    const learnt = learntFrom([promise], path => (files[path]?.includes('\0') ? null : (files[path] ?? null)))
    const rules = steeringRules({ commands: [promise], learnt, rootFiles: Object.keys(files) })
    for (const [path, kind] of Object.entries(kinds))
      assert.equal(steeringKind(path, rules), kind, `${what}: ${path}`)
  }
})

test('scripts that call each other are read once', () => {
  let reads = 0
  const learnt = learntFrom(['./check.sh'], () => {
    reads += 1
    return '#!/bin/sh\n./check.sh\n./test.sh\n'
  })
  assert.deepEqual([reads, learnt.length], [2, 2])
})

test('a new file that is loaded by changed settings counts as part of them', () => {
  const files = ['calm.cjs', 'lib/kind.py', 'src/foo.js']
  const loaded = (text: string) => loadedBy([text], files)
  assert.deepEqual(loaded('node-options=--require ./calm.cjs'), ['calm.cjs'])
  assert.deepEqual(loaded('addopts = "-p kind"'), ['lib/kind.py'])
  assert.deepEqual(loaded('{ "main": "src/foo.js" }'), [])
})
