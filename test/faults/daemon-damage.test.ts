/**
 * The files that loopd reads, truncated and with flipped bits: loopd starts, or says what is wrong; it never exits by
 * itself, and never takes damaged data for a completed loop. Most cases run in this process, with agents that never
 * end; some through the real program. 1,020 cases with LOOP_LONG=1, 104 without.
 */

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { agents } from '../../src/adapters/agents/agent.ts'
import { noCheckpoints } from '../../src/checkpoints/backend-choice.ts'
import { feedOf } from '../../src/engine/feed.ts'
import { hostLoops } from '../../src/engine/hosting.ts'
import type { World } from '../../src/engine/world.ts'
import { failureWords } from '../../src/failures/words.ts'
import { readToken, tokenIn } from '../../src/server/api/credentials.ts'
import { readRecord } from '../../src/server/daemon/record.ts'
import { liveSettings } from '../../src/server/daemon/settings.ts'
import type { Store } from '../../src/store/contract.ts'
import { type Paths, pathsFrom } from '../../src/store/files/paths.ts'
import { becomeHost, holdLock } from '../../src/store/sqlite/lock.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { type DaemonRig, hostIn, makeDaemonRig } from '../rig/daemon.ts'
import { simulated } from '../rig/given.ts'
import { loopdProgram, until } from '../rig/rig.ts'
import { seeded } from '../rig/seeded.ts'

const long = process.env['LOOP_LONG'] !== undefined
const cases = long ? 1_000 : 100
const programs = long ? 20 : 4

let rig: DaemonRig
let sound = ''
let unfinished: string[] = []
const cleanups: (() => void | Promise<void>)[] = []

before(async () => {
  rig = makeDaemonRig({ after: work => void cleanups.push(work as () => void) })
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  const daemon = await rig.startDaemon()
  const fast = ['--checkpoint', 'none', '--no-baseline']
  const done = await rig.background('echo x > work', 'test -s work', ...fast)
  await rig.reaches(done, 'completed')
  const running = await rig.background('touch "$ASIDE/up"; sleep 0.5', 'false', ...fast)
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const queued = await rig.background('true', 'false', ...fast)
  await until('its host', () => hostIn(rig, running))
  daemon.child.kill('SIGKILL')
  await daemon.ended
  unfinished = [running, queued]
  sound = join(rig.aside, 'sound')
  cpSync(rig.env['HOME'] ?? '', sound, { recursive: true })
})

after(async () => {
  for (const clean of cleanups) await clean()
})

test(`${cases} files that were cut or changed, read in this process`, { timeout: 900_000 }, async () => {
  const random = seeded(7)
  for (let n = 0; n < cases; n += 1) {
    const home = mkdtempSync(join(tmpdir(), 'loop-damage-'))
    cpSync(sound, home, { recursive: true })
    const what = spoil(home, random)
    try {
      await readEverything(pathsFrom({ HOME: home }), what)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
})

test(`${programs} such files, read by the real program`, { timeout: 900_000 }, async () => {
  const random = seeded(11)
  for (let n = 0; n < programs; n += 1) {
    const home = join(rig.aside, `home-${n}`)
    mkdirSync(home)
    cpSync(sound, home, { recursive: true })
    const what = spoil(home, random)
    const env = { HOME: home, LOOPD_SOCKET: join(home, 'loopd.sock') }
    const running = rig.spawn(['start', '--foreground'], { program: loopdProgram, env })
    let ended = false
    running.child.once('close', () => {
      ended = true
    })
    await until(
      `loopd to serve or to say why not (${what})`,
      () => ended || running.stderr().includes('serves'),
    )
    if (ended) assert.match(running.stderr(), /^loopd: [A-Z$].+\n$/, what)
    const status = await rig.loop(['status', '--json'], { env })
    const rows: { id: string; status: string }[] = status.stdout ? JSON.parse(status.stdout) : []
    for (const row of rows.filter(({ id }) => unfinished.includes(id))) {
      assert.notEqual(row.status, 'completed', what)
    }
    running.child.kill('SIGTERM')
    const { code } = await running.ended
    assert.ok(code !== null && [0, 3, 4, 5].includes(code), `${what}: ${code} ${running.stderr()}`)
  }
})

/** Truncates one of the files that loopd reads, or flips a bit of it; returns a description. */
function spoil(home: string, random: () => number): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !file.includes('/.cache/') && !/\.(log|stderr)$/.test(file))
    .toSorted()
  // Half of the cases damage the store itself, which matters most.
  const stores = files.filter(file => /loop\.db(-wal)?$/.test(file))
  const pool = random() < 0.5 ? stores : files
  const file = pool[Math.floor(random() * pool.length)] ?? ''
  const bytes = readFileSync(file)
  const at = Math.floor(random() * bytes.length)
  const name = relative(home, file)
  if (random() < 0.5) {
    writeFileSync(file, bytes.subarray(0, at))
    return `${name} cut at ${at} of ${bytes.length}`
  }
  if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  writeFileSync(file, bytes.length > 0 ? bytes : Buffer.from('x'))
  return `${name} changed at ${at} of ${bytes.length}`
}

async function readEverything(paths: Paths, what: string): Promise<void> {
  const record = readRecord(paths)
  assert.ok(record === null || record.socket.startsWith('/'), what)
  assert.equal(tokenIn(paths.daemon.token), readToken(paths.daemon.token), what)
  const settings = liveSettings(paths)
  assert.ok(settings.now().limit >= 1, what)
  const store = openStore(paths)
  if (!store.ok) {
    // What was still in a log that cannot be read leaves a file with nothing in it.
    assert.match(failureWords(store.failure), /damaged|cannot be used|newer|is gone or empty/, what)
    return
  }
  const lock = holdLock(paths.daemon.lock)
  assert.ok(lock, what)
  try {
    await host(store.value, what)
  } finally {
    lock.release()
    store.value.close()
  }
}

/** Hosts the loops as loopd does, with agents and promises that never end. */
async function host(store: Store, what: string): Promise<void> {
  const said: string[] = []
  const hostOf = becomeHost(store, `damage-${Math.random()}`)
  const feed = feedOf(store, { now: Date.now, broken: error => said.push(String(error)) })
  const forget = feed.whenOthersWrite(() => {})
  const world: World = {
    store,
    host: hostOf,
    here: { boot: 'boot', ns: 'ns' },
    env: {},
    now: Date.now,
    agents,
    checkpoints: () => noCheckpoints,
    copies: () => {
      throw new Error('No loop here makes copies')
    },
    machines: simulated({
      perform: (_, { signal }) =>
        new Promise(resolve => signal.addEventListener('abort', () => resolve([]), { once: true })),
    }),
    fault() {},
    feed,
  }
  const hosting = hostLoops({
    store,
    host: hostOf,
    feed,
    worldOf: () => world,
    now: Date.now,
    limit: () => 9,
    mayBegin: () => true,
    restartMs: 1,
    mended() {},
    failed: (_, cause) =>
      said.push(cause instanceof Error ? cause.message : (cause as { message: string }).message),
    lost: error => said.push(String(error)),
  })
  hosting.look()
  await new Promise(resolve => setImmediate(resolve))
  await hosting.leave()
  forget()
  for (const id of unfinished) {
    const summary = readable(store, id)
    assert.notEqual(summary, 'completed', `${what}; ${said.join('; ')}`)
  }
  hostOf.release()
}

function readable(store: Store, id: string): string {
  try {
    const summary = store.heads.get(id)
    return summary.ok ? summary.value.status : summary.failure.reason
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ERR_SQLITE_ERROR')
    return 'unreadable'
  }
}
