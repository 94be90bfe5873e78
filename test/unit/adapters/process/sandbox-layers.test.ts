/** What a run in a sandbox sees of the home directories of its user: the one it has, and the one of its user. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sandboxLayers } from '../../../../src/adapters/process/sandbox-layers.ts'

test('a run with a home directory of its own does not see the secrets in that of its user', t => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'loop-test-')))
  t.after(() => rmSync(dir, { recursive: true }))
  const [home, fresh, tree] = ['user', 'fresh', 'tree'].map(name => join(dir, name)) as [
    string,
    string,
    string,
  ]
  for (const at of [join(home, '.ssh'), fresh, tree]) mkdirSync(at, { recursive: true })
  writeFileSync(join(home, '.netrc'), 'a password')
  const layers = sandboxLayers({
    tree,
    onDisk: tree,
    env: { HOME: fresh },
    home,
    data: join(dir, 'data'),
    writable: [],
    own: null,
    files: [],
  })
  assert.ok(layers.ok)
  const hidden = layers.value.filter(({ as }) => as === 'hidden').map(({ at }) => at)
  for (const name of ['.ssh', '.netrc']) assert.ok(hidden.includes(join(home, name)), name)
})
