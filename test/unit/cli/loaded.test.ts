/** The start-up cost of every command: the first bundles load none of Node's slow modules, and no schema. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../rig/rig.ts'

/** Each takes milliseconds to load; code that needs one loads it then (`platform/linux/processes`). */
const slow = [
  'node:child_process',
  'node:net',
  'node:tty',
  'node:http',
  'node:worker_threads',
  'node:stream',
  'node:os',
  'node:crypto',
]

for (const bundle of ['loop', 'main', 'status', 'list', 'session-hook'])
  test(`the bundle ${bundle} requires no slow module when it is loaded`, () => {
    const text = readFileSync(join(root, 'dist', `${bundle}.cjs`), 'utf8')
    const required = Array.from(text.matchAll(/^var \w+ = require\("([^"]+)"\)/gm), ([, name = '']) => name)
    if (bundle !== 'loop') assert.ok(required.includes('node:fs'), 'the form of a bundle is known')
    assert.deepEqual(
      required.filter(name => slow.some(one => name === one || name.startsWith(`${one}/`))),
      [],
    )
  })

test('help, completion and the lists load no schema', () => {
  const carriers = ['loop', 'main', 'status', 'list', 'complete', 'live', 'history'].filter(bundle =>
    /node_modules\/zod\/|require\("\.\/(?:zod|engine)\.cjs"\)/.test(
      readFileSync(join(root, 'dist', `${bundle}.cjs`), 'utf8'),
    ),
  )
  assert.deepEqual(carriers, ['history'], 'history reads a journal, whose events have schemas')
})
