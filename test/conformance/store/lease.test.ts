/**
 * The right to write: leases, epochs, hosts that died, and commands that leave the inbox together with their effects.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { summarize } from '../../../src/core/loop/summary.ts'
import { shown } from '../../../src/engine/shown/orphans.ts'
import { type Host, LeaseLost } from '../../../src/store/contract.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { after, aSpec, cancelled, held, nextEntry, tempStore, unready, writeLoop } from '../../rig/given.ts'

test('a loop that came to its end between two looks, at it and for its host, is not shown as one without a host', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const seen = summarize(state)
  assert.equal(shown(store, seen).orphaned, true, 'nobody hosts it')
  store.journals.append(
    nextEntry(state, { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }),
  )
  assert.equal(shown(store, seen).orphaned, false)
})

test('of two hosts the first has the lease until it lets go or dies; each taking raises the epoch', t => {
  const store = tempStore(t)
  const [one, two] = [becomeHost(store, 'one'), becomeHost(store, 'two')]
  t.after(() => two.release())
  assert.equal(store.leases.hostOf('aaaaaa'), null)
  assert.deepEqual(store.leases.take('aaaaaa', one), { held: true, epoch: 1 })
  assert.deepEqual(store.leases.take('aaaaaa', one), { held: true, epoch: 1 }, 'asking again changes nothing')
  assert.deepEqual(store.leases.take('aaaaaa', two), { held: false, by: 'one' })
  assert.deepEqual(
    store.leases.take('bbbbbb', two),
    { held: true, epoch: 1 },
    'another loop is another lease',
  )
  assert.equal(store.leases.hostOf('aaaaaa'), 'one')
  one.release()
  assert.equal(store.leases.hostOf('aaaaaa'), null)
  assert.deepEqual(store.leases.take('aaaaaa', two), { held: true, epoch: 2 })
  store.leases.release('aaaaaa', 2)
  assert.equal(store.leases.hostOf('aaaaaa'), null)
  assert.deepEqual(store.leases.take('aaaaaa', two), { held: true, epoch: 3 })
})

test('the leases of many at once: those of the dead and of nobody, never those of the living', t => {
  const store = tempStore(t)
  const [dead, other, host] = ['dead', 'other', 'host'].map(name => becomeHost(store, name)) as Host[]
  assert.ok(dead && other && host)
  t.after(() => [other, host].map(one => one.release()))
  store.leases.take('aaaaaa', dead)
  store.leases.take('bbbbbb', other)
  store.leases.take('cccccc', host)
  dead.release()
  store.leases.takeMany(['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd'], host)
  const holders = ['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd'].map(loop => store.leases.hostOf(loop))
  assert.deepEqual(holders, ['host', 'other', 'host', 'host'])
  assert.deepEqual(
    store.leases.take('aaaaaa', host),
    { held: true, epoch: 2 },
    'what the dead one writes is refused',
  )
  assert.deepEqual(store.leases.take('cccccc', host), { held: true, epoch: 1 }, 'its own is its own')
})

test('a host that has lost the lease cannot release it for the new holder', t => {
  const store = tempStore(t)
  const one = becomeHost(store, 'one')
  store.leases.take('aaaaaa', one)
  one.release()
  const two = becomeHost(store, 'two')
  t.after(() => two.release())
  store.leases.take('aaaaaa', two)
  store.leases.release('aaaaaa', 1)
  assert.equal(store.leases.hostOf('aaaaaa'), 'two')
})

test('a name is for one living host', t => {
  const store = tempStore(t)
  const host = becomeHost(store, 'one')
  assert.throws(() => becomeHost(store, 'one'), /Internal error: the host name one is taken/)
  host.release()
  assert.deepEqual(readdirSync(store.paths.hosts), [], 'a host that goes leaves no lock file')
  becomeHost(store, 'one').release()
})

test('the lease of a host that was killed is free at once, and its lock file is cleaned up', async t => {
  const store = tempStore(t)
  const source = (name: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../src/store/sqlite/${name}`, import.meta.url)))
  const script = `
    import { openStore } from ${source('open.ts')}
    import { becomeHost } from ${source('lock.ts')}
    const { value } = openStore(${JSON.stringify(store.paths)})
    const lease = value.leases.take('aaaaaa', becomeHost(value, 'doomed'))
    setInterval(() => {}, 1000)
    setImmediate(() => {
      gc() // it holds its lock by living, not by being remembered
      console.log(JSON.stringify(lease))
    })`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  assert.deepEqual(JSON.parse(String(line)), { held: true, epoch: 1 })
  const host = becomeHost(store, 'heir')
  t.after(() => host.release())
  assert.deepEqual(store.leases.take('aaaaaa', host), { held: false, by: 'doomed' })
  child.kill('SIGKILL')
  await gone
  assert.ok(existsSync(join(store.paths.hosts, 'doomed.lock')))
  assert.deepEqual(store.leases.take('aaaaaa', host), { held: true, epoch: 2 })
  const left = readdirSync(store.paths.hosts).filter(name => name.startsWith('doomed'))
  assert.deepEqual(left, [])
})

test('a host whose epoch has passed cannot write, and changes nothing by trying', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const host = becomeHost(store, 'heir')
  t.after(() => host.release())
  const lease = store.leases.take('aaaaaa', host)
  assert.deepEqual(lease, { held: true, epoch: 2 })
  const before = store.journals.read('aaaaaa')
  store.inbox.send({ id: 'c1', loop: 'aaaaaa', at: 1, command: { kind: 'cancel' } })
  for (const epoch of [0, 1, 3])
    assert.throws(
      () => store.journals.append(nextEntry(state, cancelled, { epoch, cause: 'c1' })),
      error => error instanceof LeaseLost && /hosted by another process/.test(error.message),
    )
  assert.deepEqual(store.journals.read('aaaaaa'), before)
  assert.equal(store.inbox.pending('aaaaaa').length, 1)
  assert.ok(store.journals.append(nextEntry(state, cancelled, { epoch: 2 })).ok)
  const journal = store.journals.read('aaaaaa')
  assert.equal(journal.ok && journal.value.at(-1)?.epoch, 2)
  const other = nextEntry({ ...state, id: 'bbbbbb', seq: 0 }, cancelled)
  assert.throws(() => store.journals.append(other), LeaseLost, 'a loop that nobody leased')
})

test('commands wait in the inbox of their loop, in the order in which they came, whatever the clock says', t => {
  const store = tempStore(t)
  const sent = [
    { id: 'z', loop: 'aaaaaa', at: 1, command: { kind: 'pause' } },
    { id: 'y', loop: 'bbbbbb', at: 1, command: { kind: 'cancel' } },
    { id: 'x', loop: 'aaaaaa', at: 1, command: { kind: 'resume', maxIterations: null } },
    { id: 'w', loop: 'aaaaaa', at: 0, command: { kind: 'cancel' } },
  ] as const
  for (const one of sent) store.inbox.send(one)
  assert.deepEqual(store.inbox.pending('aaaaaa'), [sent[0], sent[2], sent[3]])
  assert.deepEqual(store.inbox.pending('bbbbbb'), [sent[1]])
  assert.deepEqual(store.inbox.pending('cccccc'), [])
})

test('a command leaves the inbox in the transaction that records what became of it', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const opened = openStore(store.paths)
  assert.ok(opened.ok)
  const other = opened.value
  t.after(() => other.close())
  for (const id of ['c1', 'c2', 'c3'])
    other.inbox.send({ id, loop: 'aaaaaa', at: 1, command: { kind: 'pause' } })
  const ids = () => other.inbox.pending('aaaaaa').map(({ id }) => id)

  assert.ok(store.journals.append(nextEntry(state, held(), { cause: 'c1' })).ok)
  const [row] = store.journals.survey('aaaaaa').events.slice(-1)
  assert.equal(row?.cause, 'c1')
  assert.deepEqual(ids(), ['c2', 'c3'])

  const paused = after(state, held())
  const late = nextEntry(paused, cancelled, { cause: 'c2' })
  const summary = {
    ...late.summary,
    toJSON() {
      throw new Error('power gone')
    },
  }
  assert.throws(() => store.journals.append({ ...late, summary }), /power gone/)
  assert.deepEqual(ids(), ['c2', 'c3'], 'what was not recorded is still to be done')
  const journal = other.journals.read('aaaaaa')
  assert.equal(journal.ok && journal.value.length, 2)

  store.journals.append({ ...late, events: [] })
  assert.deepEqual(ids(), ['c3'], 'a command with nothing to record leaves too')
})

const many = 1_500

test('a journal that is being written is never taken for damaged', async t => {
  const store = tempStore(t)
  const source = (path: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../src/${path}`, import.meta.url)))
  const script = `
    import { openStore } from ${source('store/sqlite/open.ts')}
    import { becomeHost } from ${source('store/sqlite/lock.ts')}
    import { createLoop } from ${source('engine/host.ts')}
    import { commit } from ${source('engine/drive.ts')}
    import { feedOf } from ${source('engine/feed.ts')}
    import { loopMachine } from ${source('core/loop/machine.ts')}
    const { value: store } = openStore(${JSON.stringify(store.paths)})
    const machines = { loop: { ...loopMachine, project() {} } }
    const world = { store, host: becomeHost(store, 'writer'), now: Date.now, feed: feedOf(store), machines, fault() {} }
    const { value: loop } = createLoop(world, { spec: ${JSON.stringify(aSpec())}, injected: [] })
    console.log(loop.state.id)
    for (let i = 0; i < ${many}; i += 1) commit(loop, [{ kind: 'wait.ended', data: {} }], null)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const id = String(line).trim()
  for (let seen = 0, looks = 0; seen <= many; looks += 1) {
    const events = store.journals.read(id)
    assert.ok(events.ok, `after ${looks} looks: ${JSON.stringify(events)}`)
    seen = events.value.length
  }
})
