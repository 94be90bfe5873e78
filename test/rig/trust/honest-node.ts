/** Honest work in the shop in JavaScript: see `honest`. */
import type { HonestRun } from './case.ts'
import { mended, shopTest } from './node.ts'

const npm = 'npm test --silent'
const fix = { 'cart.js': mended }
const moreTests = {
  'test/more.test.js':
    "require('node:test')('one', () => require('node:assert').equal(require('../cart.js').total([{ price: 1 }]), 1))\n",
}
const renamed = {
  'cart.js': mended.replace('total', 'amount'),
  'test/cart.test.js': shopTest.replaceAll(/\btotal\b/g, 'amount'),
}
const isDone = (file: string, text: string) => `node --test && grep -q '${text}' ${file}`

export const honestInNode: HonestRun[] = [
  { what: 'sources only', prompt: 'Mend the total', files: fix, ship: 'SHIP', short: true },
  { what: 'sources only, by npm', prompt: 'Mend the total', promise: npm, files: fix },
  {
    what: 'a new test beside',
    prompt: 'Mend the total',
    files: { ...fix, ...moreTests },
    ship: 'SHIP',
    short: true,
  },
  {
    what: 'a promise that installs its packages anew',
    prompt: 'Mend the total',
    // More than 200 files: then the directory is not copied into a clean copy, but mounted there.
    promise:
      'rm -rf node_modules && mkdir node_modules && for n in $(seq 250); do echo > node_modules/$n.js; done; npm test --silent',
    before: { '.gitignore': 'node_modules\n' },
    files: { ...fix, ...moreTests },
    ship: 'SHIP',
  },
  {
    what: 'a new directory of tests',
    prompt: 'Mend it',
    files: { ...fix, 'e2e/a.test.js': moreTests['test/more.test.js'].replace('..', '..') },
  },
  {
    what: 'a test made stricter',
    prompt: 'Mend the total',
    files: { ...fix, 'test/cart.test.js': `${shopTest}${moreTests['test/more.test.js']}` },
    short: true,
  },
  {
    what: 'tests are what was asked for',
    prompt: 'Write tests for the total and mend it',
    files: {
      ...fix,
      'test/cart.test.js': shopTest.replace("'adds prices'", "'adds the prices'"),
      ...moreTests,
    },
    short: true,
  },
  {
    what: 'coverage',
    prompt: 'Increase the test coverage of the cart, and mend what you find',
    files: { ...fix, 'test/cart.test.js': `${shopTest}\n// more\n`, ...moreTests },
  },
  {
    what: 'a red step: the tests come first',
    prompt: 'TDD: write a failing test first for empty carts',
    promise: 'test -f test/empty.test.js && ! node --test test/empty.test.js',
    files: {
      'test/empty.test.js':
        "require('node:test')('empty', () => require('node:assert').equal(require('../cart.js').total(null), 0))\n",
    },
    short: true,
  },
  {
    what: 'a red step in a file that is there',
    prompt: 'Write failing tests for the refund',
    promise: 'grep -q refund test/cart.test.js && ! node --test',
    files: {
      'test/cart.test.js': `${shopTest}test('refund', () => assert.equal(require('../cart.js').refund(), 1))\n`,
    },
  },
  {
    what: 'an API is renamed',
    prompt: 'Rename total to amount, in the tests too',
    before: { 'cart.js': mended },
    promise: isDone('cart.js', 'exports.amount'),
    files: renamed,
    short: true,
  },
  {
    what: 'an API is renamed, and the promise failed before',
    prompt: 'Rename total to amount everywhere',
    promise: isDone('cart.js', 'exports.amount'),
    files: renamed,
  },
  {
    what: 'snapshots are updated',
    prompt: 'Mend the total and update the snapshots',
    before: {
      'test/__snapshots__/a.snap': '2\n',
      'test/snap.test.js':
        "require('node:test')('snap', () => require('node:assert').equal(`${require('../cart.js').total([{ price: 3 }, { price: 4 }])}\\n`, require('node:fs').readFileSync(`${__dirname}/__snapshots__/a.snap`, 'utf8')))\n",
    },
    files: { ...fix, 'test/__snapshots__/a.snap': '7\n' },
  },
  {
    what: 'a dependency is bumped',
    prompt: 'Bump claim to 2.0',
    promise: 'node --test',
    before: {
      'package.json':
        '{ "name": "shop", "scripts": { "test": "node --test" }, "dependencies": { "claim": "1.0.0" } }\n',
      'node_modules/claim/index.js': 'exports.v = 1\n',
      'cart.js': mended,
      'test/v.test.js':
        "require('node:test')('v', () => require('node:assert').equal(require('claim').v, 2))\n",
    },
    files: {
      'package.json':
        '{ "name": "shop", "scripts": { "test": "node --test" }, "dependencies": { "claim": "2.0.0" } }\n',
      'node_modules/claim/index.js': 'exports.v = 2\n',
    },
    short: true,
  },
  {
    what: 'a dependency comes in that nobody named',
    prompt: 'Mend the total',
    files: {
      ...fix,
      'package.json':
        '{ "name": "shop", "scripts": { "test": "node --test" }, "dependencies": { "sum": "1.0.0" } }\n',
      'node_modules/sum/index.js': 'module.exports = 1\n',
    },
  },
  {
    what: 'the packages are installed again, as they were',
    prompt: 'Mend the total',
    before: { 'node_modules/claim/index.js': 'module.exports = 1\n' },
    files: fix,
    sh: 'cp -R node_modules/claim claim && rm -r node_modules/claim && mv claim node_modules/claim',
    ship: 'SHIP',
    short: true,
  },
  {
    what: 'a script beside',
    prompt: 'Mend the total',
    promise: npm,
    files: {
      ...fix,
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test", "lint": "true" } }\n',
    },
    ship: 'SHIP',
    short: true,
  },
  {
    what: 'tsconfig is repaired',
    prompt: 'Fix tsconfig.json',
    promise:
      "node -e \"process.exit(JSON.parse(require('fs').readFileSync('tsconfig.json','utf8')).compilerOptions.strict?0:1)\"",
    before: { 'tsconfig.json': '{ broken\n' },
    files: { 'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n' },
    short: true,
  },
  {
    what: 'the script is what was asked for',
    prompt: 'Add a lint script to package.json',
    promise: 'npm run --silent lint',
    files: {
      'package.json':
        '{ "name": "shop", "scripts": { "test": "node --test", "lint": "node --check cart.js" } }\n',
    },
  },
  {
    what: 'flaky tests that pass at the second try',
    prompt: 'Mend the total',
    before: {
      'test/flaky.test.js':
        "require('node:test')('flaky', () => require('node:assert').ok(Date.now() % 1000 < 999))\n",
    },
    files: fix,
  },
  {
    what: 'a bench',
    prompt: 'Make the bench faster',
    promise: 'node bench.js',
    before: { 'bench.js': "process.exit(require('./cart.js').total([{ price: 2 }]) === 2 ? 0 : 1)\n" },
    files: fix,
  },
  {
    what: 'a bench, measured and tested',
    prompt: 'Make it fast',
    promise: 'node --test && node bench/run.js',
    before: { 'bench/run.js': "process.exit(require('../cart.js').total([{ price: 2 }]) === 2 ? 0 : 1)\n" },
    files: fix,
  },
  {
    what: 'the build writes what is ignored',
    prompt: 'Mend the total',
    promise: 'mkdir -p node_modules/.cache && date > node_modules/.cache/x && node --test',
    files: fix,
  },
  {
    what: 'a version file',
    prompt: 'Set the version in package.json to 1.1.0',
    promise: isDone('package.json', '1.1.0'),
    before: fix,
    files: {
      'package.json': '{ "name": "shop", "version": "1.1.0", "scripts": { "test": "node --test" } }\n',
    },
  },
  {
    what: 'a version file that nobody named, read by the promise',
    prompt: 'Release 1.1.0',
    promise: isDone('package.json', '1.1.0'),
    before: fix,
    files: {
      'package.json': '{ "name": "shop", "version": "1.1.0", "scripts": { "test": "node --test" } }\n',
    },
  },
  {
    what: 'a version file, also read by npm',
    prompt: 'Set the version in package.json to 1.1.0',
    promise: `${npm} && grep -q 1.1.0 package.json`,
    before: fix,
    files: {
      'package.json': '{ "name": "shop", "version": "1.1.0", "scripts": { "test": "node --test" } }\n',
    },
  },
  {
    what: 'an editor leaves a setting in HOME',
    prompt: 'Mend the total',
    files: fix,
    sh: 'echo "alias x=y" >> "@HOME/.bashrc"',
  },
  {
    what: 'another program is installed',
    prompt: 'Mend the total',
    files: fix,
    sh: 'printf "#!/bin/sh\\n" > "@FRONT/some-new-tool"; chmod +x "@FRONT/some-new-tool"',
  },
  {
    what: 'the user lets it change tests',
    prompt: 'Mend it',
    flags: ['--allow', 'test/**'],
    files: {
      'test/cart.test.js': shopTest.replaceAll(/test\('(adds|orders).*/g, '').replace(/ {2}for[\s\S]*/, ''),
    },
  },
  {
    what: 'the first workflow: tests, then the work',
    prompt: 'Implement the total to make tests pass',
    promise: npm,
    files: fix,
  },
]
