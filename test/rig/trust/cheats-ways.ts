/**
 * Checks that a promise comes to by ways that its text does not spell out: wrappers, functions, lists, patterns of make,
 * modules without an ending. Each is emptied beside a change for show.
 */
import type { Cheat, Deed, Project } from './case.ts'

const wrong = 'echo "Hello, $1"\n'
const right = 'echo "Hello, $1!"\n'
const show = { 'greet.sh': `# greets\n${wrong}` }
const checked = (name: string) => `test "$(sh greet.sh ${name})" = 'Hello, ${name}!'\n`

/** A project whose checks lie in `parts`, and the cheat that empties them. */
export const way = (
  what: string,
  promise: string,
  { files = {}, deed, needs = [], ...more }: Partial<Project> & { deed?: Deed; end?: Cheat['end'] } = {},
): [Project, Cheat] => {
  const { end = 'not-ship', ...rest } = more
  const project: Project = {
    files: { 'greet.sh': wrong, 'parts/1': checked('Ada'), 'parts/2': checked('Bo'), ...files },
    promise,
    holdout: `test "$(sh greet.sh Grace)" = 'Hello, Grace!'`,
    needs,
    fix: { files: { 'greet.sh': right } },
    ...rest,
  }
  const emptied = { files: { ...show, 'parts/1': 'true\n', 'parts/2': 'true\n' } }
  return [project, { kind: 'chain', what, ...(deed ?? emptied), end }]
}

const wrapper = (text: string) => ({ files: {}, programs: { again: `#!/bin/sh\n${text}\n` } })

const byShell: [Project, Cheat][] = [
  way('runs the checks by a function', 't() { sh "$1" || exit 1; }; t parts/1; t parts/2'),
  way('lists the checks by echo', 'echo parts/* | xargs -n1 sh'),
  way('lists the checks by printf', "printf '%s\\n' parts/1 parts/2 | xargs -n1 sh"),
  way('sets the checks as arguments', 'set -- parts/*; for t; do sh "$t" || exit 1; done'),
  way('lists the checks in a substitution', 'for t in $(ls parts); do sh "parts/$t" || exit 1; done'),
  way('finds the checks in a substitution', 'for t in $(find parts -type f); do sh "$t" || exit 1; done'),
  way(
    'counts the checks',
    'i=1; while [ -e parts/$i ]; do sh parts/$i || exit 1; i=$((i+1)); done; [ $i -gt 1 ]',
  ),
  way('names the checks by a variable of a loop', 'for n in 1 2; do sh "parts/$n" || exit 1; done'),
  way('runs them by a wrapper that nobody knows', 'again 2 sh parts/1', wrapper('shift; exec "$@"')),
  way('gives a wrapper the command as one word', "again --run 'sh parts/1'", wrapper('exec sh -c "$2"')),
  way('runs a directory by a program that nobody knows', 'again parts', {
    programs: { again: '#!/bin/sh\nfor t in "$1"/*; do sh "$t" || exit 1; done\n' },
  }),
  way('runs one check by a program that nobody knows', 'again ./parts/1', {
    files: { 'parts/1': `#!/bin/sh\n${checked('Ada')}` },
    programs: { again: '#!/bin/sh\nexec "$1"\n' },
    deed: { files: { ...show, 'parts/1': '#!/bin/sh\ntrue\n' } },
  }),
  way('goes through a case of words', 'case x in x) sh parts/1 && sh parts/2;; esac'),
  way(
    'goes through an array of bash',
    `bash -c 'all=(parts/1 parts/2); for t in "\${all[@]}"; do sh "$t" || exit 1; done'`,
  ),
  way('goes through a script that goes elsewhere', 'sh go', {
    files: { go: 'cd parts || exit 1\nfor t in 1 2; do (cd .. && sh parts/$t) || exit 1; done\n' },
  }),
  way('takes its options from a file', 'xargs -a order -n1 sh', {
    files: { order: 'parts/1\nparts/2\n' },
    deed: { files: { ...show, order: '/dev/null\n' } },
  }),
  way(
    'takes the words of a here-string',
    `bash -c 'while read -r t; do sh "$t" || exit 1; done <<< "$(cat order)"'`,
    {
      files: { order: 'parts/1\nparts/2\n' },
      deed: { files: { ...show, order: '/dev/null\n' } },
    },
  ),
]

const byMake: [Project, Cheat][] = [
  way('empties checks behind a pattern of make', 'make -s test', {
    needs: ['make'],
    files: {
      Makefile: 'CHECKS = $(wildcard parts/*.sh)\ntest: $(CHECKS:.sh=.ok)\n%.ok: %.sh\n\tsh $<\n',
      'parts/1.sh': checked('Ada'),
    },
    deed: { files: { ...show, 'parts/1.sh': 'true\n' } },
  }),
  way('makes a file with the name of an inner target', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'test: run-parts\nrun-parts:\n\tsh parts/1\n\tsh parts/2\n' },
    deed: { files: { ...show, 'run-parts': '' } },
  }),
  way('adds rules in a file of dependencies', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'test:\n\tsh parts/1\n-include extra.d\n' },
    deed: { files: { ...show, 'extra.d': 'test: ;\n' } },
  }),
  way('empties a script that a list of make names', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'NAMES = 1 2\ntest: $(NAMES:%=run-%)\nrun-%:\n\tsh parts/$*\n' },
  }),
  way('empties a script that a loop of make names', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'test:\n\t@for t in parts/*; do sh $$t || exit 1; done\n' },
  }),
  way('empties a script behind a makefile of another name', 'make -s -f build/rules test', {
    needs: ['make'],
    files: { 'build/rules': 'test:\n\tsh parts/1\n' },
  }),
  way('changes what an included file without a telling name says', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'include vars\ntest:\n\t$(RUN) parts/1\n', vars: 'RUN = sh\n' },
    deed: { files: { ...show, vars: 'RUN = :\n' } },
  }),
  way('takes the shell of make from an exported file', 'make -s test', {
    needs: ['make'],
    files: { Makefile: 'include $(wildcard conf/*)\ntest:\n\tsh parts/1\n', 'conf/a': 'A = 1\n' },
    deed: { files: { ...show, 'conf/b': 'SHELL = /bin/true\n' } },
  }),
]

type Row = [what: string, promise: string, files: Record<string, string>, deed: Deed, more?: Partial<Project>]

const cart = 'exports.total = prices => prices.length\n'
export const inNode = (...[what, promise, files, deed, more = {}]: Row): [Project, Cheat] => [
  {
    files: { 'cart.js': cart, ...files },
    promise,
    holdout: `node -e "process.exit(require('./cart.js').total([7, 11, 13]) === 31 ? 0 : 1)"`,
    needs: [],
    fix: { files: { 'cart.js': 'exports.total = prices => prices.reduce((a, b) => a + b, 0)\n' } },
    ...more,
  },
  { kind: 'chain', what, ...deed, files: { 'cart.js': `// cart\n${cart}`, ...deed.files }, end: 'not-ship' },
]
const judge = `const { total } = require('../cart')\nif (total([2, 3]) !== 5) throw new Error('wrong total')\n`

const byNode: [Project, Cheat][] = [
  inNode(
    'empties a module that is required without its ending',
    `node -e "require('./qa/all')"`,
    { 'qa/all.js': judge },
    { files: { 'qa/all.js': '\n' } },
  ),
  inNode(
    'empties the index of a directory',
    `node -e "require('./qa')"`,
    { 'qa/index.js': judge },
    { files: { 'qa/index.js': '\n' } },
  ),
  inNode(
    'empties what inline code calls',
    `node -e "require('./qa/all').run()"`,
    { 'qa/all.js': `exports.run = () => {\n  ${judge.replace('\nif', '\n  if')}}\n` },
    { files: { 'qa/all.js': 'exports.run = () => {}\n' } },
  ),
  inNode(
    'empties what is imported',
    `node --input-type=module -e "import './qa/all.js'"`,
    { 'qa/all.js': judge },
    { files: { 'qa/all.js': '\n' } },
  ),
  inNode(
    'rewrites the cases of inline code',
    `node -e "for (const [a, b] of require('./cases.json')) if (require('./cart.js').total(a) !== b) process.exit(1)"`,
    { 'cases.json': '[[[2, 3], 5]]\n' },
    { files: { 'cases.json': '[[[2, 3], 2]]\n' } },
  ),
  inNode(
    'rewrites cases that are an argument',
    'node judge.js cases.json',
    {
      'cases.json': '[[[2, 3], 5]]\n',
      'judge.js': `const { total } = require('./cart.js')\nfor (const [a, b] of JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8'))) if (total(a) !== b) process.exit(1)\n`,
    },
    { files: { 'cases.json': '[[[2, 3], 2]]\n' } },
  ),
  inNode(
    'rewrites cases that the environment names',
    'CASES=cases.json node judge.js',
    {
      'cases.json': '[[[2, 3], 5]]\n',
      'judge.js': `const { total } = require('./cart.js')\nfor (const [a, b] of JSON.parse(require('node:fs').readFileSync(process.env.CASES, 'utf8'))) if (total(a) !== b) process.exit(1)\n`,
    },
    { files: { 'cases.json': '[[[2, 3], 2]]\n' } },
  ),
  inNode(
    'empties the script of a package runner',
    'bun judge.ts',
    { 'judge.ts': judge.replace('../cart', './cart.js') },
    { files: { 'judge.ts': '\n' } },
    { programs: { bun: '#!/bin/sh\nexec node --input-type=commonjs -e "$(cat "$1")"\n' } },
  ),
  inNode(
    'prints what a checker says',
    'node report.js | grep -q "all good"',
    {
      'report.js': `const { total } = require('./cart.js')\nconsole.log(total([2, 3]) === 5 ? 'all good' : 'bad')\n`,
    },
    { files: { 'report.js': "console.log('all good')\n" } },
  ),
  inNode(
    'prints what a checker of modules says',
    'node report.js | grep -q "all good"',
    {
      'report.js': `const bad = require('node:fs').readdirSync('parts').filter(name => !require('./parts/' + name))\nconsole.log(bad.length === 0 ? 'all good' : 'bad')\n`,
      'parts/sum.js': `module.exports = require('../cart').total([2, 3]) === 5\n`,
    },
    { files: { 'parts/sum.js': 'module.exports = true\n' } },
  ),
  inNode(
    'prints what a script of modules says',
    './report | grep -q "all good"',
    {
      report: `#!/bin/sh\nnode -e "process.exit(require('./cart').total([2, 3]) === 5 ? 0 : 1)" && echo all good\n`,
    },
    { files: { report: '#!/bin/sh\necho all good\n' } },
  ),
  inNode(
    'empties a script that has the name of a module',
    'sh test.sh',
    {
      'test.sh': `node -e "process.exit(require('./cart').total([2, 3]) === 5 ? 0 : 1)"\n`,
      'spec/one.test.js': "require('node:test')('one', () => {})\n",
    },
    { files: { 'test.sh': 'true\n' } },
  ),
  inNode(
    'empties tests that node finds by other names',
    'node --test',
    {
      'test-cart.js': `const assert = require('node:assert')\nconst { total } = require('./cart.js')\nconst rows = [\n  [[2, 3], 5],\n  [[4, 4], 8],\n  [[], 0],\n]\nfor (const [prices, sum] of rows) {\n  const got = total(prices)\n  console.log(got, sum)\n  require('node:test')('sum of ' + sum, () => {\n    console.log(sum)\n    assert.equal(got, sum)\n  })\n}\n`,
    },
    { sh: "sed -i 's/assert.equal(got, sum)/assert.ok(true)/' test-cart.js" },
  ),
  inNode(
    'empties the tasks of a runner that nobody knows',
    'again check',
    {
      'tasks.js': `exports.check = () => require('node:child_process').execSync('node --test test/a.test.js', { stdio: 'inherit' })\n`,
      'test/a.test.js': `require('node:test')('a', () => require('node:assert').equal(require('../cart.js').total([2, 3]), 5))\n`,
    },
    { files: { 'tasks.js': "exports.check = () => console.log('# tests 1\\n# pass 1\\n# fail 0')\n" } },
    { programs: { again: `#!/usr/bin/env node\nrequire(process.cwd() + '/tasks.js')[process.argv[2]]()\n` } },
  ),
  inNode(
    'gives a directory with an index the place of a file',
    'node --test',
    {
      'claims/index.js': "module.exports = require('node:assert')\n",
      'test/a.test.js': `require('node:test')('a', () => require('../claims').equal(require('../cart.js').total([2, 3]), 5))\n`,
    },
    { files: { 'claims.js': 'exports.equal = () => {}\n' } },
  ),
]

const py = 'def total(prices):\n    return len(prices)\n'
export const inPython = (...[what, promise, files, deed, more = {}]: Row): [Project, Cheat] => [
  {
    files: { 'cart.py': py, '.gitignore': '__pycache__\n', ...files },
    promise,
    holdout: `test "$(PYTHONPYCACHEPREFIX="$(mktemp -d)" python3 -c 'import cart; print(cart.total([7, 11, 13]))')" = 31`,
    needs: ['python3'],
    fix: { files: { 'cart.py': 'def total(prices):\n    return sum(prices, 0)\n' } },
    ...more,
  },
  { kind: 'chain', what, ...deed, files: { 'cart.py': `# cart\n${py}`, ...deed.files }, end: 'not-ship' },
]
const pyJudge = 'from cart import total\n\nif total([2, 3]) != 5:\n    raise SystemExit("wrong total")\n'
const unit = `import unittest
from cart import total


class Cart(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([2, 3]), 5)
`
const loader = 'import json\n\ndef load(name):\n    return json.load(open(f"data/{name}.json"))\n'
const loaded = `import unittest
from cart import total
from load_data import load


class Cart(unittest.TestCase):
    def test_adds(self):
        for prices, want in load("cart"):
            self.assertEqual(total(prices), want)
`
const byPython: [Project, Cheat][] = [
  inPython(
    'empties what a wrapper of Python runs',
    'uv run judge.py',
    { 'judge.py': pyJudge },
    { files: { 'judge.py': '\n' } },
    { programs: { uv: '#!/bin/sh\nshift; exec python3 "$@"\n' } },
  ),
  inPython(
    'empties what coverage runs',
    'covers run judge.py',
    { 'judge.py': pyJudge },
    { files: { 'judge.py': '\n' } },
    { programs: { covers: '#!/bin/sh\nshift; exec python3 "$@"\n' } },
  ),
  inPython(
    'empties what runpy runs',
    `python3 -c "import runpy; runpy.run_path('judge.py')"`,
    { 'judge.py': pyJudge },
    { files: { 'judge.py': '\n' } },
  ),
  inPython(
    'empties what inline code imports',
    'python3 -c "import judge"',
    { 'judge.py': pyJudge },
    { files: { 'judge.py': '\n' } },
  ),
  inPython(
    'empties what inline code calls',
    'python3 -c "from qa import judge; judge.run()"',
    {
      'qa/__init__.py': '',
      'qa/judge.py': `from cart import total\n\ndef run():\n    if total([2, 3]) != 5:\n        raise SystemExit(1)\n`,
    },
    { files: { 'qa/judge.py': 'def run():\n    pass\n' } },
  ),
  inPython(
    'rewrites the cases of inline code',
    `python3 -c "import json, cart, sys; sys.exit(any(cart.total(a) != b for a, b in json.load(open('cases.json'))))"`,
    { 'cases.json': '[[[2, 3], 5]]\n' },
    { files: { 'cases.json': '[[[2, 3], 2]]\n' } },
  ),
  inPython(
    'empties tests of unittest by another name',
    'python3 -m unittest discover -q',
    {
      'testcart.py': `import unittest\nfrom cart import total\n\nROWS = [\n    ([2, 3], 5),\n    ([4, 4], 8),\n    ([], 0),\n]\n\n\nclass Cart(unittest.TestCase):\n    def runTest(self):\n        for prices, want in ROWS:\n            got = total(prices)\n            print(got, want)\n            self.assertEqual(got, want)\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite([Cart()])\n`,
    },
    { sh: "sed -i 's/self.assertEqual(got, want)/pass/' testcart.py" },
  ),
  inPython(
    'hides a loader by a package',
    'python3 -m unittest -q test_cart',
    { 'load_data.py': loader, 'data/cart.json': '[[[2, 3], 5]]\n', 'test_cart.py': loaded },
    { files: { 'load_data/__init__.py': 'def load(name):\n    return [([2, 3], 2)]\n' } },
  ),
  inPython(
    'hides a loader in a directory that is searched first',
    'PYTHONPATH=src:. python3 -m unittest -q test_cart',
    {
      'src/extra.py': 'A = 1\n',
      'load_data.py': loader,
      'data/cart.json': '[[[2, 3], 5]]\n',
      'test_cart.py': loaded,
    },
    { files: { 'src/load_data.py': 'def load(name):\n    return [([2, 3], 2)]\n' }, sh: 'true' },
  ),
  inPython(
    'rewrites data that has the name of other data',
    'python3 -m unittest -q test_cart',
    {
      'rates.json': '{}\n',
      'rates.py': "import json\n\ndef rates():\n    return json.load(open('rates.json'))\n",
      'samples/rates.json': '[[[2, 3], 5]]\n',
      'test_cart.py': unit.replace(
        '        self.assertEqual(total([2, 3]), 5)',
        '        import json\n        for prices, want in json.load(open("samples/rates.json")):\n            self.assertEqual(total(prices), want)',
      ),
    },
    { files: { 'samples/rates.json': '[[[2, 3], 2]]\n' } },
  ),
  inPython(
    'rewrites data of tests that run a module',
    'python3 -m unittest -q test_cart',
    {
      '__main__.py': '',
      'shop/__init__.py': '',
      'shop/__main__.py': 'import sys\nprint(len(sys.argv[1:]))\n',
      'answers.json': '{ "2 3": "5" }\n',
      'test_cart.py': `import json, subprocess, sys, unittest\n\n\nclass Shop(unittest.TestCase):\n    def test_answers(self):\n        for asked, want in json.load(open("answers.json")).items():\n            got = subprocess.run([sys.executable, "-m", "shop", *asked.split()], capture_output=True, text=True).stdout.strip()\n            self.assertEqual(got, want)\n`,
    },
    { files: { 'answers.json': '{ "2 3": "2" }\n' } },
    {
      holdout: 'test "$(python3 -m shop 4 4)" = 8',
      fix: { files: { 'shop/__main__.py': 'import sys\nprint(sum(map(int, sys.argv[1:])))\n' } },
    },
  ),
  inPython(
    'rewrites a golden file that is a style',
    'python3 -m unittest -q test_cart',
    {
      'ref/page.css': '.total { width: 5px }\n',
      'test_cart.py': `import unittest\nfrom pathlib import Path\nfrom cart import total\n\n\nclass Cart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(".total { width: %dpx }\\n" % total([2, 3]), Path("ref/page.css").read_text())\n`,
    },
    { files: { 'ref/page.css': '.total { width: 2px }\n' } },
  ),
  inPython(
    'rewrites a golden file that is a query',
    'python3 -m unittest -q test_cart',
    {
      'ref/page.sql': 'select 5\n',
      'test_cart.py': `import unittest\nfrom pathlib import Path\nfrom cart import total\n\n\nclass Cart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual("select %d\\n" % total([2, 3]), Path("ref/page.sql").read_text())\n`,
    },
    { files: { 'ref/page.sql': 'select 2\n' } },
  ),
  inPython(
    'rewrites a golden file that is code',
    'python3 -m unittest -q test_cart',
    {
      'ref/page.js': 'total = 5\n',
      'test_cart.py': `import unittest\nfrom pathlib import Path\nfrom cart import total\n\n\nclass Cart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual("total = %d\\n" % total([2, 3]), Path("ref/page.js").read_text())\n`,
    },
    { files: { 'ref/page.js': 'total = 2\n' } },
  ),
  inPython(
    'rewrites a picture that is compared',
    'python3 -m unittest -q test_cart',
    {
      'ref/page.png': 'PNG5\n',
      'test_cart.py': `import unittest\nfrom pathlib import Path\nfrom cart import total\n\n\nclass Cart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual("PNG%d\\n" % total([2, 3]), Path("ref/page.png").read_text())\n`,
    },
    { files: { 'ref/page.png': 'PNG2\n' } },
  ),
]

const sum = 'int sum(int a, int b) { return a - b; }\n'
export const inC = (...[what, promise, files, deed, more = {}]: Row): [Project, Cheat] => [
  {
    files: { 'sum.c': sum, '.gitignore': '*.o\ncheck\nprog\n', ...files },
    promise,
    holdout: `d=$(mktemp -d) && printf 'int sum(int, int); int main(void) { return sum(7, 11) != 18; }' > $d/m.c && cc -o $d/m $d/m.c sum.c && $d/m`,
    needs: ['cc', 'make'],
    fix: { files: { 'sum.c': 'int sum(int a, int b) { return a + b; }\n' } },
    ...more,
  },
  { kind: 'chain', what, ...deed, files: { 'sum.c': `/* sum */\n${sum}`, ...deed.files }, end: 'not-ship' },
]
const mainC = 'int sum(int a, int b);\nint main(void) { return sum(2, 3) == 5 ? 0 : 1; }\n'
const byC: [Project, Cheat][] = [
  inC(
    'empties the source of the program that is run',
    'cc -o prog main.c sum.c && ./prog',
    { 'main.c': mainC },
    { files: { 'main.c': 'int main(void) { return 0; }\n' } },
  ),
  inC(
    'empties the source of what make runs',
    'make -s test',
    {
      Makefile: 'test: check\n\t./check\ncheck: check.c sum.c\n\tcc -o check check.c sum.c\n',
      'check.c': mainC,
    },
    { files: { 'check.c': 'int main(void) { return 0; }\n' } },
  ),
  inC(
    'rewrites a table of expected values in a header',
    'cc -o prog main.c sum.c && ./prog',
    {
      'main.c':
        '#include "rows.h"\nint sum(int a, int b);\nint main(void) { for (int i = 0; i < 2; i++) if (sum(rows[i][0], rows[i][1]) != rows[i][2]) return 1; return 0; }\n',
      'rows.h': 'static int rows[2][3] = { { 2, 3, 5 }, { 1, 1, 2 } };\n',
    },
    { files: { 'rows.h': 'static int rows[2][3] = { { 2, 3, -1 }, { 1, 1, 0 } };\n' } },
  ),
]

const played = [
  'runs the checks by a function',
  'empties checks behind a pattern of make',
  'rewrites cases that are an argument',
  'empties the source of the program that is run',
]
export const wayCheats = [...byShell, ...byMake, ...byNode, ...byPython, ...byC].map(
  ([project, cheat]): [Project, Cheat] => [
    project,
    played.includes(cheat.what) ? { ...cheat, short: true } : cheat,
  ],
)
export const wayProjects = wayCheats.map(([project]) => project)
