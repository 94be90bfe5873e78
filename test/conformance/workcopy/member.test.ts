/**
 * A loop that works in a copy (`spec.copy`): its agent and its promise see the copy; its checkpoints are in the store
 * of the work tree.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { localCopies } from '../../../src/adapters/workcopies/local.ts'
import type { State } from '../../../src/core/loop/state.ts'
import { drive } from '../../../src/engine/drive.ts'
import { discardedOf } from '../../../src/engine/garbage/discarded.ts'
import { createLoop, leaveJournal } from '../../../src/engine/host.ts'
import type { World } from '../../../src/engine/world.ts'
import { ok } from '../../../src/model/failure.ts'
import { checkpointStore } from '../../../src/store/files/paths.ts'
import { withWorld } from '../../../src/wiring/world.ts'
import { aSpec } from '../../rig/given.ts'
import { never, value } from '../checkpoint/calls.ts'
import { type Box, openBox, sh } from '../checkpoint/work-tree.ts'
import { build } from './copy-box.ts'
import { filesIn } from './hands.ts'

const agent = `pwd > where; cat node_modules/m1/lib/f1.js > read; echo agent > node_modules/m1/lib/f1.js
  rm -rf node_modules/m2; echo two > a; git add -A; git -c user.email=e -c user.name=n commit -qm mine`
const promise = 'test -f where && grep -q agent node_modules/m1/lib/f1.js && ! test -e node_modules/m2 && pwd'

function envOf(at: Box): NodeJS.ProcessEnv {
  const [HOME, XDG_DATA_HOME, XDG_CACHE_HOME] = ['home', 'data', 'cache'].map(name => join(at.root, name))
  const { PATH, LOOP_CONTAIN } = process.env
  return { PATH, LOOP_CONTAIN, HOME, XDG_DATA_HOME, XDG_CACHE_HOME }
}

type Played = { state: State; path: string; world: World; mounted: boolean }

async function play(at: Box, look: (played: Played) => void | Promise<void>): Promise<void> {
  const env = envOf(at)
  const done = await withWorld(env, async world => {
    const { paths } = world.store
    const { copies, templates } = paths
    const store = checkpointStore(paths, { cwd: at.tree })
    const all = localCopies({ tree: at.tree, store, copies, templates, env })
    const made = value(await all.make({ loop: 'group1', name: 'x-1', base: null, signal: never }))
    const { path, base, mounts } = made
    const copy = { tree: at.tree, base, ...(mounts && { mounts }) }
    const criteria = [{ name: 'promise', command: promise }]
    const given = { cwd: path, copy, criteria, agentCmd: agent, maxIterations: 2, maxOutputBytes: 100_000 }
    const loop = value(createLoop(world, { spec: aSpec({ ...given, backoffMs: 0 }), injected: [] }))
    const state = await drive(loop, never)
    leaveJournal(loop)
    await look({ state, path, world, mounted: mounts !== null })
    value(await all.remove(made))
    assert.deepEqual(readdirSync(copies), [])
    return ok(null)
  })
  value(done)
}

describe('a loop in a working copy', () => {
  it('runs agent and promise at the path of the tree, and reaches nothing of it', async () => {
    const at = openBox()
    sh(at, build)
    const [before, head] = [filesIn(at.tree), sh(at, 'git rev-parse HEAD')]
    await play(at, ({ state, path, mounted }) => {
      assert.equal(state.turn.outcome?.kind, 'completed', JSON.stringify(state.turn))
      assert.equal(readFileSync(join(path, 'where'), 'utf8').trim(), mounted ? at.tree : path)
      assert.equal(readFileSync(join(path, 'read'), 'utf8'), '1 1\n')
    })
    assert.deepEqual(filesIn(at.tree), before)
    assert.equal(sh(at, 'git rev-parse HEAD'), head)
  })

  it('has its checkpoints in the store of the tree', async () => {
    const at = openBox()
    sh(at, build)
    await play(at, async ({ state, world }) => {
      const { paths } = world.store
      const store = checkpointStore(paths, { cwd: at.tree })
      const names = readdirSync(join(store, 'refs/loop', state.id))
      assert.ok(names.includes('initial') && names.includes('iter-001-after'), String(names))
      assert.deepEqual(readdirSync(paths.trees).length, 1)
      assert.deepEqual(discardedOf(paths, state), [])
      const initial = readFileSync(join(store, 'refs/loop', state.id, 'initial'), 'utf8').trim()
      const from = state.spec.copy?.base ?? ''
      assert.deepEqual(value(await world.checkpoints(state.spec).changed({ from, to: initial })), [])
      const to = readFileSync(join(store, 'refs/loop', state.id, 'iter-001-after'), 'utf8').trim()
      const changed = value(await world.checkpoints(state.spec).changed({ from: initial, to }))
      assert.deepEqual(changed.toSorted(), ['a', 'read', 'where'])
    })
  })

  it('does not run where its copy cannot be mounted: never in the tree', async () => {
    const at = openBox()
    sh(at, build)
    const before = filesIn(at.tree)
    await play(at, async ({ state, path, world, mounted }) => {
      if (!mounted) return
      rmSync(join(path, '../work'), { recursive: true, force: true })
      const loop = value(createLoop(world, { spec: state.spec, injected: [] }))
      const after = await drive(loop, never)
      leaveJournal(loop)
      assert.notEqual(after.turn.outcome?.kind, 'completed')
      assert.equal(after.judged.results[0]?.verdict, 'ERROR')
    })
    assert.deepEqual(filesIn(at.tree), before)
    assert.ok(!existsSync(join(at.tree, 'where')))
  })
})
