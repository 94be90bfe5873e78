/** Programs on the PATH: which changes count. */

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathChanges, programsOnPath } from '../../../../src/adapters/steering/path-programs.ts'
import { tempDir } from '../../../rig/given.ts'

const large = '#!/bin/sh\n'.padEnd(5_000, '#')

test('a program counts as changed by its content; a large one by its times', t => {
  const dir = tempDir(t)
  const programs = { shim: 'a', rewritten: 'a', touched: 'a', large, gone: 'a' }
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(dir, name), text)
  symlinkSync('shim', join(dir, 'link'))
  symlinkSync('shim', join(dir, 'same-link'))
  const before = programsOnPath(dir)
  writeFileSync(join(dir, 'shim'), 'b')
  rmSync(join(dir, 'rewritten'))
  writeFileSync(join(dir, 'rewritten'), 'a')
  utimesSync(join(dir, 'touched'), 1, 1)
  utimesSync(join(dir, 'large'), 1, 1)
  rmSync(join(dir, 'gone'))
  for (const [name, to] of [
    ['link', 'large'],
    ['same-link', 'shim'],
  ] as const) {
    rmSync(join(dir, name))
    symlinkSync(to, join(dir, name))
  }
  assert.deepEqual(
    pathChanges(before, []).map(({ path, how }) => [path.slice(dir.length + 1), how]),
    [
      ['large', 'changed'],
      ['link', 'changed'],
      ['shim', 'changed'],
    ],
  )
})

test('an added program counts if a command names it or it hides a later one', t => {
  const dirs = [join(tempDir(t), 'first'), join(tempDir(t), 'second')]
  for (const dir of dirs) mkdirSync(dir)
  const [first = '', second = ''] = dirs
  writeFileSync(join(second, 'hidden-tool'), 'a')
  const before = programsOnPath(`${first}:${second}`)
  for (const name of ['hidden-tool', 'named-tool', 'other-tool'])
    writeFileSync(join(first, name), 'a', { mode: 0o755 })
  assert.deepEqual(
    pathChanges(before, ['named-tool']).map(({ path }) => path),
    [join(first, 'hidden-tool'), join(first, 'named-tool')],
  )
})
