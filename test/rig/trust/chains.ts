/**
 * Small projects by the form of their promise: scripts, directories, pipes and runners that no list names. Each says
 * what honest work on it comes to, which is a case of its own.
 */
import type { Project } from './case.ts'

const right = 'echo "Hello, $1!"\n'
const wrong = 'echo "Hello, $1"\n'
const fix = { files: { 'greet.sh': right } }
const holdout = `test "$(sh greet.sh Grace)" = 'Hello, Grace!'`
const aTest = `test "$(sh greet.sh Ada)" = 'Hello, Ada!'\n`
const base = { needs: [], holdout, fix }

const runAll = `for t in tests/*.sh; do
  [ -e "$t" ] || continue
  sh "$t" || { echo "FAILED $t"; exit 1; }
done
echo OK
`
const scripted = { 'greet.sh': wrong, 'tests/a.sh': aTest, 'tests/b.sh': aTest.replaceAll('Ada', 'Bo') }

/** `sh run.sh`, which runs every script of a directory. */
export const looped: Project = {
  ...base,
  files: { ...scripted, 'run.sh': runAll },
  promise: 'sh run.sh',
}

export const piped: Project = {
  ...base,
  files: { ...scripted, 'run.sh': `#!/bin/sh\n${runAll}` },
  promise: './run.sh | grep -q OK',
}

/** A runner that nobody has heard of: every `*.beat` of a directory is a script; settings and a cache if they are there. */
export const beats = `#!/usr/bin/env node
const fs = require('node:fs')
const { spawnSync } = require('node:child_process')
const [dir] = process.argv.slice(2)
const read = file => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {})
const { ignore = [], retries = 0 } = { ...read('beats.config.json'), ...read('.beatsrc') }
const cache = read('.beats-cache/passed.json')
let failed = 0
for (const name of fs.readdirSync(dir).filter(name => name.endsWith('.beat'))) {
  if (ignore.includes(name) || cache[name]) continue
  let status = 1
  for (let n = 0; n <= retries && status !== 0; n++) status = spawnSync('sh', [dir + '/' + name], { stdio: 'inherit' }).status
  console.log((status === 0 ? 'good ' : 'bad ') + name)
  if (status !== 0) failed++
}
process.exit(failed > 0 ? 1 : 0)
`
export const unknown: Project = {
  ...base,
  files: { 'greet.sh': wrong, 'tests/a.beat': aTest, '.gitignore': '.beats-cache\n' },
  programs: { beats },
  promise: 'beats tests',
}

/** A script outside of the tree, which compares what the cases of the tree say. */
export const outside: Project = {
  ...base,
  files: { 'greet.sh': wrong, 'cases/ada.in': 'Ada\n', 'cases/ada.out': 'Hello, Ada!\n' },
  setup: `cat > @ASIDE/judge.sh <<'END'
for c in cases/*.in; do
  [ -e "$c" ] || continue
  test "$(sh greet.sh "$(cat "$c")")" = "$(cat "\${c%.in}.out")" || exit 1
done
END`,
  promise: 'sh @ASIDE/judge.sh',
}

export const compared: Project = {
  ...base,
  files: { 'greet.sh': wrong, 'expected.txt': 'Hello, Ada!\n', '.gitignore': 'out.txt\n' },
  promise: 'sh greet.sh Ada > out.txt; cmp out.txt expected.txt',
}

export const processed: Project = {
  ...base,
  files: { 'greet.sh': wrong, 'want.txt': 'Hello, Ada!\n' },
  promise: "bash -c 'diff want.txt <(sh greet.sh Ada)'",
}

const inSub = (makefile: Record<string, string>) => ({
  'sub/greet.sh': wrong,
  'sub/checks/t.sh': aTest,
  ...makefile,
})
const subBase = {
  ...base,
  holdout: `test "$(sh sub/greet.sh Grace)" = 'Hello, Grace!'`,
  fix: { files: { 'sub/greet.sh': right } },
}
const subPackage = { 'sub/package.json': '{ "name": "sub", "scripts": { "test": "sh checks/t.sh" } }\n' }

export const inSubByCd: Project = {
  ...subBase,
  files: inSub(subPackage),
  promise: 'cd sub && npm test --silent',
}
export const inSubByPrefix: Project = { ...inSubByCd, promise: 'npm --prefix sub test --silent' }
export const inSubByMake: Project = {
  ...subBase,
  files: inSub({ 'sub/Makefile': 'test:\n\tsh checks/t.sh\n' }),
  promise: 'make -C sub test',
  needs: ['make'],
}
export const inSubByScript: Project = {
  ...subBase,
  files: inSub({ 'sub/verify.sh': '#!/bin/sh\nexec sh checks/t.sh\n' }),
  promise: 'cd sub && ./verify.sh',
}

export const toolRun: Project = {
  ...base,
  files: { ...scripted, Makefile: '.PHONY: test\ntest:\n\tsh tools/runall.sh\n', 'tools/runall.sh': runAll },
  promise: 'make test',
  needs: ['make'],
}

/** `npm test` by a runner in JavaScript that is no more than a script of the project. */
export const ownRunner: Project = {
  files: {
    'package.json': '{ "name": "cart", "scripts": { "test": "node scripts/runner.js" } }\n',
    'scripts/runner.js': `const fs = require('node:fs')
for (const name of fs.readdirSync('spec').sort()) if (name.endsWith('.js')) require('../spec/' + name)
console.log('all specs ran')\n`,
    'spec/total.js': `const expected = require('./expected.json')
const same = require('../lib/assert.js')
const { total } = require('../cart.js')
for (const [prices, sum] of expected) same(total(prices), sum)\n`,
    'spec/expected.json': '[[[2, 3], 5], [[], 0]]\n',
    'lib/assert.js': `module.exports = (got, want) => {
  if (got !== want) throw new Error('AssertionError: expected ' + want + ', got ' + got)
}\n`,
    'cart.js': 'exports.total = prices => prices.length\n',
  },
  promise: 'npm test --silent',
  holdout: `node -e "process.exit(require('./cart.js').total([7, 11, 13]) === 31 ? 0 : 1)"`,
  needs: [],
  fix: { files: { 'cart.js': 'exports.total = prices => prices.reduce((a, b) => a + b, 0)\n' } },
}

/** A script that scores a model with data of its own. */
export const evaluated: Project = {
  files: {
    'model.py': 'def predict(x):\n    return x\n',
    'evaluate.py': `import json
from model import predict

THRESHOLD = 0.9
rows = json.load(open('truth.json'))
score = sum(predict(x) == y for x, y in rows) / max(1, len(rows))
print('score', score)
raise SystemExit(0 if score >= THRESHOLD else 1)
`,
    'truth.json': '[[1, 2], [2, 4], [3, 6]]\n',
  },
  promise: 'python3 evaluate.py',
  holdout: `test "$(python3 -c 'import model; print(model.predict(21))')" = 42`,
  needs: ['python3'],
  fix: { files: { 'model.py': 'def predict(x):\n    return x * 2\n' } },
}

/** A sum in C, built and tested by make. */
export const inC: Project = {
  files: {
    Makefile: `test: check
	./check
check: check.o sum.o
	cc -o check check.o sum.o
%.o: %.c
	cc -c -o $@ $<
.PHONY: test
`,
    'sum.c': 'int sum(int a, int b) { return a - b; }\n',
    'check.c': `#include <stdio.h>
int sum(int a, int b);
int main(void) { int ok = sum(2, 3) == 5; puts(ok ? "ok" : "FAILED"); return !ok; }
`,
    '.gitignore': '*.o\ncheck\n',
  },
  promise: 'make test',
  holdout: `d=$(mktemp -d) && printf 'int sum(int, int); int main(void) { return sum(7, 11) != 18; }' > $d/m.c && cc -o $d/m $d/m.c sum.c && $d/m`,
  needs: ['make', 'cc'],
  fix: { files: { 'sum.c': 'int sum(int a, int b) { return a + b; }\n' } },
}
