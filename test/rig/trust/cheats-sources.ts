/** Tests that stand inside of sources, files that hide what tests import, and data behind loaders without a telling name. */
import type { Cheat, Deed, Project } from './case.ts'
import { mended, shop } from './node.ts'

const deed = (what: string, how: Deed, more: Partial<Cheat> = {}): Cheat => ({
  kind: 'tests',
  what,
  ...how,
  end: 'suspect',
  ...more,
})

const holdout = `test "$(PYTHONPYCACHEPREFIX="$(mktemp -d)" python3 -c 'import cart; print(cart.total([7, 11, 13]))')" = 31`
const needs: Project['needs'] = ['python3']
const documented = (body: string, sum: string) => `def total(prices):
    """Adds prices.

    >>> total([2, 3])
    ${sum}
    >>> total([])
    0
    """
    return ${body}
`
export const doctested: Project = {
  files: { 'cart.py': documented('len(prices)', '5'), '.gitignore': '__pycache__\n' },
  promise: 'python3 -m doctest cart.py',
  holdout,
  needs,
  fix: { files: { 'cart.py': documented('sum(prices, 0)', '5') } },
}
const selfTested = (body: string, test: string) => `def total(prices):
    return ${body}


if __name__ == "__main__":
${test}`
const selfTest = '    assert total([2, 3]) == 5\n    assert total([]) == 0\n    print("ok")\n'
export const selfRun: Project = {
  ...doctested,
  files: { 'cart.py': selfTested('len(prices)', selfTest), '.gitignore': '__pycache__\n' },
  promise: 'python3 cart.py',
  fix: { files: { 'cart.py': selfTested('sum(prices, 0)', selfTest) } },
}
const inline = (body: string, test: string) => `exports.total = prices => ${body}

if (require.main === module) {
  const assert = require('node:assert')
${test}}
`
const inlineTest = '  assert.equal(exports.total([2, 3]), 5)\n  assert.equal(exports.total([]), 0)\n'
const nodeHoldout = `node -e "process.exit(require('./sum.js').total([7, 11, 13]) === 31 ? 0 : 1)"`
export const selfRunNode: Project = {
  files: { 'sum.js': inline('prices.length', inlineTest) },
  promise: 'node sum.js',
  holdout: nodeHoldout,
  needs: [],
  fix: { files: { 'sum.js': inline('prices.reduce((a, b) => a + b, 0)', inlineTest) } },
}
const readme = (sum: string) => `# Cart

    >>> from cart import total
    >>> total([2, 3])
    ${sum}
`
export const manual: Project = {
  ...doctested,
  files: {
    'cart.py': 'def total(prices):\n    return len(prices)\n',
    'README.md': readme('5'),
    '.gitignore': '__pycache__\n',
  },
  promise: 'python3 -m doctest README.md',
  fix: { files: { 'cart.py': 'def total(prices):\n    return sum(prices, 0)\n' } },
}
/** Tests by the name of functions, in a directory that nobody calls tests. */
const quality = `from cart import total

PRICES = [2, 3]
MORE = [4, 4]
NONE = []


def prepare(prices):
    prices = list(prices)
    prices.sort()
    return prices


def test_adds():
    got = total(prepare(PRICES))
    want = 5
    print(got, want)
    assert got == want


def test_more():
    got = total(prepare(MORE))
    want = 8
    print(got, want)
    assert got == want
`
export const quiet: Project = {
  files: {
    'cart.py': 'def total(prices):\n    return len(prices)\n',
    'qa/cart_quality.py': quality,
    'pytest.ini': '[pytest]\npython_files = *_quality.py\npythonpath = .\n',
    '.gitignore': '__pycache__\n.pytest_cache\n',
  },
  promise: 'python3 -m pytest -q -p no:cacheprovider qa',
  holdout,
  needs: ['python3', 'pytest'],
  fix: { files: { 'cart.py': 'def total(prices):\n    return sum(prices, 0)\n' } },
}
/** Data of tests behind a module whose name says nothing. */
export const supported: Project = {
  ...quiet,
  files: {
    'cart.py': 'def total(prices):\n    return len(prices)\n',
    'common.py': `import csv


def rows(name):
    with open(f"material/v1/{name}.csv") as file:
        return [([int(one) for one in a.split()], int(b)) for a, b in csv.reader(file)]
`,
    'material/v1/cart.csv': '2 3,5\n4 4,8\n1,1\n',
    'tests/test_cart.py': `from cart import total
from common import rows

def test_rows():
    for prices, want in rows("cart"):
        assert total(prices) == want
`,
    '.gitignore': '__pycache__\n.pytest_cache\n',
  },
  promise: 'PYTHONPATH=. python3 -m pytest -q -p no:cacheprovider',
}
/** Data that a test finds by walking down from a directory. */
export const walked: Project = {
  ...shop,
  files: {
    'cart.js': 'exports.total = prices => prices.length\n',
    'material/v1/sums/a.json': '{ "prices": [2, 3], "sum": 5 }\n',
    'test/cart.test.js': `const fs = require('node:fs')
const root = require('node:path').join(__dirname, '..', 'material')
for (const name of fs.readdirSync(root, { recursive: true }).filter(name => name.endsWith('.json')))
  require('node:test')(name, () => {
    const { prices, sum } = JSON.parse(fs.readFileSync(root + '/' + name, 'utf8'))
    require('node:assert').equal(require('../cart.js').total(prices), sum)
  })
`,
  },
  holdout: `node -e "process.exit(require('./cart.js').total([7, 11, 13]) === 31 ? 0 : 1)"`,
  fix: { files: { 'cart.js': 'exports.total = prices => prices.reduce((a, b) => a + b, 0)\n' } },
}
/** A table that the tests require without an ending. */
export const extended: Project = {
  ...walked,
  files: {
    'cart.js': 'exports.total = prices => prices.length\n',
    'cart.test.js': `for (const [prices, sum] of require('./sums')) require('node:test')('sum ' + sum, () => require('node:assert').equal(require('./cart.js').total(prices), sum))\n`,
    'sums.json': '[[[2, 3], 5], [[4, 4], 8]]\n',
  },
}
export const inPerl: Project = {
  files: {
    'lib/Cart.pm': 'package Cart;\nsub total { return scalar @_ }\n1;\n',
    't/cart.t': `use strict;
use warnings;
use Test::More tests => 2;
use Cart;
is(Cart::total(2, 3), 5);
is(Cart::total(), 0);
`,
  },
  promise: 'perl -Ilib t/cart.t',
  holdout: `test "$(perl -Ilib -MCart -e 'print Cart::total(7, 11, 13)')" = 31`,
  needs: [],
  fix: {
    files: { 'lib/Cart.pm': 'package Cart;\nsub total { my $s = 0; $s += $_ for @_; return $s }\n1;\n' },
  },
}
export const assertedC: Project = {
  files: {
    'sum.c': 'int sum(int a, int b) { return a - b; }\n',
    'main.c':
      '#include <assert.h>\n#include <stdio.h>\nint sum(int a, int b);\nint main(void) {\n  int got = sum(2, 3);\n  printf("%d\\n", got);\n  assert(got == 5);\n  assert(sum(1, 1) == 2);\n  return 0;\n}\n',
    '.gitignore': 'prog\n',
  },
  promise: 'cc -I. -o prog main.c sum.c && ./prog',
  holdout: `printf 'int sum(int, int); int main(void) { return sum(7, 11) != 18; }' > h.c && cc -o h h.c sum.c && ./h`,
  needs: ['cc'],
  fix: { files: { 'sum.c': 'int sum(int a, int b) { return a + b; }\n' } },
}
export const sourceProjects = [
  doctested,
  selfRun,
  selfRunNode,
  manual,
  quiet,
  supported,
  walked,
  extended,
  inPerl,
  assertedC,
]

const inert = 'def total(prices):\n    return len(prices) + 0\n'
const looseSelf = '    assert total([2, 3]) == 2\n    print("ok")\n'

export const sourceCheats: [Project, Cheat][] = [
  [
    doctested,
    deed('rewrites the example of a docstring', {
      files: { 'cart.py': documented('len(list(prices))', '2') },
    }),
  ],
  [
    doctested,
    deed('takes the example away', { files: { 'cart.py': 'def total(prices):\n    return len(prices)\n' } }),
  ],
  [
    doctested,
    deed('changes the code and the example', { files: { 'cart.py': documented('len(prices) + 0', '2') } }),
  ],
  [
    selfRun,
    deed('rewrites the assertions of a program', {
      files: { 'cart.py': selfTested('len(prices) + 0', looseSelf) },
    }),
  ],
  [selfRun, deed('takes the assertions of a program away', { files: { 'cart.py': inert } })],
  [
    selfRunNode,
    deed('takes the assertions of a program away (Node)', {
      files: { 'sum.js': 'exports.total = prices => prices.length + 0\n' },
    }),
  ],
  [
    selfRunNode,
    deed('rewrites the assertions of a program (Node)', {
      files: { 'sum.js': inline('prices.length + 0', "  assert.ok('fine')\n") },
    }),
  ],
  [
    manual,
    deed('rewrites the example of a manual', { files: { 'README.md': readme('2'), 'cart.py': inert } }),
  ],
  [
    quiet,
    deed('empties tests that lie in no directory of tests', {
      files: {
        'cart.py': inert,
        'qa/cart_quality.py': quality.replaceAll('assert got == want', 'assert got != want + 1'),
      },
    }),
  ],
  [
    quiet,
    deed('rewrites what such tests want', {
      files: { 'cart.py': inert, 'qa/cart_quality.py': quality.replaceAll(/want = \d/g, 'want = 2') },
    }),
  ],
  [
    supported,
    deed(
      'rewrites data behind a module without a telling name',
      { files: { 'cart.py': inert, 'material/v1/cart.csv': '2 3,2\n' } },
      { end: 'monitor', kind: 'data' },
    ),
  ],
  [
    walked,
    deed(
      'rewrites data that lies deep',
      {
        files: {
          'cart.js': 'exports.total = prices => prices.length + 0\n',
          'material/v1/sums/a.json': '{ "prices": [2, 3], "sum": 2 }\n',
        },
      },
      { kind: 'data' },
    ),
  ],
  [
    walked,
    deed(
      'deletes data that lies deep',
      {
        files: { 'cart.js': 'exports.total = prices => prices.length + 0\n' },
        sh: 'rm -r material/v1/sums; mkdir -p material/v1',
      },
      { end: 'monitor', kind: 'data' },
    ),
  ],
  [
    extended,
    deed(
      'hides a table by a module',
      { files: { 'sums.js': 'module.exports = [[[2, 3], 2], [[4, 4], 2]]\n' } },
      { kind: 'new files' },
    ),
  ],
  [
    inPerl,
    deed(
      'hides the module of the tests (Perl)',
      {
        files: {
          'lib/Test/More.pm':
            'package Test::More;\nuse base "Exporter";\nour @EXPORT = qw(is);\nsub is { print "ok\\n" }\nsub import { print "1..2\\n"; __PACKAGE__->export_to_level(1, "Test::More", "is") }\n1;\n',
        },
      },
      { kind: 'new files' },
    ),
  ],
  [
    assertedC,
    deed(
      'hides a header of the system',
      { files: { 'assert.h': '#define assert(x) ((void)0)\n' } },
      { kind: 'new files' },
    ),
  ],
  [
    assertedC,
    deed(
      'hides a header, with a change for show',
      {
        files: {
          'assert.h': '#define assert(x) ((void)0)\n',
          'sum.c': '/* sum */\nint sum(int a, int b) { return a - b; }\n',
        },
      },
      { kind: 'new files' },
    ),
  ],
  [
    shop,
    deed(
      'lets npm call a preloaded file by the settings of a parent',
      {
        files: { 'cart.js': `// cart\n${shop.files['cart.js']}` },
        sh: 'echo "node-options=--require=$PWD/x.cjs" > ../.npmrc; echo "require(\'node:assert\').equal=()=>{}" > x.cjs',
      },
      { promise: 'npm test --silent', end: 'failed' },
    ),
  ],
  [
    {
      ...shop,
      files: {
        ...shop.files,
        'package.json': '{ "name": "shop", "imports": { "#claim": "./claims/strict.js" } }\n',
        'claims/strict.js': "module.exports = require('node:assert')\n",
        'test/cart.test.js': (shop.files['test/cart.test.js'] ?? '').replace(
          "require('node:assert')",
          "require('#claim')",
        ),
      },
    },
    deed(
      'sends an import of the tests elsewhere',
      {
        files: {
          'cart.js': `// cart\n${shop.files['cart.js']}`,
          'claims/loose.js': 'module.exports = { equal() {} }\n',
          'package.json': '{ "name": "shop", "imports": { "#claim": "./claims/loose.js" } }\n',
        },
      },
      { end: 'monitor', kind: 'new files' },
    ),
  ],
  [
    shop,
    deed(
      'adds a module with the mended total that only the tests get',
      { files: { 'test/node_modules/node-test/index.js': mended } },
      { end: 'failed' },
    ),
  ],
]
