/** After garbage collection every view says what was deleted and when, and no view shows internals of the store. */

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import { discardNotes } from '../../../src/store/files/paths.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { type Ended, makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const agent = 'echo "line $LOOP_ITERATION" >> work'
const when = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
const everything = 'initial, iter-001, iter-001-after, iter-002, iter-002-after'

async function ended(rig: Rig): Promise<string> {
  await rig.loop(startArgs(agent, 'false', '-n', '2', '--no-baseline'))
  return rig.loops()[0] ?? ''
}

function refused({ code, stdout, stderr }: Ended, words: RegExp): void {
  assert.match(stderr, words)
  assert.deepEqual([code, stdout], [4, ''])
}

test('all checkpoints deleted: history, diff, rollback and export say so, with the time', async t => {
  const rig = makeRig(t)
  const id = await ended(rig)
  await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  const { stdout } = await rig.loop(['history', id])
  assert.match(
    stdout,
    new RegExp(`^Thrown away by loop gc on ${when}: ${everything}\nNo checkpoint of it is left\\.$`, 'm'),
  )
  assert.doesNotMatch(stdout, /is saved too/)
  const json = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
  assert.deepEqual(
    json.discarded.map(({ name, at }: { name: string; at: number }) => [name, Date.now() - at < 600_000]),
    everything.split(', ').map(name => [name, true]),
  )
  const gone = (name: string) =>
    new RegExp(
      `^loop: Checkpoint ${name} of loop ${id} is gone: loop gc threw it away on ${when}\\. None of its`,
    )
  refused(await rig.loop(['diff', id]), gone('initial'))
  refused(await rig.loop(['diff', id, '1..2', '--json']), /"reason":"checkpoint-gone"/)
  refused(await rig.loop(['history', id, '--diff', '2']), gone('iter-002'))
  refused(await rig.loop(['rollback', id, '2', '--after']), gone('iter-002-after'))
  refused(await rig.loop(['rollback', id, 'initial', '--dry-run']), gone('initial'))
  const exported = await rig.loop(['export', id, '-o', join(rig.aside, 'x.tar.gz')])
  assert.match(
    exported.stdout,
    new RegExp(`left out: diffs/iter-001.patch \\(Checkpoint iter-001 of loop ${id} is gone`),
  )
})

test('deleted by loopd, which keeps the last states: these still work, the others are named', async t => {
  const rig = makeRig(t)
  const id = await ended(rig)
  await rig.loop(['gc', '--checkpoint-retention', '1ms', '--keep-ends'])
  const { stdout } = await rig.loop(['history', id])
  assert.match(stdout, /^Still saved: initial, .*iter-002-after$/m)
  assert.doesNotMatch(stdout, /is saved too/)
  assert.match((await rig.loop(['diff', id])).stdout, /\+line 1\n\+line 2\n$/)
  refused(
    await rig.loop(['diff', id, '1..2']),
    /Checkpoint iter-002 of loop \w+ is gone: .* Still saved: initial, /,
  )
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
})

test('over the API the words are the same, and the history has the list', async t => {
  const rig = makeDaemonRig(t)
  const id = await ended(rig)
  await rig.loop(['gc', '--checkpoint-retention', '1ms', '--keep-ends'])
  await rig.startDaemon()
  const socket = rig.env['LOOPD_SOCKET'] ?? ''
  const params = { id }
  const told = await call(socket, 'history', { params })
  assert.deepEqual(told.ok && told.value.discarded.map(({ name }) => name), ['iter-001-after', 'iter-002'])
  const diff = await call(socket, 'diff', { params, query: { from: 'iter-001', to: 'iter-002' } })
  const rolled = await call(socket, 'command', { params, body: { kind: 'rollback', to: 'iter-002' } })
  for (const answer of [diff, rolled]) {
    assert.ok(!answer.ok)
    assert.equal(answer.failure.reason, 'checkpoint-gone')
    assert.match(
      failureWords(answer.failure),
      /^Checkpoint iter-002 of loop \w+ is gone: loop gc threw it away on/,
    )
  }
  assert.ok(!rig.events(id).some(event => event.kind === 'rollback.requested'), 'nothing was begun')
})

test('a note about checkpoints that still exist is ignored: gc was killed before it removed them', async t => {
  const rig = makeRig(t)
  const id = await ended(rig)
  const { stdout } = await rig.loop(['history', id])
  const note = { at: Date.now(), checkpoints: everything.split(', ') }
  writeFileSync(discardNotes(rig.paths, id), `${JSON.stringify(note)}\n{"at":17`)
  assert.equal((await rig.loop(['history', id])).stdout, stdout)
  await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  assert.match((await rig.loop(['history', id])).stdout, /^Thrown away by loop gc on /m)
})

test('checkpoints that are gone without a note have no time', async t => {
  const rig = makeRig(t)
  const id = await ended(rig)
  await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  rmSync(discardNotes(rig.paths, id))
  assert.match((await rig.loop(['history', id])).stdout, /^Gone, with no note of when: initial, /m)
  refused(
    await rig.loop(['rollback', id, 'initial']),
    /is gone: it is not in the store any more, and there is no note/,
  )
})

test('once the outputs went too, history -v and logs say when', async t => {
  const rig = makeRig(t)
  const id = await ended(rig)
  await rig.loop(['gc', '--output-retention', '1ms'])
  refused(
    await rig.loop(['logs', id]),
    new RegExp(`is gone: loop gc threw it away on ${when} \\(output_retention\\)`),
  )
  const { stdout } = await rig.loop(['history', id, '-v'])
  assert.match(stdout, new RegExp(`^The output of loop ${id} is gone: loop gc threw it away on ${when}`))
})
