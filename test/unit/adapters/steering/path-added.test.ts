/** New files in the directories of the PATH: only one that a command can find by a name it uses steers a promise. */

import assert from 'node:assert/strict'
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathChanges, programsOnPath } from '../../../../src/adapters/steering/path-programs.ts'
import { tempDir } from '../../../rig/given.ts'

test('a file that cannot be executed hides no program', t => {
  const [first, second] = [join(tempDir(t), 'first'), join(tempDir(t), 'second')]
  mkdirSync(first)
  mkdirSync(second)
  writeFileSync(join(second, 'tool'), 'a', { mode: 0o755 })
  const before = programsOnPath(`${first}:${second}`)
  writeFileSync(join(first, 'tool'), 'b', { mode: 0o644 })
  assert.deepEqual(pathChanges(before, ['tool']), [])
  // `. tool` reads it all the same.
  const added = [{ path: join(first, 'tool'), how: 'added' }]
  assert.deepEqual(pathChanges(before, ['.', 'tool']), added)
  rmSync(join(first, 'tool'))
  writeFileSync(join(first, 'tool'), 'b', { mode: 0o755 })
  assert.deepEqual(pathChanges(before, []), added)
})

const system = '/usr/local/bin'

test('a new file in a directory of the system is not its own twin', { skip: !isWritable(system) }, t => {
  const name = `loop-unrelated-${process.pid}`
  const before = programsOnPath(`${system}:/usr/bin`)
  t.after(() => rmSync(join(system, name), { force: true }))
  writeFileSync(join(system, name), '#!/bin/sh\n', { mode: 0o755 })
  assert.deepEqual(pathChanges(before, ['npm', 'test']), [])
  assert.deepEqual(pathChanges(before, [name]), [{ path: join(system, name), how: 'added' }])
})

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}
