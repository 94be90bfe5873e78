/** The commands of a package.json: which scripts count, and which program runs them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectProject } from '../../../../src/options/detect/project.ts'
import { commandsOf, madeUpProject, type ProjectRow, packageText } from '../../../rig/made-up-project.ts'

const usual = {
  test: 'node --test',
  lint: 'eslint .',
  typecheck: 'tsc --noEmit',
  build: 'tsc',
  coverage: 'c8 node --test',
}

const projects: ProjectRow[] = [
  ['npm without a lock file', { 'package.json': packageText({ test: 'jest' }) }, [], { test: 'npm test' }],
  [
    'npm',
    { 'package.json': packageText(usual), 'package-lock.json': '' },
    [],
    {
      test: 'npm test',
      lint: 'npm run lint',
      types: 'npm run typecheck',
      build: 'npm run build',
      coverage: 'npm run coverage',
    },
  ],
  [
    'pnpm by its lock file',
    { 'package.json': packageText({ test: 'vitest run', 'type-check': 'tsc' }), 'pnpm-lock.yaml': '' },
    [],
    { test: 'pnpm test', types: 'pnpm run type-check' },
  ],
  [
    'yarn by packageManager, beside the lock file of npm',
    {
      'package.json': packageText({ test: 'jest', lint: 'eslint .' }, { packageManager: 'yarn@4.1.0+sha' }),
      'package-lock.json': '',
    },
    [],
    { test: 'yarn test', lint: 'yarn run lint' },
  ],
  [
    'bun: bun test would be another runner',
    { 'package.json': packageText({ test: 'vitest run' }), 'bun.lock': '' },
    [],
    { test: 'bun run test' },
  ],
  [
    'devEngines',
    { 'package.json': packageText({ test: 'jest' }, { devEngines: { packageManager: { name: 'pnpm' } } }) },
    [],
    { test: 'pnpm test' },
  ],
  [
    'what npm init writes',
    { 'package.json': packageText({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
    {},
  ],
  [
    'a script that only says yes',
    { 'package.json': packageText({ test: 'true', lint: "echo 'no; lint'", build: 'exit 0' }) },
    [],
    {},
  ],
  [
    'a script that prints into a program',
    { 'package.json': packageText({ test: 'echo x | node check.js' }) },
    [],
    { test: 'npm test' },
  ],
  [
    'one that watches is passed over for one that ends',
    { 'package.json': packageText({ test: 'jest --watch', 'test:ci': 'jest --ci' }) },
    [],
    { test: 'npm run test:ci' },
  ],
  [
    'a workspace is no watch',
    { 'package.json': packageText({ test: 'npm test -w packages/a' }) },
    [],
    { test: 'npm test' },
  ],
  ['a linter that repairs', { 'package.json': packageText({ lint: 'eslint --fix .' }) }, [], {}],
  ['package.json that is no JSON', { 'package.json': '{ "scripts": ' }, [], {}],
  ['scripts of another shape', { 'package.json': '{"scripts":["test"],"packageManager":7}' }, [], {}],
  ['names of Object', { 'package.json': packageText({ constructor: 'x' }) }, [], {}],
  [
    'tools without scripts',
    {
      'package.json': packageText(
        {},
        { devDependencies: { eslint: '9', typescript: '5', vitest: '3', '@vitest/coverage-v8': '3' } },
      ),
      'pnpm-lock.yaml': '',
      'eslint.config.mjs': '',
      'tsconfig.json': '{}',
    },
    [],
    {
      lint: 'pnpm exec eslint .',
      types: 'pnpm exec tsc --noEmit',
      coverage: 'pnpm exec vitest run --coverage --coverage.reporter=json-summary',
    },
  ],
  [
    'a tsconfig that only refers to others',
    {
      'package.json': packageText({}, { devDependencies: { typescript: '5' } }),
      'tsconfig.json': '{\n  "files": [],\n  "references": []\n}',
    },
    [],
    {},
  ],
]

test('the commands of a package.json', () => {
  for (const [what, files, programs, commands] of projects)
    assert.deepEqual(commandsOf(detectProject(madeUpProject(files, programs))), commands, what)
})
