import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestChange } from '../../../../src/core/trust/manifest.ts'

const json = (value: object) => JSON.stringify(value)
const scripts = { test: 'node --test' }

const rows: [what: string, path: string, before: string, now: string, is: string | null][] = [
  ['a dependency', 'package.json', json({ scripts }), json({ scripts, dependencies: { a: '1' } }), 'work'],
  ['a version', 'a/package.json', json({ version: '1' }), json({ version: '2' }), 'work'],
  ['a script', 'package.json', json({ scripts }), json({ scripts: { test: 'true' } }), 'judging'],
  ['settings of a runner', 'package.json', json({}), json({ jest: { testMatch: [] } }), 'judging'],
  ['broken JSON', 'package.json', json({}), '{', 'judging'],
  ['a lock file', 'package-lock.json', '{}', '{ "a": 1 }', 'work'],
  ['another file', 'tsconfig.json', '{}', '{ "a": 1 }', null],
  ['go.mod, required', 'go.mod', 'module a\n', 'module a\nrequire b v1\n', 'work'],
  ['go.mod, replaced', 'go.mod', 'module a\n', 'module a\nreplace b => ./c\n', 'judging'],
  [
    'Cargo.toml, dependencies',
    'Cargo.toml',
    '[package]\nname = "a"\n',
    '[package]\nname = "a"\n[dependencies]\nb = "1"\n',
    'work',
  ],
  [
    'Cargo.toml, no tests',
    'Cargo.toml',
    '[package]\nname = "a"\n',
    '[package]\nname = "a"\nautotests = false\n',
    'judging',
  ],
  [
    'pyproject.toml, a list',
    'pyproject.toml',
    '[project]\ndependencies = [\n]\n',
    '[project]\ndependencies = [\n"a>=1",\n]\n',
    'work',
  ],
  [
    'pyproject.toml, pytest',
    'pyproject.toml',
    '',
    '[tool.pytest.ini_options]\naddopts = "-p x"\n',
    'judging',
  ],
]

for (const [what, path, before, now, is] of rows)
  test(what, () => assert.equal(manifestChange(path, before, now)?.is ?? null, is))

test('both sides: the scripts as they were, with the new dependencies', () => {
  const found = manifestChange(
    'package.json',
    json({ scripts }),
    json({ scripts: {}, dependencies: { a: '1' } }),
  )
  assert.ok(found?.is === 'both')
  assert.deepEqual(JSON.parse(found.merged), { scripts, dependencies: { a: '1' } })
})
