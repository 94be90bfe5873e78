/** Only loops at work take a slot of loopd: a wait gives it up, and its end takes a turn among the others. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DaemonRig, makeDaemonRig, withStore } from '../../rig/daemon.ts'
import { loopdProgram, readOr, until } from '../../rig/rig.ts'

function inTree(rig: DaemonRig, name: string): string[] {
  mkdirSync(join(rig.aside, name))
  return ['--checkpoint', 'none', '--no-baseline', '--cwd', join(rig.aside, name)]
}

/** Meets a limit for so many seconds in its first run, and works in the next. */
function limited(rig: DaemonRig, seconds: number): string {
  const mark = join(rig.aside, 'met')
  const usage = `node -p 'JSON.stringify({limitedUntil:new Date(Date.now()+${seconds}e3).toISOString()})'`
  const met = `touch ${mark}; ${usage} > "$LOOP_USAGE_FILE"`
  return `if test -e ${mark}; then echo "$LOOP_ID" >> "$ASIDE/order"; echo x >> work; else ${met}; fi`
}

const ordered = 'echo "$LOOP_ID" >> "$ASIDE/order"; echo x >> work'

async function daemonStatus(rig: DaemonRig) {
  const asked = await rig.loop(['status', '--json'], { program: loopdProgram })
  assert.equal(asked.code, 0, asked.stderr)
  return JSON.parse(asked.stdout)
}

test('a loop at its usage limit lets others run, and is not counted among those at work', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  await rig.startDaemon()
  const id = await rig.background(limited(rig, 3_600), 'test -s work', ...inTree(rig, 'limited'))
  await rig.reaches(id, 'waiting')
  const other = await rig.background('echo x >> work', 'test -s work', ...inTree(rig, 'other'))
  await rig.reaches(other, 'completed')
  const { running, waiting } = await daemonStatus(rig)
  assert.deepEqual([running, waiting], [[], [id]])
  const told = await rig.loop(['status'], { program: loopdProgram })
  assert.match(told.stdout, new RegExp(`loops    0 of 1\\n  waiting  1: ${id}\\n`))
  const stopped = await rig.loop(['stop', '--now'], { program: loopdProgram })
  assert.equal(stopped.stdout, 'loopd has ended.\n')
})

test('once the limit is over the loop waits for its turn, and has it before a younger one', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  await rig.startDaemon()
  const id = await rig.background(limited(rig, 2), 'test -s work', ...inTree(rig, 'limited'))
  await rig.reaches(id, 'waiting')
  const hold = `touch "$ASIDE/up"; until test -e "$ASIDE/go"; do sleep 0.05; done; echo x >> work`
  const first = await rig.background(hold, 'test -s work', ...inTree(rig, 'first'))
  await until('the other to be at work', () => existsSync(join(rig.aside, 'up')))
  const younger = await rig.background(ordered, 'test -s work', ...inTree(rig, 'younger'))
  await until('the limit to be over', () => Date.now() > waitUntil(rig, id) + 500)
  assert.deepEqual(
    [id, first, younger].map(one => rig.status(one)),
    ['waiting', 'running', 'queued'],
  )
  const { reason } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.match(reason, /; its turn comes when a running loop stops$/)
  assert.deepEqual((await daemonStatus(rig)).running, [first])
  writeFileSync(join(rig.aside, 'go'), '')
  for (const one of [first, id, younger]) await rig.reaches(one, 'completed')
  assert.deepEqual(readOr(join(rig.aside, 'order')).trim().split('\n'), [id, younger])
})

function waitUntil(rig: DaemonRig, id: string): number {
  return withStore(rig.paths, store => {
    const found = store.heads.get(id)
    assert.ok(found.ok)
    return found.value.waitUntil ?? Number.POSITIVE_INFINITY
  })
}
