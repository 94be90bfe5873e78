/**
 * The commands of a project, from the files in its root. A person who knows the project would type the expected
 * command; the files are those that its tools write.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectProject, listingOf, projectLines } from '../../../../src/options/detect/project.ts'
import { systemAt } from '../../../../src/wiring/system.ts'
import { tempDir } from '../../../rig/given.ts'
import { commandsOf, madeUpProject, type ProjectRow, packageText } from '../../../rig/made-up-project.ts'

const projects: ProjectRow[] = [
  ['an empty directory', {}, [], {}],
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
      coverage: 'go test -coverpkg=./... -coverprofile=coverage.out ./...',
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
      coverage: 'go test -coverpkg=./... -coverprofile=coverage.out ./...',
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
    assert.deepEqual(commandsOf(detectProject(madeUpProject(files, programs))), commands, what)
})

test('what the project says itself comes before the defaults of its tools, which are named', () => {
  const found = detectProject(
    madeUpProject({
      'go.mod': '',
      Makefile: 'test:\n\tgo test -race ./...\n',
      'package.json': packageText({ test: 'x' }),
    }),
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
    'package.json': packageText({ test: 'vitest run', lint: 'eslint --fix .' }),
    'pnpm-lock.yaml': '',
    'yarn.lock': '',
  }
  const found = detectProject(madeUpProject(files))
  assert.deepEqual(projectLines(found), ['test: pnpm test (package.json script "test", pnpm-lock.yaml)'])
  assert.deepEqual(found.passedOver, [
    'pnpm-lock.yaml and yarn.lock are both there and package.json names no packageManager: pnpm is taken.',
    'package.json script "lint" changes files: it repairs.',
  ])
  const sham = detectProject(
    madeUpProject({ 'package.json': packageText({ test: 'echo "Error: no test specified" && exit 1' }) }),
  )
  assert.deepEqual(sham.passedOver, ['package.json script "test" does nothing but print or exit.'])
  const made = detectProject(madeUpProject({ Makefile: 'test:\n', 'test/': '' }))
  assert.deepEqual(made.passedOver, [
    'Makefile target "test" is not phony, and test/ is there: make would do nothing.',
  ])
})

test('the root of a real directory is looked at, and no package further down', t => {
  const root = tempDir(t)
  mkdirSync(join(root, 'packages', 'a'), { recursive: true })
  mkdirSync(join(root, 'tests'))
  mkdirSync(join(root, 'go.mod')) // a directory with this name is no module
  writeFileSync(join(root, 'packages', 'a', 'package.json'), packageText({ test: 'jest' }))
  writeFileSync(join(root, 'tests', 'test_a.py'), '')
  const look = () => detectProject(listingOf(root, systemAt({ cwd: root, env: {} })))
  assert.deepEqual(projectLines(look()), [
    'test: python3 -m unittest discover -s tests (tests/test*.py, no pytest)',
  ])
  writeFileSync(join(root, 'package.json'), packageText({ test: 'jest' }))
  assert.deepEqual(projectLines(look()), [
    'test: npm test (package.json script "test"); also possible: python3 -m unittest discover -s tests',
  ])
})
