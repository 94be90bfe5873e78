/**
 * A Python project: its tools, found by their configuration or as dependencies, run in the environment given by its
 * lock file or .venv. Sections of a TOML or INI file are found by their headings; nothing else of it is read.
 */
import type { FoundCommand } from '../../model/project.ts'
import { firstOf, type Offers, type ProjectListing } from './project.ts'

const markers = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'Pipfile',
  'tox.ini',
  'pytest.ini',
]
const requirementFiles = [
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'setup.cfg',
  'setup.py',
  'Pipfile',
]

export function pythonProject(listing: ProjectListing): Offers | null {
  const tests = unittestDirectory(listing)
  if (firstOf(listing, markers) === null && tests === null) return null
  const place = environmentOf(listing)
  const pytest = reasonFor(listing, pytestTool)
  return {
    found: {
      test: pytest === null ? unittest(place, tests) : [place.run('pytest', pytest)],
      lint: [ruffTool, flake8Tool].flatMap(tool => offered(listing, place, tool)),
      types: [mypyTool, pyrightTool].flatMap(tool => offered(listing, place, tool)),
      build: place.builder === null ? [] : build(listing, place.builder),
      coverage: pytest === null ? [] : coverage(listing, place),
    },
  }
}

type PythonTool = {
  name: string
  command(listing: ProjectListing): string
  /** Its own files, and its sections in shared files. */
  files: readonly string[]
  sections: Readonly<Record<string, RegExp>>
}

const pytestTool: PythonTool = {
  name: 'pytest',
  command: () => 'pytest',
  files: ['pytest.ini', '.pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'],
  sections: {
    'pyproject.toml': /^\[tool\.pytest\b/m,
    'setup.cfg': /^\[tool:pytest\]/m,
    'tox.ini': /^\[pytest\]/m,
  },
}
const ruffTool: PythonTool = {
  name: 'ruff',
  command: () => 'ruff check .',
  files: ['ruff.toml', '.ruff.toml'],
  sections: { 'pyproject.toml': /^\[tool\.ruff\b/m },
}
const flake8Tool: PythonTool = {
  name: 'flake8',
  command: () => 'flake8',
  files: ['.flake8'],
  sections: { 'setup.cfg': /^\[flake8\]/m, 'tox.ini': /^\[flake8\]/m },
}
const mypyTool: PythonTool = {
  name: 'mypy',
  // If the configuration lists files, a path argument would override them.
  command: listing => (/^\s*(?:files|packages|modules)\s*=/m.test(mypySection(listing)) ? 'mypy' : 'mypy .'),
  files: ['mypy.ini', '.mypy.ini'],
  sections: { 'pyproject.toml': /^\[tool\.mypy\]/m, 'setup.cfg': /^\[mypy\]/m },
}
const pyrightTool: PythonTool = {
  name: 'pyright',
  command: () => 'pyright',
  files: ['pyrightconfig.json'],
  sections: { 'pyproject.toml': /^\[tool\.pyright\b/m },
}

function mypySection(listing: ProjectListing): string {
  const own = listing.text('mypy.ini') + listing.text('.mypy.ini')
  const shared = `${listing.text('pyproject.toml')}\n${listing.text('setup.cfg')}`
  return own + (/^\[(?:tool\.)?mypy\]\n((?:(?!\[).*\n?)*)/m.exec(shared)?.[1] ?? '')
}

/** The file that shows the use of this tool; null if none does. */
function reasonFor(listing: ProjectListing, { name, files, sections }: PythonTool): string | null {
  const own = firstOf(listing, files)
  if (own !== null) return own
  const shared = Object.keys(sections).find(file => sections[file]?.test(listing.text(file)))
  return shared === undefined ? dependencyIn(listing, name) : `${shared} section of ${name}`
}

/** Matches `pytest>=8`, `"pytest"`, `pytest = "^8"`: at the start of a line or a quoted text. */
function dependencyIn(listing: ProjectListing, name: string): string | null {
  const named = new RegExp(`(?:^|["'])${name}(?=[\\s"'<>=~!\\[;,]|$)`, 'm')
  const file = requirementFiles.find(one => named.test(listing.text(one)))
  return file === undefined ? null : `${file} names ${name}`
}

function offered(listing: ProjectListing, place: Environment, tool: PythonTool): FoundCommand[] {
  const because = reasonFor(listing, tool)
  return because === null ? [] : [place.run(tool.command(listing), because)]
}

type Environment = {
  python: string
  builder: string | null
  because: string
  run(command: string, because: string): FoundCommand
}

const lockedBy = [
  { file: 'uv.lock', prefix: 'uv run', builder: 'uv build' },
  { file: 'poetry.lock', prefix: 'poetry run', builder: 'poetry build' },
  { file: 'pdm.lock', prefix: 'pdm run', builder: 'pdm build' },
  { file: 'Pipfile.lock', prefix: 'pipenv run', builder: null },
]

/** The environment that contains the project's tools. */
function environmentOf({ names, hasProgram }: ProjectListing): Environment {
  const lock = lockedBy.find(({ file }) => names.has(file))
  const venv = ['.venv/', 'venv/'].find(name => names.has(name)) ?? null
  const python = lock ? `${lock.prefix} python` : venv === null ? 'python3' : `${venv}bin/python`
  const because = lock?.file ?? venv ?? ''
  const typed = (command: string) => {
    if (lock) return `${lock.prefix} ${command}`
    const [program = ''] = command.split(' ')
    // Run as a module, pytest has the project's root on its path; the others can be separate programs.
    const isProgram = venv === null && program !== 'pytest' && hasProgram(program)
    return isProgram ? command : `${python} -m ${command}`
  }
  return {
    python,
    builder: lock?.builder ?? null,
    because,
    run: (command, why) => ({
      command: typed(command),
      because: [why, because].filter(Boolean).join(', '),
    }),
  }
}

/** The directory in which unittest would find tests. */
function unittestDirectory({ names }: ProjectListing): string | null {
  const holds = (directory: string) =>
    [...names].some(name => /^test\w*\.py$/.test(name.slice(directory.length)) && name.startsWith(directory))
  return ['tests/', 'test/', ''].find(holds) ?? null
}

/** Without tests unittest finds none and, before Python 3.12, reports success. */
function unittest({ python, because }: Environment, directory: string | null): FoundCommand[] {
  if (directory === null) return []
  const where = directory === '' ? '' : ` -s ${directory.slice(0, -1)}`
  const why = `${directory === '' ? 'test*.py' : `${directory}test*.py`}, no pytest`
  return [
    {
      command: `${python} -m unittest discover${where}`,
      because: [why, because].filter(Boolean).join(', '),
    },
  ]
}

function build(listing: ProjectListing, command: string): FoundCommand[] {
  const isPackage = /^\[build-system\]/m.test(listing.text('pyproject.toml'))
  return isPackage ? [{ command, because: 'pyproject.toml section build-system' }] : []
}

function coverage(listing: ProjectListing, place: Environment): FoundCommand[] {
  const because = dependencyIn(listing, 'pytest-cov')
  if (because === null) return []
  const report = 'coverage.xml'
  return [{ ...place.run(`pytest --cov --cov-report=xml:${report}`, because), reports: [report] }]
}
