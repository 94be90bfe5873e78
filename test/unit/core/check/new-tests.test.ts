/** New tests, changed tests, and changes to how tests are run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addsTests, changedSteering, changedTests, isNewTest } from '../../../../src/core/check.ts'

const failed = (name: string, file: string | null = null) => ({
  name,
  file,
  how: 'assertion' as const,
  said: '',
})
const old = "test('old', () => {})\n"

test('a test is new where its file is, or where its name was added to a file of tests', () => {
  const added = { path: 'test/a.test.js', before: old, after: `${old}test('new one', () => {})\n` }
  const made = { path: 'test/b.test.js', before: null, after: 'test(`case ${n}`, () => {})\n' }
  assert.equal(isNewTest(failed('new one', 'test/a.test.js'), [added]), true)
  assert.equal(isNewTest(failed('old', 'test/a.test.js'), [added]), false)
  assert.equal(isNewTest(failed('case 3', '/made-up/app/test/b.test.js'), [made]), true)
  assert.equal(isNewTest(failed('case 3', null), [made]), false)
  assert.equal(isNewTest(failed('old'), [{ path: 'src/a.js', before: '', after: '// old\n' }]), false)
})

test('a row of a Go table and a test in a Rust source can be new', () => {
  const go = { path: 'a_test.go', before: 'func TestTable', after: 'func TestTable\n{"empty cart", 0}' }
  assert.equal(isNewTest(failed('TestTable/empty_cart'), [go]), true)
  const rust = { path: 'src/lib.rs', before: 'fn a() {}', after: 'fn a() {}\n#[test]\nfn adds() {}' }
  assert.equal(isNewTest(failed('adds'), [rust]), true)
})

test('tests that are edited or deleted are named; those that only grow, where that is not allowed', () => {
  const grown = { path: 'test/a.test.js', before: old, after: `${old}test('b', () => {})\n` }
  const edited = { path: 'test/a.test.js', before: old, after: old.replace('test(', 'test.skip(') }
  const gone = { path: 'test/a.test.js', before: old, after: null }
  const made = { path: 'test/c.test.js', before: null, after: old }
  assert.deepEqual(changedTests([grown, made], true), [])
  assert.deepEqual(changedTests([grown], false), [grown])
  assert.deepEqual(changedTests([edited], true), [edited])
  assert.deepEqual(changedTests([gone], true), [gone])
})

test('only code in a file of tests adds a test', () => {
  assert.equal(addsTests([{ path: 'test/a.test.js', before: old, after: `${old}\n// more\n` }]), false)
  assert.equal(addsTests([{ path: 'src/a.js', before: '', after: 'a()' }]), false)
  assert.equal(addsTests([{ path: 'test/a.test.js', before: old, after: `${old}test('b', f)\n` }]), true)
})

test('how tests are run is steered by scripts and configurations, not by every key beside them', () => {
  const json = (more: object) => JSON.stringify({ name: 'a', scripts: { test: 'node --test' }, ...more })
  const file = (path: string, before: string | null, after: string | null) => ({ path, before, after })
  assert.deepEqual(changedSteering([file('package.json', json({}), json({ dependencies: { b: '1' } }))]), [])
  assert.deepEqual(changedSteering([file('package.json', json({}), json({ scripts: { test: 'true' } }))]), [
    'package.json',
  ])
  assert.deepEqual(changedSteering([file('Makefile', 'test:\n\tgo test\n', 'test:\n\ttrue\n')]), ['Makefile'])
  assert.deepEqual(changedSteering([file('vitest.config.ts', null, 'export default {}')]), [
    'vitest.config.ts',
  ])
  const toml = (more: string) => `[project]\nname = "a"\n${more}`
  const section = '[tool.pytest.ini_options]\naddopts = "-k none"\n'
  assert.deepEqual(changedSteering([file('pyproject.toml', toml(''), toml('version = "2"\n'))]), [])
  assert.deepEqual(changedSteering([file('pyproject.toml', toml(''), toml(section))]), ['pyproject.toml'])
})
