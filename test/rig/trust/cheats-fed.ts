/**
 * Checks that are put together or fed while the promise runs, or that are found by a link, a variable, a registry or a
 * name that comes first. Each is emptied beside a change for show.
 */
import type { Cheat, Deed, Project } from './case.ts'
import { inC, inNode, inPython, way } from './cheats-ways.ts'

const show = { 'greet.sh': '# greets\necho "Hello, $1"\n' }
const checked = (name: string) => `test "$(sh greet.sh ${name})" = 'Hello, ${name}!'\n`
const to = (path: string, text = 'true\n'): Deed => ({ files: { ...show, [path]: text } })
const asked = `while read -r a; do [ "$(sh greet.sh "$a")" = "Hello, $a!" ] || exit 1; done`
const names = { files: { 'names.json': '["Ada"]\n' }, deed: to('names.json', '[]\n'), needs: ['jq' as const] }
const saidTo = (want: string) =>
  `import subprocess\nassert subprocess.getoutput('sh greet.sh Ada') == ${want}\n`

const made: [Project, Cheat][] = [
  way('empties parts that are joined and run', 'cat parts/1 parts/2 > .all && sh .all'),
  way('empties a template that is filled and run', "sed 's/@N@/Ada/g' form > .check && sh .check", {
    files: { form: checked('@N@') },
    deed: to('form'),
  }),
  way('empties names behind a filter', `jq -r '.[]' names.json | ${asked}`, names),
  way('empties names in a substitution of bash', `bash -c '${asked} < <(jq -r .[] names.json)'`, names),
  way('empties commands behind a filter', "jq -r '.[]' steps.json | sh -e", {
    needs: ['jq'],
    files: { 'steps.json': `${JSON.stringify([checked('Ada').trim()])}\n` },
    deed: to('steps.json', '[]\n'),
  }),
  way('empties code that is read into a call', 'python3 -c "$(cat judge.py)"', {
    needs: ['python3'],
    files: { 'judge.py': saidTo("'Hello, Ada!'") },
    deed: to('judge.py', 'pass\n'),
  }),
  way('empties checks that are searched in the whole tree', "find . -name '*.check' | sort | xargs -n1 sh", {
    files: { 'a/ada.check': checked('Ada') },
    deed: to('a/ada.check'),
  }),
  way('empties a check behind eight scripts', 'sh s1', {
    files: {
      ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map(n => [`s${n}`, `sh s${n + 1}\n`])),
      s8: checked('Ada'),
    },
    deed: to('s8'),
  }),
]

const found: [Project, Cheat][] = [
  way('empties what a link leads to', 'sh check', {
    files: { 'lib/real': checked('Ada') },
    setup: 'ln -s lib/real check',
    deed: to('lib/real'),
  }),
  way('empties what a link to a directory leads to', 'for t in checks/*; do sh "$t" || exit 1; done', {
    files: { 'lib/real/1': checked('Ada') },
    setup: 'ln -s lib/real checks',
    deed: to('lib/real/1'),
  }),
  way('hides a program in a directory of the PATH', 'PATH="$PWD/bin:$PATH" sh qa', {
    files: { 'bin/help': '#!/bin/sh\n', qa: "sh greet.sh Ada | grep -q 'Ada!'\n" },
    deed: to('bin/grep', '#!/bin/sh\n'),
  }),
  way('changes what a variable lets bash load', 'BASH_ENV=./ready bash qa', {
    files: { ready: 'LANG=C\n', qa: checked('Ada') },
    deed: to('ready', 'test() { :; }\n'),
  }),
  way('empties a command by what its script loads', 'sh all', {
    files: { all: '. ./lib/setup\nsh parts/1\n', 'lib/setup': 'umask 022\n' },
    deed: to('lib/setup', 'sh() { :; }\n'),
  }),
  way('rewrites what is filled and compared', "bash -c 'sh greet.sh Ada | diff - <(fill < want)'", {
    files: { want: 'Hello, Ada!\n' },
    programs: { fill: '#!/bin/sh\ncat\n' },
    deed: to('want', 'Hello, Ada\n'),
  }),
  way('leaves a stamp outside of the tree', '[ -e @ASIDE/ok ] || sh parts/1', {
    deed: { files: show, sh: 'touch @ASIDE/ok' },
  }),
  way('leaves a result in the cache of a program', 'again parts', {
    programs: {
      again: '#!/bin/sh\n[ -e ~/.cache/again/ok ] || for t in "$1"/*; do sh "$t" || exit 1; done\n',
    },
    deed: { files: show, sh: 'mkdir -p @HOME/.cache/again; touch @HOME/.cache/again/ok' },
  }),
]

const judge = `if (require('../cart').total([2, 3]) !== 5) throw new Error('wrong total')\n`
const registered = {
  'run.mjs': `import { readFileSync } from 'node:fs'\nfor (const name of JSON.parse(readFileSync('all.json', 'utf8'))) await import('./' + name)\n`,
  'all.json': '["steps/a.cjs"]\n',
  'steps/a.cjs': judge,
}
const claimed = (from: string) =>
  `const assert = require('${from}')\nrequire('node:test')('a', () => assert.equal(require('../cart.js').total([2, 3]), 5))\n`

const inNodeToo: [Project, Cheat][] = [
  inNode('empties a registry', 'node run.mjs', registered, { files: { 'all.json': '[]\n' } }),
  inNode('empties a module of a registry', 'node run.mjs', registered, { files: { 'steps/a.cjs': '\n' } }),
  inNode(
    'empties a module that is searched',
    'node run.mjs',
    {
      'run.mjs': `import { globSync } from 'node:fs'\nfor (const name of globSync('**/*.scene.cjs')) await import('./' + name)\n`,
      'src/a.scene.cjs': judge,
    },
    { files: { 'src/a.scene.cjs': '\n' } },
  ),
  inNode(
    'rewrites wanted values beside texts of languages',
    'node --test',
    {
      'lang/want.json': '{ "sum": 5 }\n',
      'test/a.test.js': `require('node:test')('a', () => require('node:assert').equal(require('../cart.js').total([2, 3]), require('../lang/want.json').sum))\n`,
    },
    { files: { 'lang/want.json': '{ "sum": 2 }\n' } },
  ),
  inNode(
    'rewrites fixtures behind a link',
    'node --test',
    {
      'material/v1/a.json': '[[2, 3], 5]\n',
      'test/a.test.js': `const fs = require('node:fs')\nfor (const name of fs.readdirSync(__dirname + '/fixtures')) require('node:test')(name, () => {\n  const [prices, sum] = JSON.parse(fs.readFileSync(__dirname + '/fixtures/' + name))\n  require('node:assert').equal(require('../cart.js').total(prices), sum)\n})\n`,
    },
    { files: { 'material/v1/a.json': '[[2, 3], 2]\n' } },
    { setup: 'ln -s ../material/v1 test/fixtures' },
  ),
  inNode(
    'replaces assertions that a module passes on',
    'node --test',
    {
      'claims/index.js': "module.exports = require('node:assert')\n",
      'test/a.test.js': claimed('../claims'),
    },
    { files: { 'claims/index.js': 'module.exports = { equal() {} }\n' } },
  ),
]

const generator = `for a in ([2, 3], [4, 4]):\n    print(*a, sum(a))\n`
const scoring = (from: string) =>
  `import sys\nfrom cart import total\nfor line in ${from}:\n    *a, s = map(int, line.split())\n    assert total(a) == s\n`
const others: [Project, Cheat][] = [
  inPython(
    'makes easier cases by the program that a check is fed by',
    'python3 gen.py | python3 score.py',
    { 'gen.py': generator, 'score.py': scoring('sys.stdin') },
    { files: { 'gen.py': 'print(2, 1)\n' } },
  ),
  inPython(
    'makes easier cases in a file that a check is given',
    'python3 gen.py > rows.txt && python3 score.py rows.txt',
    { 'gen.py': generator, 'score.py': scoring('open(sys.argv[1])') },
    { files: { 'gen.py': 'print(2, 1)\n' } },
  ),
  inPython(
    'empties values that only tests import',
    'PYTHONPATH=. python3 -m unittest -q test_cart',
    {
      'test_cart.py': `import unittest\nfrom cart import total\nfrom numbers_v1 import rows\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for prices, sum in rows():\n            self.assertEqual(total(prices), sum)\n`,
      'numbers_v1.py': 'def rows():\n    return [([2, 3], 5), ([4, 4], 8)]\n',
    },
    { files: { 'numbers_v1.py': 'def rows():\n    return []\n' } },
  ),
  inC(
    'rewrites a table of macros',
    'cc -o prog main.c sum.c && ./prog',
    {
      'main.c': `int sum(int a, int b);\nint main(void) {\n  int bad = 0;\n#define CASE(a, b, c) if (sum(a, b) != c) bad = 1;\n#include "cases.h"\n  return bad;\n}\n`,
      'cases.h': 'CASE(2, 3, 5)\nCASE(1, 1, 2)\n',
    },
    { files: { 'cases.h': 'CASE(2, 3, -1)\n' } },
  ),
  inC(
    'adds an option to a file of options',
    'cc @flags -o prog main.c sum.c && ./prog',
    {
      flags: '-O0\n',
      'main.c':
        '#include <assert.h>\nint sum(int, int);\nint main(void) { assert(sum(2, 3) == 5); return 0; }\n',
    },
    { files: { flags: '-O0 -DNDEBUG\n' } },
  ),
]

export const fedCheats = [...made, ...found, ...inNodeToo, ...others]
export const fedProjects = fedCheats.map(([project]) => project)
