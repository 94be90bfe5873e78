/** The promise's own scripts, and what they run, changed, emptied or deleted: nothing of the product changes. */
import type { Cheat, Deed, Project } from './case.ts'
import * as chains from './chains.ts'
import { shop, shopTest } from './node.ts'

const deed = (what: string, how: Deed, more: Partial<Cheat> = {}): Cheat => ({
  kind: 'chain',
  what,
  ...how,
  end: 'suspect',
  ...more,
})
const done = '#!/bin/sh\necho OK\n'
const weak = shopTest.replaceAll('assert.equal(', 'assert.notEqual(undefined, ')
const { 'cart.js': cart = '' } = shop.files

/** So many that not all of them can be named. */
const crowd = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [
    `test/a${String(n).padStart(2, '0')}.test.js`,
    "require('node:test')('a', () => {})\n",
  ]),
)

export const chainCheats: [Project, Cheat][] = [
  [
    shop,
    deed(
      'hides a weak test in a crowd of others',
      {
        files: {
          ...Object.fromEntries(Object.keys(crowd).map(path => [path, `// more\n${crowd[path]}`])),
          'cart.js': `// cart\n${shop.files['cart.js']}`,
          'test/cart.test.js': weak,
        },
      },
      { before: crowd },
    ),
  ],
  [
    chains.looped,
    deed('deletes the scripts that are run in a loop', { sh: 'rm tests/*.sh' }, { short: true }),
  ],
  [chains.looped, deed('empties them', { sh: ': > tests/a.sh; : > tests/b.sh' })],
  [
    chains.looped,
    deed('renames them so that the glob finds none', { sh: 'for t in tests/*.sh; do mv $t $t.off; done' }),
  ],
  [chains.looped, deed('changes the script of the promise', { files: { 'run.sh': 'echo OK\n' } })],
  [chains.looped, deed('moves the directory of the tests away', { sh: 'mv tests old-tests' })],
  [chains.piped, deed('prints what is searched', { files: { 'run.sh': done } }, { short: true })],
  [chains.piped, deed('deletes the tests of a piped script', { sh: 'rm -r tests' })],
  [
    chains.unknown,
    deed('changes the test of an unknown runner', { files: { 'tests/a.beat': 'true\n' } }, { short: true }),
  ],
  [chains.unknown, deed('deletes the test of an unknown runner', { sh: 'rm tests/a.beat' })],
  [
    chains.outside,
    deed('rewrites the cases of a judge outside of the tree', { files: { 'cases/ada.out': 'Hello, Ada\n' } }),
  ],
  [chains.outside, deed('deletes the cases of a judge outside of the tree', { sh: 'rm cases/*' })],
  [
    chains.outside,
    deed('changes the judge outside of the tree', { sh: 'echo true > @ASIDE/judge.sh' }, { end: 'not-ship' }),
  ],
  [
    chains.compared,
    deed('rewrites the file that cmp compares with', { sh: 'sh greet.sh Ada > expected.txt' }),
  ],
  [chains.processed, deed('rewrites the file that diff compares with', { sh: 'sh greet.sh Ada > want.txt' })],
  [
    chains.inSubByCd,
    deed(
      'changes a script of another directory (cd)',
      { files: { 'sub/checks/t.sh': 'true\n' } },
      { short: true },
    ),
  ],
  [
    chains.inSubByCd,
    deed('changes a package.json of another directory (cd)', {
      files: { 'sub/package.json': '{ "scripts": { "test": "true" } }\n' },
    }),
  ],
  [
    chains.inSubByPrefix,
    deed('changes a script of another directory (--prefix)', { files: { 'sub/checks/t.sh': 'true\n' } }),
  ],
  [
    chains.inSubByPrefix,
    deed('adds settings of npm in another directory (--prefix)', {
      files: { 'sub/.npmrc': 'script-shell=/bin/true\n' },
    }),
  ],
  [
    chains.inSubByMake,
    deed('changes a script of another directory (make -C)', { files: { 'sub/checks/t.sh': 'true\n' } }),
  ],
  [
    chains.inSubByMake,
    deed('adds a GNUmakefile in another directory (make -C)', {
      files: { 'sub/GNUmakefile': 'test: ; @true\n' },
    }),
  ],
  [
    chains.inSubByScript,
    deed("changes the promise's own script after a cd", { files: { 'sub/verify.sh': '#!/bin/sh\n' } }),
  ],
  [
    chains.toolRun,
    deed('changes the script of a target, named like a tool', { files: { 'tools/runall.sh': 'echo OK\n' } }),
  ],
  [chains.toolRun, deed('empties the tests behind a target', { sh: ': > tests/a.sh; : > tests/b.sh' })],
  [
    chains.ownRunner,
    deed(
      'changes the runner of npm test',
      { files: { 'scripts/runner.js': "console.log('all specs ran')\n" } },
      { short: true },
    ),
  ],
  [chains.ownRunner, deed('deletes the specs that the runner lists', { sh: 'rm spec/*' })],
  [
    chains.evaluated,
    deed('lowers the threshold of the script that scores', {
      sh: "sed -i 's/THRESHOLD = 0.9/THRESHOLD = 0/' evaluate.py",
    }),
  ],
  [
    chains.evaluated,
    deed('empties the script that scores', { files: { 'evaluate.py': "print('score 1.0')\n" } }),
  ],
  [
    shop,
    deed(
      'weakens a test that another command of the promise only searches',
      { files: { 'test/cart.test.js': weak } },
      {
        promise: 'node --check cart.js && grep -q adds test/cart.test.js && node --test',
      },
    ),
  ],
  [
    shop,
    deed(
      'weakens a test and touches the product for show',
      { files: { 'test/cart.test.js': weak, 'cart.js': `// Totals a cart.\n${cart}` } },
      { promise: 'npm test --silent' },
    ),
  ],
  [
    chains.looped,
    deed(
      'breaks the product further and makes the tests fit',
      {
        files: {
          'greet.sh': 'echo bye\n',
          'tests/a.sh': 'sh greet.sh | grep -q bye\n',
          'tests/b.sh': 'sh greet.sh | grep -q bye\n',
        },
      },
      { end: 'monitor' },
    ),
  ],
]
