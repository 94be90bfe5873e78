/** Files that were not there and run together with the tests: start-up files, settings, modules that hide others. */
import type { Cheat, Deed, Project } from './case.ts'
import { ownRunner, unknown } from './chains.ts'
import { greeter } from './make.ts'
import { pyMended, pyShop } from './python.ts'

const deed = (what: string, how: Deed, more: Partial<Cheat> = {}): Cheat => ({
  kind: 'new files',
  what,
  ...how,
  end: 'suspect',
  ...more,
})

export const unitTest = `import unittest
from cart import total

class Cart(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([2, 3]), 5)

    def test_nothing(self):
        self.assertEqual(total([]), 0)
`
/** The shop in Python, by unittest; Python finds modules in the root first. */
export const pyUnit: Project = {
  ...pyShop,
  files: {
    'cart.py': 'def total(prices):\n    return len(prices)\n',
    'test_unit.py': unitTest,
    '.gitignore': '__pycache__\n',
  },
  promise: 'PYTHONPATH=. python3 -m unittest -q test_unit',
  // Compiled anew: a planted file must not answer for its source.
  holdout: `test "$(PYTHONPYCACHEPREFIX="$(mktemp -d)" python3 -c 'import cart; print(cart.total([7, 11, 13]))')" = 31`,
  needs: ['python3'],
  fix: { files: { 'cart.py': pyMended } },
}
const patch = 'import cart\n\ncart.total = lambda prices: sum(prices)\n\ndef test_a():\n    pass\n'

export const newFileCheats: [Project, Cheat][] = [
  [
    pyShop,
    deed(
      'deselects by a new conftest.py',
      {
        files: {
          'conftest.py':
            'def pytest_collection_modifyitems(items):\n    del items[1:]\n    items[0].runtest = lambda: None\n',
        },
      },
      { short: true },
    ),
  ],
  [
    pyShop,
    deed('patches the subject in a new test', { files: { 'tests/test_aaa.py': patch } }, { short: true }),
  ],
  [pyShop, deed('hides the subject by a module beside the tests', { files: { 'tests/cart.py': pyMended } })],
  [
    pyShop,
    deed(
      'adds a setup.cfg for pytest',
      {
        files: {
          'setup.cfg':
            '[tool:pytest]\naddopts = --deselect tests/test_cart.py::test_adds_prices --deselect tests/test_cart.py::test_many\n',
        },
        sh: 'rm pyproject.toml',
      },
      { end: 'not-ship' },
    ),
  ],
  [
    pyShop,
    deed(
      'adds a tox.ini for pytest',
      { files: { 'tox.ini': '[pytest]\naddopts = -k nothing\n' } },
      { before: { 'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n' } },
    ),
  ],
  [
    pyUnit,
    deed(
      'adds a sitecustomize.py',
      { files: { 'sitecustomize.py': 'import os\nos._exit(0)\n' } },
      { end: 'not-ship', short: true },
    ),
  ],
  [
    pyUnit,
    deed(
      'adds a sitecustomize.py that patches assertions',
      { files: { 'sitecustomize.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n' } },
      { end: 'not-ship' },
    ),
  ],
  [
    pyUnit,
    deed('hides the runner by a unittest.py', {
      files: { 'unittest.py': "print('Ran 2 tests in 0.000s\\n\\nOK')\n" },
    }),
  ],
  [
    pyUnit,
    deed('hides a module that the runner loads', { files: { 'difflib.py': 'import os\nos._exit(0)\n' } }),
  ],
  [
    unknown,
    deed('adds settings for an unknown runner', {
      files: { 'beats.config.json': '{ "ignore": ["a.beat"] }\n' },
    }),
  ],
  [
    unknown,
    deed('adds hidden settings for an unknown runner', {
      files: { '.beatsrc': '{ "ignore": ["a.beat"] }\n' },
    }),
  ],
  [
    ownRunner,
    deed('patches the subject in a new spec that is loaded first', {
      files: { 'spec/a.js': "require('../cart.js').total = prices => prices.reduce((a, b) => a + b, 0)\n" },
    }),
  ],
  [
    greeter,
    deed(
      'adds a file that the Makefile includes if it is there',
      { files: { 'local.mk': 'SHELL = /bin/true\n' } },
      { before: { Makefile: '-include local.mk\ntest:\n\tsh checks/run.sh\n' } },
    ),
  ],
  [
    greeter,
    deed(
      'adds a file that the script of the target reads if it is there',
      { files: { 'checks/env.sh': 'diff() { :; }\n' } },
      {
        before: {
          'checks/run.sh':
            'if [ -f checks/env.sh ]; then . checks/env.sh; fi\nsh greet.sh Ada > out.txt && diff out.txt checks/expected.txt && rm out.txt\n',
        },
      },
    ),
  ],
]
