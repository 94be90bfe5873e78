import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steeringKind, steeringRules } from '../../../../src/core/trust/steering.ts'
import type { SteeringKind } from '../../../../src/model/loop/trust.ts'

const npm = ['npm test']
const rows: [string[], string[], Record<string, SteeringKind | null>][] = [
  [
    npm,
    ['package.json', 'src'],
    {
      'package.json': 'config',
      'packages/a/package.json': 'config',
      'package-lock.json': 'config',
      '.npmrc': 'config',
      'vitest.config.ts': 'config',
      'jest.setup.js': 'config',
      'test/setup-tests.js': 'config',
      'tsconfig.build.json': 'config',
      '.eslintrc.cjs': 'config',
      'node_modules/.bin/jest': 'tool',
      'node_modules/jest-circus/build/run.js': 'tool',
      'test/cart.test.js': 'test',
      'src/__snapshots__/a.snap': 'test',
      'src/cart.spec.ts': 'test',
      'src/cart.ts': null,
      'README.md': null,
      'conftest.py': 'test',
      'pyproject.toml': null,
      Makefile: null,
    },
  ],
  [
    ['python -m pytest -q'],
    ['pyproject.toml'],
    {
      'conftest.py': 'config',
      'pkg/conftest.py': 'config',
      'pyproject.toml': 'config',
      '.venv/lib/python3/site-packages/pytest/__init__.py': 'tool',
      'tests/test_a.py': 'test',
      'pkg/a.py': null,
      'package.json': null,
    },
  ],
  [
    ['make test'],
    ['Makefile', 'go.mod'],
    {
      Makefile: 'config',
      'rules.mk': 'config',
      'go.mod': 'config',
      'a_test.go': 'test',
      'a.go': null,
      'package.json': null,
    },
  ],
  [
    ['cargo clippy -- -D warnings && cargo test'],
    [],
    { 'build.rs': 'config', '.cargo/config.toml': 'tool', 'tests/a.rs': 'test', 'src/lib.rs': null },
  ],
  // No known runner: only the promise's own script.
  [
    ['./verify.sh'],
    ['package.json'],
    { 'verify.sh': 'script', 'package.json': null, 'test/a.test.js': null },
  ],
  [['sh ci/check.sh --fast'], [], { 'ci/check.sh': 'script', 'ci/other.sh': null }],
  [["grep -q 'done' notes.txt"], [], { 'notes.txt': null }],
  [['! grep -rq TODO src/'], [], { 'src/a.js': null }],
  [['FOO=1 bash ./scripts/../verify'], [], { verify: 'script' }],
  // The promise reads the file as the work, not as a judge of it.
  [['sh greet.sh | grep -q world'], [], { 'greet.sh': null }],
  [['./run.sh 2>&1 | grep -q ok || exit 1'], [], { 'run.sh': null }],
  [['./verify.sh | tee log'], [], { 'verify.sh': 'script' }],
  [['sh test.sh && sh greet.sh | grep -q moon'], [], { 'test.sh': 'script', 'greet.sh': null }],
  [['./run.sh || exit 1'], [], { 'run.sh': 'script' }],
  // A program of the product is no check.
  [['node app.js | grep -q ok'], [], { 'app.js': null }],
  [['node scripts/check.js'], [], { 'scripts/check.js': 'script' }],
  [
    ['grep -q 1.1.0 package.json && node --test'],
    [],
    { 'package.json': null, 'packages/a/package.json': 'config', 'a.test.js': 'test' },
  ],
  // What another command of the promise runs by is no less a judge for being read.
  [['grep -q jest package.json'], ['package.json'], { 'package.json': null }],
  [['grep -q x package.json; npm test'], ['package.json'], { 'package.json': 'config' }],
  [['npm test', 'jq -e .name package.json'], ['package.json'], { 'package.json': 'config' }],
  [["grep -q x package.json && sh -c 'npm test'"], ['package.json'], { 'package.json': 'config' }],
  [['grep -q x package.json && node --run test'], ['package.json'], { 'package.json': 'config' }],
  [['timeout 5 grep -q x package.json && pytest'], [], { 'package.json': null }],
  [['grep -q all: Makefile'], ['Makefile'], { Makefile: null }],
  [['grep -q all: Makefile && make all'], ['Makefile'], { Makefile: 'config' }],
  [['cat package.json && make all'], ['Makefile', 'package.json'], { 'package.json': 'config' }],
  [['grep -q x pyproject.toml && pytest -q'], [], { 'pyproject.toml': 'config' }],
  [['grep -q 1.1.0 pyproject.toml && python3 -m unittest'], [], { 'pyproject.toml': null }],
  [['grep -q x conftest.py && python3 -m unittest'], [], { 'conftest.py': 'config' }],
  [['grep -q refund a.test.js'], ['package.json'], { 'a.test.js': null }],
  [['grep -q refund a.test.js && npm test'], ['package.json'], { 'a.test.js': 'test' }],
  [
    ['sh checks/run.sh && grep -q ok checks/want.txt'],
    [],
    { 'checks/run.sh': 'script', 'checks/want.txt': 'test' },
  ],
  [['timeout 60 npx vitest run'], [], { 'vitest.config.mts': 'config' }],
  [["bash -c 'cd api && pytest -q'"], [], { 'api/conftest.py': 'config' }],
]

test('what steers a promise, by the tools it names and the files it runs', () => {
  for (const [commands, root, files] of rows) {
    const rules = steeringRules({ commands, rootFiles: root })
    for (const [path, kind] of Object.entries(files))
      assert.equal(steeringKind(path, rules), kind, `${commands.join(' ; ')}: ${path}`)
  }
})

test('the scripts of package.json run only if the promise calls them', () => {
  const scripts = ['make all', 'eslint . && grep -q x package.json']
  const kindBy = (promise: string, path: string) =>
    steeringKind(path, steeringRules({ promise: [promise], commands: [promise, ...scripts], rootFiles: [] }))
  assert.equal(kindBy('grep -q x package.json', 'package.json'), null)
  assert.equal(kindBy('grep -q x package.json && node --test', 'package.json'), null)
  assert.equal(kindBy('grep -q x package.json && npm test', 'package.json'), 'config')
  assert.equal(kindBy('grep -q all: Makefile && node --test', 'Makefile'), null)
  assert.equal(kindBy('grep -q all: Makefile && npm test', 'Makefile'), 'config')
  assert.equal(kindBy('npm test', 'package.json'), 'config', 'read by a script, not by the promise')
})
