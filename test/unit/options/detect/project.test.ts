/**
 * Which commands a project has, from the files of its root. What is expected is what a person who knows the project
 * would type; the files are those that its tools write.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ProjectCommands, purposes } from '../../../../src/model/project.ts'
import { listingOf, type ProjectListing } from '../../../../src/options/detect/listing.ts'
import { detectProject, projectLines } from '../../../../src/options/detect/project.ts'
import { systemAt } from '../../../../src/wiring/system.ts'
import { tempDir } from '../../../rig/given.ts'

function listing(files: Record<string, string>, programs: string[] = []): ProjectListing {
  return {
    names: new Set(Object.keys(files)),
    text: name => files[name] ?? '',
    hasProgram: name => programs.includes(name),
  }
}

function commandsOf(found: ProjectCommands): Record<string, string> {
  return Object.fromEntries(
    purposes.flatMap(purpose => {
      const command = found[purpose]?.command
      return command === undefined ? [] : [[purpose, command]]
    }),
  )
}

const pkg = (scripts: object, more: object = {}) => JSON.stringify({ name: 'app', scripts, ...more })
const usual = {
  test: 'node --test',
  lint: 'eslint .',
  typecheck: 'tsc --noEmit',
  build: 'tsc',
  coverage: 'c8 node --test',
}

type Row = [what: string, files: Record<string, string>, programs: string[], commands: Record<string, string>]

const projects: Row[] = [
  ['an empty directory', {}, [], {}],
  ['npm without a lock file', { 'package.json': pkg({ test: 'jest' }) }, [], { test: 'npm test' }],
  [
    'npm',
    { 'package.json': pkg(usual), 'package-lock.json': '' },
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
    { 'package.json': pkg({ test: 'vitest run', 'type-check': 'tsc' }), 'pnpm-lock.yaml': '' },
    [],
    { test: 'pnpm test', types: 'pnpm run type-check' },
  ],
  [
    'yarn by packageManager, beside the lock file of npm',
    {
      'package.json': pkg({ test: 'jest', lint: 'eslint .' }, { packageManager: 'yarn@4.1.0+sha' }),
      'package-lock.json': '',
    },
    [],
    { test: 'yarn test', lint: 'yarn run lint' },
  ],
  [
    'bun: bun test would be another runner',
    { 'package.json': pkg({ test: 'vitest run' }), 'bun.lock': '' },
    [],
    { test: 'bun run test' },
  ],
  [
    'devEngines',
    { 'package.json': pkg({ test: 'jest' }, { devEngines: { packageManager: { name: 'pnpm' } } }) },
    [],
    { test: 'pnpm test' },
  ],
  [
    'what npm init writes',
    { 'package.json': pkg({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
    {},
  ],
  [
    'a script that only says yes',
    { 'package.json': pkg({ test: 'true', lint: "echo 'no; lint'", build: 'exit 0' }) },
    [],
    {},
  ],
  [
    'a script that prints into a program',
    { 'package.json': pkg({ test: 'echo x | node check.js' }) },
    [],
    { test: 'npm test' },
  ],
  [
    'one that watches is passed over for one that ends',
    { 'package.json': pkg({ test: 'jest --watch', 'test:ci': 'jest --ci' }) },
    [],
    { test: 'npm run test:ci' },
  ],
  [
    'a workspace is no watch',
    { 'package.json': pkg({ test: 'npm test -w packages/a' }) },
    [],
    { test: 'npm test' },
  ],
  ['a linter that repairs', { 'package.json': pkg({ lint: 'eslint --fix .' }) }, [], {}],
  ['package.json that is no JSON', { 'package.json': '{ "scripts": ' }, [], {}],
  ['scripts of another shape', { 'package.json': '{"scripts":["test"],"packageManager":7}' }, [], {}],
  ['names of Object', { 'package.json': pkg({ constructor: 'x' }) }, [], {}],
  [
    'tools without scripts',
    {
      'package.json': pkg(
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
      'package.json': pkg({}, { devDependencies: { typescript: '5' } }),
      'tsconfig.json': '{\n  "files": [],\n  "references": []\n}',
    },
    [],
    {},
  ],
  [
    'cargo',
    { 'Cargo.toml': '[package]\nname = "a"\n' },
    ['cargo-clippy'],
    {
      test: 'cargo test',
      lint: 'cargo clippy --all-targets',
      types: 'cargo check --all-targets',
      build: 'cargo build',
    },
  ],
  [
    'a cargo workspace, without clippy, with llvm-cov',
    { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' },
    ['cargo-llvm-cov'],
    {
      test: 'cargo test --workspace',
      types: 'cargo check --workspace --all-targets',
      build: 'cargo build --workspace',
      coverage: 'cargo llvm-cov --workspace --lcov --output-path target/lcov.info',
    },
  ],
  [
    'go',
    { 'go.mod': 'module a\n', '.golangci.yml': '' },
    [],
    {
      test: 'go test ./...',
      lint: 'go vet ./...',
      build: 'go build ./...',
      coverage: 'go test -coverprofile=coverage.out ./...',
    },
  ],
  [
    'go with golangci-lint',
    { 'go.mod': 'module a\n', '.golangci.yml': '' },
    ['golangci-lint'],
    {
      test: 'go test ./...',
      lint: 'golangci-lint run',
      build: 'go build ./...',
      coverage: 'go test -coverprofile=coverage.out ./...',
    },
  ],
  [
    'uv, everything in pyproject',
    {
      'pyproject.toml':
        '[project]\nname="a"\n[dependency-groups]\ndev = ["pytest>=8", "pytest-cov"]\n[build-system]\nrequires=[]\n[tool.ruff]\n[tool.mypy]\nstrict = true\n',
      'uv.lock': '',
    },
    [],
    {
      test: 'uv run pytest',
      lint: 'uv run ruff check .',
      types: 'uv run mypy .',
      build: 'uv build',
      coverage: 'uv run pytest --cov --cov-report=xml:coverage.xml',
    },
  ],
  [
    'poetry, mypy with files of its own',
    {
      'pyproject.toml':
        '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n[tool.mypy]\nfiles = ["src"]\n[tool.other]\n',
      'poetry.lock': '',
    },
    [],
    { test: 'poetry run pytest', types: 'poetry run mypy' },
  ],
  [
    'files of another section are not those of mypy',
    { 'pyproject.toml': '[tool.mypy]\nstrict = true\n\n[tool.other]\nfiles = ["a"]\n' },
    [],
    { types: 'python3 -m mypy .' },
  ],
  [
    'pytest in a .venv',
    { 'requirements.txt': 'pytest==8\n', '.venv/': '' },
    ['ruff'],
    { test: '.venv/bin/python -m pytest' },
  ],
  ['pytest-xdist alone is no pytest', { 'requirements.txt': 'pytest-xdist\n' }, [], {}],
  ['ruff as a program', { 'setup.py': '', 'ruff.toml': '' }, ['ruff'], { lint: 'ruff check .' }],
  [
    'unittest',
    { 'setup.py': '', 'tests/': '', 'tests/test_a.py': '' },
    [],
    { test: 'python3 -m unittest discover -s tests' },
  ],
  ['unittest at the root', { 'test_a.py': '', 'a.py': '' }, [], { test: 'python3 -m unittest discover' }],
  ['Python without a test', { 'setup.py': '', 'tests/': '', 'tests/data.py': '' }, [], {}],
  [
    'make',
    {
      Makefile:
        'CC := gcc\n.PHONY: test lint\nall: app\ntest: app\n\t./run\nlint typecheck:\n\ttrue\napp:\n\tcc\n',
    },
    [],
    { test: 'make test', lint: 'make lint', types: 'make typecheck', build: 'make all' },
  ],
  ['a target that is a directory', { Makefile: 'test:\n\t./run\n', 'test/': '' }, [], {}],
  [
    'a phony target that is a directory',
    { Makefile: '.PHONY: \\\n  test\ntest:\n\t./run\n', 'test/': '' },
    [],
    { test: 'make test' },
  ],
  ['a variable is no target', { Makefile: 'test := 1\nlint ?= 2\nbuild::=3\n' }, [], {}],
  [
    'just',
    {
      justfile:
        'set shell := ["sh"]\nalias t := test\ntest *args:\n  go test\n@lint:\n  true\nbuild target:\n  x\ncoverage out="a": test\n  y\n',
    },
    [],
    { test: 'just test', lint: 'just lint', coverage: 'just coverage' },
  ],
]

test('the commands of a project', () => {
  for (const [what, files, programs, commands] of projects)
    assert.deepEqual(commandsOf(detectProject(listing(files, programs))), commands, what)
})

test('what the project says itself comes before the defaults of its tools, which are named', () => {
  const found = detectProject(
    listing({ 'go.mod': '', Makefile: 'test:\n\tgo test -race ./...\n', 'package.json': pkg({ test: 'x' }) }),
  )
  assert.deepEqual(found.test, {
    command: 'npm test',
    because: 'package.json script "test"',
    others: [
      { command: 'make test', because: 'Makefile target "test"' },
      { command: 'go test ./...', because: 'go.mod' },
    ],
  })
})

test('why a command was found or passed over is said', () => {
  const files = {
    'package.json': pkg({ test: 'vitest run', lint: 'eslint --fix .' }),
    'pnpm-lock.yaml': '',
    'yarn.lock': '',
  }
  const found = detectProject(listing(files))
  assert.deepEqual(projectLines(found), ['test: pnpm test (package.json script "test", pnpm-lock.yaml)'])
  assert.deepEqual(found.passedOver, [
    'pnpm-lock.yaml and yarn.lock are both there and package.json names no packageManager: pnpm is taken.',
    'package.json script "lint" changes files: it repairs.',
  ])
  const sham = detectProject(
    listing({ 'package.json': pkg({ test: 'echo "Error: no test specified" && exit 1' }) }),
  )
  assert.deepEqual(sham.passedOver, ['package.json script "test" does nothing but print or exit.'])
  const made = detectProject(listing({ Makefile: 'test:\n', 'test/': '' }))
  assert.deepEqual(made.passedOver, [
    'Makefile target "test" is not phony, and test/ is there: make would do nothing.',
  ])
})

test('the root of a real directory is looked at, and no package further down', t => {
  const root = tempDir(t)
  mkdirSync(join(root, 'packages', 'a'), { recursive: true })
  mkdirSync(join(root, 'tests'))
  mkdirSync(join(root, 'go.mod')) // a directory of that name is no module
  writeFileSync(join(root, 'packages', 'a', 'package.json'), pkg({ test: 'jest' }))
  writeFileSync(join(root, 'tests', 'test_a.py'), '')
  const look = () => detectProject(listingOf(root, systemAt({ cwd: root, env: {} })))
  assert.deepEqual(projectLines(look()), [
    'test: python3 -m unittest discover -s tests (tests/test*.py, no pytest)',
  ])
  writeFileSync(join(root, 'package.json'), pkg({ test: 'jest' }))
  assert.deepEqual(projectLines(look()), [
    'test: npm test (package.json script "test"); also possible: python3 -m unittest discover -s tests',
  ])
})
