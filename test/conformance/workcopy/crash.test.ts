/**
 * `make` is killed at each point at which something is half done: the next call gives a whole copy, and nothing is left
 * over.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sweepTemplates } from '../../../src/adapters/workcopies/templates.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { loop, never, take, value } from '../checkpoint/calls.ts'
import { openBox, sh } from '../checkpoint/work-tree.ts'
import { build, copiesOf, make, maker } from './copy-box.ts'
import { filesIn, seenIn } from './hands.ts'

const points = [
  'copy:base',
  'copy:begun',
  'copy:sources',
  'copy:git',
  'template:begun',
  'template:copied',
  'template:made',
  'template:begun@2',
  'copy:ignored',
  'copy:made',
]

describe('a copy whose making was killed', () => {
  for (const point of points) {
    it(`at ${point}`, async () => {
      const at = openBox()
      sh(at, build)
      const base = (await take(gitCheckpoints(at), 'base')).tree
      const then = filesIn(at.tree)
      const env = { ...process.env, LOOP_FAULT: point }
      const killed = spawnSync(process.execPath, [maker, at.root, 'one', base], { env, encoding: 'utf8' })
      // Without templates (no mounts, or shared blocks) the process never reaches this point.
      const isWhole = point.startsWith('template:') && killed.signal === null
      assert.ok(isWhole || killed.signal === 'SIGKILL', killed.stderr)
      sh(at, 'echo later > a')
      const { all, copy } = await make(at, { base })
      assert.deepEqual(
        seenIn(copy).filter(line => !line.endsWith(' dir')),
        then.filter(line => !line.endsWith(' dir')),
      )
      assert.equal(value(await all.save(copy, { loop, name: 'result', signal: never })), base)
      value(await all.remove(copy))
      await nothingLeft(at.root)
    })
  }

  it('leaves nothing when it is removed instead', async () => {
    for (const point of process.env['LOOP_LONG'] ? points : points.filter((_, i) => i % 2 === 1)) {
      const at = openBox()
      sh(at, build)
      spawnSync(process.execPath, [maker, at.root, 'one'], { env: { ...process.env, LOOP_FAULT: point } })
      const all = copiesOf(at)
      value(await all.remove({ path: all.pathOf({ loop, name: 'one' }) }))
      await nothingLeft(at.root)
    }
  })
})

async function nothingLeft(root: string): Promise<void> {
  const templates = join(root, 'cache/templates')
  await sweepTemplates({ templates, now: Date.now() + 5_000, retentionMs: 1_000, isDry: false })
  const places = [join(root, 'cache/copies'), templates].filter(path => existsSync(path))
  assert.deepEqual(
    places.flatMap(path => readdirSync(path)),
    [],
  )
}
