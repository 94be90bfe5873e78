/**
 * How many problems a tool found, read from what tools really print. The recordings in test/recordings/measures were
 * made by running each tool, both streams into one file, on small projects written for it; directories were replaced
 * by /made-up/app. Versions: ESLint 9.39, Biome 2, oxlint 1, ruff 0.16, flake8 7.4, clippy 1.95, tsc 5 and 7, mypy 2.4,
 * Go 1.19. What is expected follows from the project, not from the output.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { problemCount } from '../../../../../src/core/text/problems.ts'

const directory = 'test/recordings/measures'
const recording = (name: string) => readFileSync(`${directory}/${name}.txt`, 'utf8')

/** For each recording its exit code, the number of problems, and the content of its project. */
const recordings: Record<string, [exitCode: number, problems: number | null, project: string]> = {
  // Two files: debugger, two unused variables as errors; == twice as a warning.
  'eslint9-stylish': [1, 5, '3 errors, 2 warnings'],
  'eslint9-colour': [1, 5, 'the same, colours forced'],
  'eslint9-json': [1, 5, 'the same'],
  'eslint9-clean': [0, 0, 'a clean file: it prints nothing'],
  'eslint9-clean-json': [0, 0, 'a clean file'],
  'eslint9-broken': [2, null, 'no file matches'],
  'biome2-default': [1, 5, 'the same rules'],
  'biome2-colour': [1, 5, 'the same, colours forced'],
  'biome2-json': [1, 5, 'the same'],
  'biome2-cut': [1, 5, 'the same, one of them shown'],
  'biome2-clean': [0, 0, 'a clean file'],
  'biome2-clean-json': [0, 0, 'a clean file'],
  'oxlint1-default': [1, 5, 'the same rules'],
  'oxlint1-stylish': [1, 5, 'the same'],
  'oxlint1-unix': [1, 5, 'the same'],
  'oxlint1-json': [1, 5, 'the same'],
  'oxlint1-clean': [0, 0, 'a clean file'],
  'oxlint1-clean-json': [0, 0, 'a clean file'],
  // Two unused imports and an undefined name.
  'ruff-full': [1, 3, 'two F401, one F821'],
  'ruff-colour': [1, 3, 'the same, colours forced'],
  'ruff-concise': [1, 3, 'the same'],
  'ruff-grouped': [1, 3, 'the same'],
  'ruff-statistics': [1, 3, 'the same'],
  'ruff-json': [1, 3, 'the same'],
  'ruff-clean': [0, 0, 'a clean file'],
  'ruff-clean-json': [0, 0, 'a clean file'],
  'flake8-plain': [1, 4, 'the same and a comparison to None'],
  // A library with 4 problems, whose test has one more.
  'clippy-lib': [0, 4, 'unused variable, return, &Vec, len() == 0'],
  'clippy-all': [0, 5, 'with the unused variable of its test; those of the library are shown once'],
  'clippy-colour': [0, 5, 'the same, colours forced'],
  'clippy-short': [0, 5, 'the same'],
  'clippy-json': [0, 5, 'the same; those of the library stand in it twice'],
  'clippy-deny': [101, 5, 'the same, as errors'],
  'clippy-broken': [101, null, 'it does not compile'],
  'clippy-clean': [0, 0, 'a clean library'],
  'clippy-clean-json': [0, 0, 'a clean library'],
  // Two files with two type errors each.
  'tsc5-plain': [2, 4, '4 errors'],
  'tsc5-pretty': [2, 4, 'the same, one with a second place'],
  'tsc5-config': [1, null, 'its configuration is not there'],
  'tsc7-plain': [2, 4, '4 errors'],
  'tsc7-pretty': [2, 4, 'the same'],
  'mypy-errors': [1, 2, 'a wrong return value, a wrong assignment'],
  'mypy-clean': [0, 0, 'a clean file'],
  'mypy-broken': [2, null, 'a file that does not parse'],
  'go-vet': [1, 1, 'a wrong verb of Printf'],
  'go-vet-clean': [0, 0, 'it prints nothing'],
  'go-vet-broken': [1, null, 'it does not compile'],
}

test('what each tool found', () => {
  for (const [name, [exitCode, problems, project]] of Object.entries(recordings))
    assert.equal(problemCount(recording(name), exitCode), problems, `${name}: ${project}`)
})

test('every recording of a tool is read', () => {
  const tools = /^(?:eslint|biome|oxlint|ruff|flake8|clippy|tsc|mypy|go-vet)/
  const names = readdirSync(directory).filter(name => tools.test(name))
  assert.deepEqual(
    names.map(name => name.replace(/\.txt$/, '')).toSorted(),
    Object.keys(recordings).toSorted(),
  )
})

test('a script that runs several tools: their problems add up', () => {
  const header = '\n> app@1.0.0 lint\n> eslint . && tsc\n\n'
  assert.equal(problemCount(header + recording('eslint9-stylish') + recording('tsc5-plain'), 2), 9)
  assert.equal(problemCount(`${header}${recording('eslint9-json')}\nnpm error code 1\n`, 1), 5)
  assert.equal(problemCount(recording('biome2-default') + recording('ruff-full'), 1), 8)
  assert.equal(problemCount(recording('ruff-full') + recording('biome2-clean'), 1), 3)
  assert.equal(problemCount(header + recording('ruff-json'), 1), 3)
})

test('what no tool explains is not known', () => {
  assert.equal(problemCount('', 0), 0, 'it succeeded and said nothing')
  assert.equal(problemCount('> lint\n> my-linter\n\nwell done\n', 0), 0)
  assert.equal(problemCount('my-linter: 3 things are wrong\n', 1), null)
  assert.equal(problemCount(recording('biome2-clean'), 1), null, 'another part of the script has failed')
  assert.equal(problemCount(recording('eslint9-stylish'), null), null, 'it was killed')
  assert.equal(problemCount(recording('tsc5-plain') + recording('mypy-broken'), 1), null)
})

test('any text at all gives a count or none', () => {
  const pieces = Object.keys(recordings).flatMap(name => recording(name).split('\n').slice(0, 40))
  const line = fc.oneof(fc.constantFrom(...pieces), fc.string())
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom(0, 1, null), (lines, exitCode) => {
      const count = problemCount(lines.join('\n'), exitCode)
      assert.ok(count === null || (Number.isSafeInteger(count) && count >= 0))
    }),
  )
})
