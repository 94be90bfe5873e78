/** Hostile workflow files: the reader always terminates, and every mistake has a place in the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { atTop, inLoop, problemsOf, readFile } from '../../../rig/workflow-file.ts'

const whole = `name: flow
vars: {feature: x, test: {type: command, default: npm test}}
env: {A: "{{feature}}"}
defaults: {timeout: 5m, agent: claude}
loops:
  - id: build
    prompt: |
      build {{feature}}
      for {{matrix.os}}
    promise: "{{test}} && echo '{{feature}}'"
    matrix: {os: [linux, mac]}
    outputs: [version]
    retry: {max: 2, on: [failed]}
  - id: check
    prompt: check it
    promise: [a=npm test, "test {{workflow.name}} = x"]
    depends_on: [build]
    when: completed(build) && outputs.build-mac.version == "2"
on_complete: echo {{outputs.build-linux.version}}
on_failure: ["loop rollback {{failed_loop}} initial"]
`

test('the whole file is sound', () => assert.deepEqual(problemsOf(whole), []))

const pieces = [
  '',
  '{{',
  '}}',
  '"',
  "'",
  '\n',
  '  ',
  '- ',
  ': ',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!x ',
  '|',
  '>',
  '#',
  '\\',
  '\t',
  '$(',
  '`',
  '<<: ',
  '? ',
  '---\n',
  '\u0000',
  'é🎉',
  '\r\n',
]

test('a file with anything changed in it is read to an end', () => {
  const change = fc.tuple(
    fc.nat(whole.length),
    fc.nat(30),
    fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })),
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), changes => {
      let text = whole
      for (const [at, length, piece] of changes) text = text.slice(0, at) + piece + text.slice(at + length)
      const read = readFile(text, { isComplete: changes.length % 2 === 0 })
      if ('workflow' in read) return
      assert.ok(read.problems.length > 0)
      const lines = text.split('\n')
      for (const { line, column, endLine, endColumn, source, message } of read.problems) {
        assert.equal(source, lines[line - 1]?.replace(/\r$/, ''), message)
        assert.ok(column >= 1 && column <= source.length + 2, `${message} ${line}:${column}`)
        assert.ok(endLine > line || (endLine === line && endColumn > column), message)
        assert.ok(endLine <= lines.length, message)
      }
    }),
    { numRuns: process.env['LOOP_LONG'] ? 5_000 : 150 },
  )
})

test('texts that would take for ever or go too deep are refused, or read in no time', () => {
  const many = (text: string, times: number) => text.repeat(times)
  const rows: [string, RegExp | null][] = [
    [`name: ${many('[', 20_000)}`, /nested too deeply/],
    [`name: ${many('{a: ', 20_000)}`, /nested too deeply/],
    [many('- ', 20_000), /nested too deeply/],
    [inLoop(`model: ${many('\\', 200_000)}`), null],
    [inLoop(`model: "${many('{{ ', 50_000)}"`), null],
    [inLoop(`${many('x', 900)}: 1`), /A loop has no key x{580,}…/],
    [inLoop(`must_not: 'a=echo {{x}} ${many('$(', 5_000)}'`), /a quote or \( that is not closed/],
    [inLoop(`must_not: 'a=echo {{x}} ${many('${a:-', 20_000)}'`), /a command with \$\{…\}/],
    [inLoop(`must_not: 'a=echo {{x}}; ${many('( ', 20_000)}'`), /a quote or \( that is not closed/],
    [inLoop(`must_not: 'a=echo {{x}} ${many('<<E ', 2_000)}'`), /heredoc/],
    [inLoop(`when: "${many('!', 10_000)}completed(x)"`), /too long/],
    [
      `name: a\nloops:\n${many('  - {id: a, prompt: x, promise: npm test}\n', 1_000)}`,
      /has 1000 loops; 64 is the most/,
    ],
    [atTop(many('unknown: 1\n', 2_000)), /no key unknown/],
  ]
  for (const [text, message] of rows) {
    const problems = problemsOf(text, { set: text.includes('{{x}}') ? { x: '1' } : {} })
    assert.ok(problems.length <= 200)
    if (message) assert.match(problems.join('\n'), message)
  }
})

test('values that no environment can take are refused with their place', () => {
  const long = 'x'.repeat(131_000)
  assert.deepEqual(problemsOf(inLoop('must_not: "a=echo {{v}}"'), { set: { v: long } }), [
    '6:23-6:28 The value of v is longer than 127 kB, the most that fits into an environment variable. = Put it into a file and name that.',
  ])
  assert.match(
    problemsOf(atTop(`env: {A: ${long}}`)).join(),
    /^2:10-2:131010 The value of A is longer than 127 kB/,
  )
  const names = [...'abcdefghi']
  const set = Object.fromEntries(names.map(name => [name, 'x'.repeat(120_000)]))
  assert.deepEqual(
    problemsOf(inLoop(`must_not: "a=echo ${names.map(name => `{{${name}}}`).join(' ')}"`), { set }),
    ['3:9-3:14 LOOP_VAR_i of build makes the environment larger than 1 MB.'],
  )
})
