/** Comments that keep a tool from looking, and comments that only talk. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silences } from '../../../../src/core/trust/tools.ts'

const silent = [
  'var a = 1 // eslint-disable-line',
  '// eslint-disable-next-line no-var',
  '/* eslint no-var: 0 */',
  'x = f()  # noqa: E501',
  'x = f()  # type: ignore[no-any]',
  '# pylint: disable=all',
  '# mypy: ignore-errors',
  '// @ts-nocheck',
  '// @ts-expect-error later',
  '//nolint:errcheck',
  '#[allow(dead_code)]',
  '@SuppressWarnings("unchecked")',
  '/* istanbul ignore next */',
  '/* c8 ignore start */',
  'return 1 # pragma: no cover',
  '/* node:coverage disable */',
  '<!-- markdownlint-disable MD013 -->',
  '# shellcheck disable=SC2086',
  '# fmt: off',
  '// biome-ignore lint: because',
  '// prettier-ignore',
  '-- sqlfluff:off',
  '@typing.no_type_check',
  '#pragma GCC diagnostic ignored "-Wunused"',
  '//go:build ignore',
  '#[rustfmt::skip]',
]
const plain = [
  'const a = 1 // ignore empty lines',
  '# skip the header of the table',
  "if (line.startsWith('#')) continue",
  'const disabled = true',
  'const url = "https://a.example/ignore"',
  '// this is off by one',
  'items.filter(ignore)',
]

for (const line of silent)
  test(`silences: ${line}`, () => assert.equal(silences(line, ['eslint', 'sqlfluff']), 1))
for (const line of plain)
  test(`says nothing to a tool: ${line}`, () => assert.equal(silences(line, ['eslint']), 0))

test('a comment that asks for a check is counted when it goes', () => {
  assert.ok(silences('const a = 1', ['tsc']) > silences('// @ts-check\nconst a = 1', ['tsc']))
})
