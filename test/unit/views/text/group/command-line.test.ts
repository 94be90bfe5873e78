/** The command for a group gives a shell exactly the words that were filled in. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { groupCommandLine } from '../../../../../src/views/text/command-line.ts'

test('a shell takes the command for a group as it was filled in, whatever the values hold', () => {
  const hostile = `it's "$(id)" \`x\` \\ ; a\nb`
  const line = groupCommandLine(['template', 'run', 'tdd'], {
    cwd: '/a b',
    set: { feature: hostile },
    switches: ['yes'],
    options: { agent: 'custom', must_not: ['a=x', hostile], fail_fast: true, notify: false },
  })
  const printed = execFileSync('/bin/sh', ['-c', line.replace(/^loop/, `printf '%s\\0'`)]).toString()
  assert.deepEqual(
    printed.split('\0').slice(0, -1),
    `template|run|tdd|-b|--cwd|/a b|--yes|--set|feature=${hostile}|--agent|custom|--must-not|a=x|--must-not|${hostile}|--fail-fast`.split(
      '|',
    ),
  )
})
