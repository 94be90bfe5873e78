/** What a promise runs and what it only looks at, read from its text and from the files that it calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Chain, chainOf, dividedBy } from '../../../../src/core/trust/chain.ts'

const files: Record<string, string> = {
  'run.sh': 'for t in tests/*.sh; do [ -e "$t" ] || continue; sh "$t" || exit 1; done\n',
  'tests/a.sh': 'grep -q fixed src.txt\n',
  'greet.sh': 'echo "Hello, $1"\n',
  'evaluate.py': 'from solution import f\nassert f(2) == 4\n',
  'solution.py': 'def f(x): return x\n',
  'package.json': '{ "scripts": { "test": "node scripts/runner.js", "lint": "eslint ." } }\n',
  'scripts/runner.js': "require('node:child_process').execSync('true')\n",
  Makefile: 'include more.mk\ntest:\n\t@sh tools/runall.sh\n',
  'more.mk': 'check:\n\tsh tools/more.sh\n',
  'tools/runall.sh': 'sh greet.sh Ada > out.txt && diff out.txt golden/want.txt\n',
  'tools/more.sh': 'true\n',
  'golden/want.txt': 'x\n',
  'greet.awk': '{ print "Hello", $1 }\n',
  'verify.sh': '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nexec sh "$here/checks/run.sh"\n',
  'checks/run.sh': 'node cart.js\n',
  'cart.js': 'exports.total = 1\n',
  'sub/package.json': '{ "scripts": { "test": "sh t.sh" } }\n',
  'sub/t.sh': 'true\n',
  'sub/Makefile': 'test:\n\tsh checks/t.sh\n',
  'sub/checks/t.sh': 'true\n',
  'sub/verify.sh': 'true\n',
  'order.txt': 'tests/a.sh\n',
  'checks/all.mjs': "throw new Error('x')\n",
}

const tree = {
  read: (path: string) => files[path] ?? null,
  list(directory: string) {
    const below = Object.keys(files).filter(path => directory === '' || path.startsWith(`${directory}/`))
    const from = directory === '' ? 0 : directory.length + 1
    return [...new Set(below.map(path => path.slice(from).split('/')[0] ?? ''))]
  },
}

type Part = Pick<Chain, 'scripts' | 'runs' | 'inspected' | 'compared'>
const nothing: Part = { scripts: [], runs: [], inspected: [], compared: [] }

const rows: [promise: string, comes: Partial<Part>][] = [
  ['sh run.sh', { scripts: ['run.sh'], runs: ['tests/*.sh'] }],
  ['./run.sh | grep -q OK', { scripts: ['run.sh'], runs: ['tests/*.sh'] }],
  ['for t in tests/*.sh; do sh "$t"; done', { runs: ['tests/*.sh'] }],
  ['for f in golden/*.txt; do grep -q x "$f"; done', { inspected: ['golden/*.txt'] }],
  ['while read -r t; do sh "$t"; done < order.txt', { scripts: ['order.txt'], runs: ['tests/a.sh'] }],
  ['python3 -m pytest -q -p no:cacheprovider tests', { runs: ['tests'] }],
  ['cat tests/a.sh | sh', { scripts: ['tests/a.sh'] }],
  ['sh -e < checks/run.sh', { scripts: ['checks/run.sh'] }],
  ['eval "$(cat checks/run.sh)"', { scripts: ['checks/run.sh'] }],
  ['env A=1 sh <<E\n. ./checks/run.sh\nE', { scripts: ['checks/run.sh'] }],
  ['d=checks; sh "$d/run.sh"', { scripts: ['checks/run.sh'] }],
  ['node --import ./cart.js checks/all.mjs', { scripts: ['checks/all.mjs'], compared: ['cart.js'] }],
  [`node -e "require('./solution.py')"`, { inspected: ['solution.py'] }],
  [`node -e "require('./evaluate.py')"`, { scripts: ['evaluate.py'] }],
  ['test "$(sh greet.sh Ada)" = "$(cat golden/want.txt)"', { compared: ['golden/want.txt'] }],
  ['test "$(cat golden/want.txt)" = x', { inspected: ['golden/want.txt'] }],
  ['grep -qxFf golden/want.txt out.txt', { inspected: ['out.txt'], compared: ['golden/want.txt'] }],
  ['python3 evaluate.py', { scripts: ['evaluate.py'] }],
  ['FOO=1 timeout 60 python3 -m evaluate', { scripts: ['evaluate.py'] }],
  ['cd sub && ./verify.sh', { scripts: ['sub/verify.sh'] }],
  ['cd sub && npm test', { scripts: ['sub/t.sh'] }],
  ['npm --prefix sub test', { scripts: ['sub/t.sh'] }],
  ['npm --prefix=sub run test', { scripts: ['sub/t.sh'] }],
  ['make -C sub test', { scripts: ['sub/checks/t.sh'] }],
  ['npm test', { scripts: ['scripts/runner.js'] }],
  ['npm run lint', { inspected: [''] }],
  ['make test', { scripts: ['tools/runall.sh', 'tools/more.sh'], compared: ['out.txt', 'golden/want.txt'] }],
  ['./verify.sh', { scripts: ['verify.sh', 'checks/run.sh'] }],
  // The output of a program that names no other file of the tree is compared: the program is the work.
  ['sh greet.sh moon | grep -q "moon!"', {}],
  ['[[ $(sh greet.sh moon) == moon ]]', {}],
  ['diff <(sh greet.sh Ada) golden/want.txt', { compared: ['golden/want.txt'] }],
  ['test "$(sh greet.sh)" = x', {}],
  ['test -f done.txt && [ -s cart.js ]', { inspected: ['done.txt', 'cart.js'] }],
  ['bats tests', { runs: ['tests'] }],
  ['node --test', {}],
  ['eslint . && npm test', { scripts: ['scripts/runner.js'], inspected: [''] }],
  ['grep -q x README.md', { inspected: ['README.md'] }],
  ['node -e "require(\'./cart.js\').total"', { inspected: ['cart.js'] }],
  ['node --check cart.js', { inspected: ['cart.js'] }],
  ["sh -c 'cd sub && sh t.sh'", { scripts: ['sub/t.sh'] }],
  ['find tests -name "*.sh" -exec sh {} +', { runs: ['tests'] }],
  ['find tests -name "*.sh" -exec sh -n {} +', { inspected: ['tests'] }],
  ['find tests -name "*.sh" | xargs -n1 sh', { runs: ['tests'] }],
  ['find tests -name "*.sh" | xargs -n1 sh -n && node --test', { inspected: ['tests'] }],
  ['ls tests | while read t; do sh "tests/$t"; done', { scripts: [], runs: ['tests', 'tests/*'] }],
  ['ls tests | while read t; do sh -n "tests/$t"; done', { inspected: ['tests', 'tests/$t'] }],
  ['tsc --noEmit -p .', { inspected: [''], compared: ['tsconfig.json'] }],
  ['tsc -p sub', { inspected: ['sub'], compared: ['sub/tsconfig.json'] }],
  // Nobody asks how it ends, unless somebody waits for it.
  ['sh greet.sh & sleep 1; curl -sf http://127.0.0.1:8080', {}],
  ['sh greet.sh & wait $!', { scripts: ['greet.sh'] }],
  ['sh checks/run.sh & sleep 1; grep ok README.md', { scripts: ['checks/run.sh'], inspected: ['README.md'] }],
  [
    'awk -f greet.awk names.txt | diff - golden/want.txt',
    { inspected: ['greet.awk', 'names.txt'], compared: ['golden/want.txt'] },
  ],
  ['awk -f greet.awk names.txt', { inspected: ['names.txt'], compared: ['greet.awk'] }],
]

for (const [promise, comes] of rows)
  test(promise, () => {
    const { scripts, runs, inspected, compared } = chainOf([promise], tree)
    const inTree = (paths: string[]) => paths.filter(path => !path.startsWith('/dev/'))
    assert.deepEqual({ scripts, runs, inspected, compared: inTree(compared) }, { ...nothing, ...comes })
  })

test('a promise that asks for tests', () => {
  const wants = (promise: string) => chainOf([promise], tree).wantsTests
  assert.ok(wants('test -f a.test.js && ! node --test a.test.js'))
  assert.ok(wants('c8 --check-coverage --lines 80 node --test'))
  assert.ok(wants('pytest --cov-fail-under=80'))
  assert.ok(!wants('! grep -q TODO src.js'))
  assert.ok(!wants('node --test'))
})

test('a promise that only looks runs nothing', () => {
  assert.ok(!chainOf(['eslint . && grep -q x README.md && test -f a'], tree).isRunning)
  assert.ok(chainOf(['eslint . && node --test'], tree).isRunning)
})

test('commands that are joined are looked at one by one', () => {
  const parts = (command: string) => {
    const { running, looking } = dividedBy(command, tree)
    return [running, looking]
  }
  assert.deepEqual(parts('eslint . && node --test'), ['node --test', 'eslint .'])
  assert.deepEqual(parts('cd sub && npm run lint && npm test'), ['cd sub && npm run lint && npm test', null])
  assert.deepEqual(parts('npm run lint && npm test'), ['npm test', 'npm run lint'])
  assert.deepEqual(parts('cd sub && eslint "a && b" && make test'), [
    'cd sub && make test',
    'cd sub && eslint "a && b"',
  ])
  assert.deepEqual(parts('rm -rf dist && ! node --test && test -f dist/a'), [
    'rm -rf dist && ! node --test',
    'test -f dist/a',
  ])
  assert.deepEqual(parts('eslint .'), [null, 'eslint .'])
  // In any other order each command may depend on how the one before it ended.
  for (const command of ['eslint . || node --test', 'eslint .; node --test', '(eslint . && node --test)'])
    assert.deepEqual(parts(command), [command, null])
  assert.deepEqual(chainOf(['eslint tests && node --test'], tree).looked, ['tests'])
  assert.deepEqual(chainOf(['eslint tests'], tree).looked, [])
})
