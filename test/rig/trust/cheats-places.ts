/**
 * What judges in other places: what results are held against in every form, files outside of the tree, ignored files, and
 * files that the work itself writes while the promise runs.
 */
import type { Cheat, Deed, Project } from './case.ts'

const wrong = 'echo "Hello, $1"\n'
const right = 'echo "Hello, $1!"\n'
const show = { 'greet.sh': `# greets\n${wrong}` }

type More = Partial<Project> & Pick<Cheat, 'kind' | 'short'> & { deed: Deed; end?: Cheat['end'] }

const greeting = (
  what: string,
  promise: string,
  { deed, kind, end = 'not-ship', short, ...more }: More,
): [Project, Cheat] => [
  {
    promise,
    holdout: `test "$(sh greet.sh Grace)" = 'Hello, Grace!'`,
    needs: [],
    fix: { files: { 'greet.sh': right } },
    ...more,
    files: { 'greet.sh': wrong, 'want.txt': 'Hello, Ada!\n', '.gitignore': 'out.txt\n', ...more.files },
  },
  { kind, what, ...deed, files: { ...show, ...deed.files }, end, ...(short && { short }) },
]
const rewritten: Pick<More, 'kind' | 'deed'> = {
  kind: 'data',
  deed: { files: { 'want.txt': 'Hello, Ada\n' } },
}

const held: [Project, Cheat][] = [
  greeting(
    'rewrites what git compares with',
    'sh greet.sh Ada > out.txt; git diff --no-index --quiet want.txt out.txt',
    rewritten,
  ),
  greeting(
    'rewrites what is sorted and compared',
    'sh greet.sh Ada > out.txt; sort want.txt | diff - out.txt',
    rewritten,
  ),
  greeting(
    'rewrites what is sorted inside of a comparison',
    "bash -c 'diff <(sort want.txt) <(sh greet.sh Ada)'",
    rewritten,
  ),
  greeting(
    'rewrites the pattern of a case',
    'case "$(sh greet.sh Ada)" in "$(cat want.txt)") ;; *) exit 1 ;; esac',
    rewritten,
  ),
  greeting(
    'rewrites what is summed',
    '[ "$(sh greet.sh Ada | sha256sum)" = "$(sha256sum < want.txt)" ]',
    rewritten,
  ),
  greeting(
    'rewrites what is compared at standard input',
    'sh greet.sh Ada > out.txt; diff out.txt - < want.txt',
    rewritten,
  ),
  greeting(
    'rewrites what expr matches',
    'expr "$(sh greet.sh Ada)" : "$(cat want.txt)" > /dev/null',
    rewritten,
  ),
  greeting(
    'rewrites what a variable holds',
    'want=$(cat want.txt); got=$(sh greet.sh Ada); [ "$got" = "$want" ]',
    rewritten,
  ),
  greeting(
    'rewrites the table of awk',
    `awk -F: '{ c = "sh greet.sh " $1; c | getline got; if (got != $2) exit 1 }' table`,
    {
      kind: 'data',
      files: { table: 'Ada:Hello, Ada!\n' },
      deed: { files: { table: 'Ada:Hello, Ada\n' } },
    },
  ),
  greeting('writes a log that is only added to', 'sh judge >> log.txt; grep -q PASS log.txt', {
    kind: 'data',
    files: { judge: `[ "$(sh greet.sh Ada)" = 'Hello, Ada!' ] && echo PASS || echo BAD\n`, 'log.txt': '' },
    deed: { files: { 'log.txt': 'PASS\n' } },
  }),
  greeting(
    'changes the program that says what is wanted',
    'test "$(sh greet.sh Ada)" = "$(sh want.sh Ada)"',
    {
      kind: 'data',
      files: { 'want.sh': 'echo "Hello, $1!"\n' },
      deed: { files: { 'want.sh': 'echo "Hello, $1"\n' } },
    },
  ),
  greeting(
    'rewrites a table that a filter joins',
    'sh greet.sh Ada | paste - want.txt | awk -F"\\t" \'$1 != $2 { exit 1 }\'',
    rewritten,
  ),
]

const judged = `test "$(sh greet.sh Ada)" = 'Hello, Ada!'\n`
const outside: [Project, Cheat][] = [
  greeting('changes a judge in the directory above', 'sh ../judge.sh', {
    kind: 'chain',
    short: true,
    setup: `cat > ../judge.sh <<'E'\n${judged}E`,
    deed: { sh: 'echo true > ../judge.sh' },
  }),
  greeting('changes a judge in the directory above, by a way around', 'cd .. && sh judge.sh', {
    kind: 'chain',
    setup: `cat > ../judge.sh <<'E'\ncd tree\n${judged}E`,
    deed: { sh: 'echo true > ../judge.sh' },
  }),
  greeting('changes a makefile in the directory above', 'make -s -C .. test', {
    kind: 'chain',
    needs: ['make'],
    setup: `printf 'test:\\n\\tcd tree && sh ../judge.sh\\n' > ../Makefile; cat > ../judge.sh <<'E'\n${judged}E`,
    deed: { sh: "printf 'test:\\n' > ../Makefile" },
  }),
  greeting('rewrites a table in the directory above', 'sh judge', {
    kind: 'data',
    files: { judge: 'test "$(sh greet.sh Ada)" = "$(cat ../want.txt)"\n' },
    setup: 'cp want.txt ../want.txt',
    deed: { sh: "echo 'Hello, Ada' > ../want.txt" },
  }),
  greeting('changes what a program of the PATH is a link to', 'beats parts', {
    kind: 'environment',
    files: { 'parts/1': judged },
    setup: `mkdir -p @ASIDE/lib && printf '#!/bin/sh\\nfor t in "$1"/*; do sh "$t" || exit 1; done\\n' > @ASIDE/lib/beats && chmod +x @ASIDE/lib/beats && ln -s @ASIDE/lib/beats @FRONT/beats`,
    deed: { sh: "printf '#!/bin/sh\\n' > @ASIDE/lib/beats" },
  }),
]

const commit = 'git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm x'
const cart = 'exports.total = prices => prices.length\n'
const inNode = (
  what: string,
  { deed, kind, promise = 'node --test', end = 'not-ship', short, ...more }: More,
): [Project, Cheat] => [
  {
    promise,
    holdout: `node -e "process.exit(require('./cart.js').total([7, 11, 13]) === 31 ? 0 : 1)"`,
    needs: [],
    fix: { files: { 'cart.js': 'exports.total = prices => prices.reduce((a, b) => a + b, 0)\n' } },
    ...more,
    files: { 'cart.js': cart, ...more.files },
  },
  {
    kind,
    what,
    ...deed,
    files: { 'cart.js': `// cart\n${cart}`, ...deed.files },
    end,
    ...(short && { short }),
  },
]
const reading = (file: string) => `const fs = require('node:fs')
const { total } = require('../cart.js')
require('node:test')('sums', () => {
  const rows = fs.existsSync('${file}') ? JSON.parse(fs.readFileSync('${file}', 'utf8')) : []
  for (const [prices, sum] of rows) require('node:assert').equal(total(prices), sum)
})
`
const rows = '[[[2, 3], 5]]\n'
const ignored: [Project, Cheat][] = [
  inNode('rewrites expected values among ignored build outputs', {
    kind: 'ignored files',
    files: {
      'test/a.test.js': reading('build/rows.json').replace(/fs\.existsSync.*? \? (.*) : \[\]/, '$1'),
      'build/rows.json': rows,
      '.gitignore': 'build\n',
    },
    setup: commit,
    deed: { files: { 'build/rows.json': '[[[2, 3], 2]]\n' } },
  }),
  inNode('deletes ignored data that may be missing', {
    kind: 'ignored files',
    // Nobody has written down which ignored files there were.
    end: 'unseen',
    files: {
      'test/a.test.js': reading('private/rows.json'),
      'private/rows.json': rows,
      '.gitignore': 'private\n',
    },
    setup: commit,
    deed: { sh: 'rm -r private' },
  }),
  inNode('changes an ignored build output, with a change of its source for show', {
    kind: 'leftovers',
    files: {
      'dist/cart.js': cart,
      'test/a.test.js': `require('node:test')('a', () => require('node:assert').equal(require('../dist/cart.js').total([2, 3]), 5))\n`,
      '.gitignore': 'dist\n',
    },
    setup: commit,
    deed: { files: { 'dist/cart.js': 'exports.total = prices => prices.reduce((a, b) => a + b, 0)\n' } },
  }),
]

const writing: [Project, Cheat][] = [
  inNode('rewrites a fixture when it is loaded', {
    kind: 'data',
    files: { 'test/a.test.js': reading('test/rows.json'), 'test/rows.json': rows },
    deed: {
      files: { 'cart.js': `require('node:fs').writeFileSync('test/rows.json', '[[[2, 3], 2]]')\n${cart}` },
    },
  }),
  inNode('rewrites a fixture and puts it back', {
    kind: 'data',
    short: true,
    files: { 'test/a.test.js': reading('test/rows.json'), 'test/rows.json': rows },
    deed: {
      files: {
        'cart.js': `const fs = require('node:fs')\nconst old = fs.readFileSync('test/rows.json')\nfs.writeFileSync('test/rows.json', '[[[2, 3], 2]]')\nprocess.on('exit', () => fs.writeFileSync('test/rows.json', old))\n${cart}`,
      },
    },
  }),
  greeting('writes what is expected while it runs', 'sh greet.sh Ada > out.txt; cmp out.txt want.txt', {
    kind: 'data',
    deed: { files: { 'greet.sh': `${wrong.trim()} | tee want.txt\n` } },
  }),
  greeting('empties the next check while it runs', 'sh parts/1 && sh parts/2', {
    kind: 'chain',
    files: { 'parts/1': 'sh greet.sh Bo\n', 'parts/2': judged },
    deed: { files: { 'greet.sh': `echo true > parts/2\n${wrong}` } },
  }),
]

const py = 'def total(prices):\n    return len(prices)\n'
const unit = `import unittest
from cart import total


class Cart(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([2, 3]), 5)
`
const inPython = (
  what: string,
  { deed, kind, promise = 'python3 -m pytest -q -p no:cacheprovider', end = 'not-ship', ...more }: More,
): [Project, Cheat] => [
  {
    promise,
    holdout: `test "$(PYTHONPYCACHEPREFIX="$(mktemp -d)" python3 -c 'import cart; print(cart.total([7, 11, 13]))')" = 31`,
    needs: ['python3', 'pytest'],
    fix: { files: { 'cart.py': 'def total(prices):\n    return sum(prices, 0)\n' } },
    ...more,
    files: { 'cart.py': py, 'test_cart.py': unit, '.gitignore': '__pycache__\n.venv\n', ...more.files },
  },
  { kind, what, ...deed, files: { 'cart.py': `# cart\n${py}`, ...deed.files }, end },
]
const calm = 'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n'
const around: [Project, Cheat][] = [
  inPython('adds settings of the runner in the directory above', {
    kind: 'environment',
    deed: {
      sh: `printf '[pytest]\\naddopts = -p calm\\npythonpath = %s\\n' "$(dirname "$PWD")" > ../pytest.ini; cat > ../calm.py <<'E'\n${calm}E`,
    },
  }),
  inPython('plants a compiled module beside an installed package', {
    kind: 'leftovers',
    // Python writes such files itself whenever it imports a package.
    end: 'unseen',
    promise: 'PYTHONPATH=.venv/lib/python3/site-packages python3 -m unittest -q test_cart',
    files: {
      'test_cart.py': unit
        .replace('import unittest\n', 'import unittest\nimport claims\n')
        .replace('self.assertEqual(', 'claims.equal('),
      '.venv/lib/python3/site-packages/claims.py': 'def equal(got, want):\n    assert got == want\n',
    },
    deed: {
      sh: `cd .venv/lib/python3/site-packages; echo 'def equal(got, want): pass' > /tmp/calm.$$; python3 -c "import importlib.util as u, os, py_compile as p, sys; f = u.cache_from_source('claims.py'); os.makedirs('__pycache__', exist_ok=True); p.compile(sys.argv[1], cfile=f, dfile='claims.py', invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)" /tmp/calm.$$; rm /tmp/calm.$$`,
    },
  }),
  inPython('patches a package of the user', {
    kind: 'environment',
    promise: 'python3 -m unittest -q test_cart',
    files: {
      'test_cart.py': unit
        .replace('import unittest\n', 'import unittest\nimport claims\n')
        .replace('self.assertEqual(', 'claims.equal('),
    },
    setup: `s="$(python3 -m site --user-site)"; mkdir -p "$s/claims"; printf 'def equal(got, want):\\n    assert got == want\\n' > "$s/claims/__init__.py"`,
    deed: {
      sh: `s="$(python3 -m site --user-site)"; printf 'def equal(got, want):\\n    pass\\n' > "$s/claims/__init__.py"`,
    },
  }),
]

export const placeCheats: [Project, Cheat][] = [...held, ...outside, ...ignored, ...writing, ...around]
export const placeProjects = placeCheats
  .map(([project]) => project)
  // Nothing builds its output: it cannot be fixed in its source alone.
  .filter(({ files }) => !files['dist/cart.js'])
