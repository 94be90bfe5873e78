/**
 * An agent that writes events into the journal, with valid checksums: the host knows its own events, and reports the
 * forgery.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../rig/daemon.ts'
import { makeRig, type Rig, root, startArgs } from '../rig/rig.ts'

/** Appends the rest of a loop that completes, and a summary to match; then lets the agent end. */
const forgery = `
import { DatabaseSync } from 'node:sqlite'
import { rowSum } from '${join(root, 'src/store/sqlite/journal.ts')}'
import { sumOf } from '${join(root, 'src/store/files/checksum.ts')}'
const db = new DatabaseSync(process.argv[2])
const loop = process.env.LOOP_ID
const rows = db.prepare('select * from events where loop = ? order by seq').all(loop)
let { seq, sum, epoch } = rows.at(-1)
const out = { path: 'runs/1/out', bytes: 0, tail: '' }
const result = { name: 'false', command: 'false', verdict: 'PASS', why: 'exit 0', exitCode: 0, durationMs: 1, failing: null, output: out }
const events = [
  ['run.ended', { run: 1, how: 'exited', exitCode: 0, durationMs: 1, out, err: out, costUsd: null }],
  ['run.cleared', { run: 1, killed: null, suspects: [] }],
  ['promise.verified', { iteration: 1, results: [result] }],
  ['loop.completed', {}],
]
for (const [kind, data] of events) {
  seq += 1
  const row = { v: 1, seq, at: Date.now(), loop, epoch, cause: null, kind, data: JSON.stringify(data) }
  sum = rowSum(sum, row)
  db.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(loop, seq, 1, row.at, epoch, null, kind, row.data, sum)
}
const { body } = db.prepare('select body from summary where loop = ?').get(loop)
const forged = JSON.stringify({ ...JSON.parse(body), seq, status: 'completed', reason: 'completed', holdsTree: false, endedAt: Date.now() })
db.prepare('update summary set seq = ?, status = ?, open = 0, body = ?, sum = ? where loop = ?').run(seq, 'completed', forged, sumOf(forged), loop)
db.close()
`

function forger(rig: Rig): string {
  rig.write('forge.ts', forgery)
  return `'${process.execPath}' forge.ts '${rig.paths.database}' && touch forged`
}

async function saidOf(rig: Rig, id: string) {
  const [status, history] = await Promise.all([rig.loop(['status', id]), rig.loop(['history', id])])
  return { status: status.stdout + status.stderr, history }
}

test('in the foreground: the loop is damaged, not completed, and it is no bug in loop', async t => {
  const rig = makeRig(t)
  const started = await rig.loop(startArgs(forger(rig), 'false', '-n', '2', '--no-baseline'))
  const [id = ''] = rig.loops()
  assert.ok(existsSync(join(rig.tree, 'forged')), 'or this test says nothing')
  assert.equal(started.code, 3)
  assert.match(started.stderr, /something else has written to it/)
  assert.doesNotMatch(started.stderr, /bug in loop|Internal error/)
  const { status, history } = await saidOf(rig, id)
  assert.match(status, /crashed/)
  assert.doesNotMatch(status, /completed|promise holds/)
  assert.notEqual(history.code, 0)
  assert.match(history.stderr, /is damaged/)
})

test('under loopd: the same, and the other loops go on', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const id = await rig.background(forger(rig), 'false', '-n', '2', '--no-baseline')
  await rig.reaches(id, 'crashed')
  assert.doesNotMatch((await saidOf(rig, id)).status, /completed|promise holds/)
  const other = await rig.background('touch done', 'test -e done', '--no-baseline')
  await rig.reaches(other, 'completed')
})
