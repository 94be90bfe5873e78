/** loopd has the same flags of Node, whoever starts it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { daemonProgram } from '../../../../src/cli/loopd/connect.ts'

test('bin/loopd and the command that starts loopd by itself give the same flags', () => {
  const script = readFileSync(join(import.meta.dirname, '../../../../bin/loopd'), 'utf8')
  const [, typed = ''] = /^exec "\$node" (.*) "\$program" "\$@"$/m.exec(script) ?? []
  assert.deepEqual(typed.split(' '), daemonProgram().slice(1, -1))
  // A thread that compiles, a heap at its limit and process.exit wait for each other.
  const isSmall = typed.includes('--optimize-for-size')
  for (const flag of ['--no-concurrent-recompilation', '--no-concurrent-sparkplug']) {
    assert.equal(isSmall, typed.includes(flag), flag)
  }
})
