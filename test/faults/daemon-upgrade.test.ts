/**
 * loop is upgraded while loops run: the files of the old version are gone, the old loopd says so, and the loopd of
 * the new version attaches to the agents that the old one started.
 */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '../../src/model/version.ts'
import { readRecord } from '../../src/server/daemon/record.ts'
import { type DaemonRig, makeDaemonRig, marked } from '../rig/daemon.ts'
import { root, until } from '../rig/rig.ts'

/** A copy of the build with another version number. */
function install(rig: DaemonRig, as: string): { loop: string; loopd: string; dist: string } {
  const place = join(rig.aside, as)
  mkdirSync(place)
  for (const part of ['bin', 'dist']) cpSync(join(root, part), join(place, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const dist = join(place, 'dist')
  for (const name of readdirSync(dist).filter(one => one.endsWith('.cjs'))) {
    const file = join(dist, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${version}"`, `"${as}"`))
  }
  return { loop: join(place, 'bin', 'loop'), loopd: join(place, 'bin', 'loopd'), dist }
}

test('an upgrade while an agent works: the new version attaches to the agent', {
  timeout: 600_000,
}, async t => {
  const rig = makeDaemonRig(t)
  const [old, next] = [install(rig, '0.0.1'), install(rig, '9.9.9')]
  const first = rig.spawn(['start', '--foreground'], { program: old.loopd })
  await until('the old one', () => first.stderr().includes('serves'))
  assert.equal(readRecord(rig.paths)?.version, '0.0.1')
  const agent = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
  const id = await rig.background(
    agent,
    'test "$(wc -l < work)" -ge 2',
    '--checkpoint',
    'none',
    '--no-baseline',
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const before = marked(id)
  rmSync(old.dist, { recursive: true })
  const status = () => rig.loopd(['status'], { program: next.loopd })
  const said = await until('the words', async () =>
    /problem +(.* was removed since this loopd was started\. .*)/.exec((await status()).stdout),
  )
  assert.match(said[1] ?? '', /loopd stop, then loopd start/)
  assert.equal((await rig.loopd(['stop', '--now'], { program: next.loopd })).code, 0)
  const second = rig.spawn(['start', '--foreground'], { program: next.loopd })
  await until('the new one', () => second.stderr().includes('serves'))
  assert.match((await status()).stdout, /^loopd 9\.9\.9: running/)
  // The shell of the agent lives all the time; its `sleep` is a new process each time.
  assert.ok(
    marked(id).some(pid => before.includes(pid)),
    'the same agent',
  )
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.reaches(id, 'completed')
  const runs = rig.events(id).filter(({ kind }) => kind === 'run.started')
  assert.equal(runs.length, 2)
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'x\nx\n')
})
