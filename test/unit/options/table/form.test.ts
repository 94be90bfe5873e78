/** A start as a form: every option of a request once, in a section; and the shell command for the same start. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { requestOptions } from '../../../../src/options/request.ts'
import { formOptions, startCommand } from '../../../../src/options/table/form.ts'

test('every option of a request is in the form once, with what its value may be', () => {
  const options = formOptions()
  assert.deepEqual(
    options.map(({ flag }) => flag),
    requestOptions.map(({ name }) => `--${name}`),
  )
  const of = (key: string) => options.find(option => option.key === key)
  const rows: [string, string, string, string[]][] = [
    ['promise', 'promise', 'list', []],
    ['agent', 'agent', 'text', []],
    ['checkpoint', 'tree', 'words', ['auto', 'btrfs', 'git', 'none']],
    ['max_iterations', 'limits', 'text', []],
    ['stuck_limit', 'breakers', 'text', []],
    ['first_wins', 'attempts', 'switch', []],
    ['on_failure', 'end', 'text', []],
  ]
  for (const [key, section, kind, words] of rows) {
    const found = of(key)
    assert.deepEqual([found?.section, found?.kind, found?.words], [section, kind, words], key)
  }
  assert.equal(of('trust'), undefined)
})

test('the command for a start gives a shell exactly the words of the request', () => {
  const hostile = `it's "$(id)" \`x\` \\ ; a\nb`
  const command = startCommand({
    prompt: hostile,
    promise: ['npm test', `n=${hostile}`],
    max_iterations: 5,
    cwd: '/a b/c',
    fail_fast: true,
    first_wins: false,
  })
  const printed = execFileSync('/bin/sh', ['-c', `${command.replace('loop start', `printf '%s\\0'`)}`])
  assert.deepEqual(printed.toString().split('\0').slice(0, -1), [
    hostile,
    '-b',
    '--promise',
    'npm test',
    '--promise',
    `n=${hostile}`,
    '--max-iterations',
    '5',
    '--fail-fast',
    '--cwd',
    '/a b/c',
  ])
})
