/** Groups under loopd: members count as loops towards the limit; a stop or a restart of loopd loses nothing of them. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DaemonRig, hostIn, makeDaemonRig, withStore } from '../../rig/daemon.ts'
import { bestOfArgs, groupOf, rowsOf, waitFor } from '../../rig/group.ts'
import { loopdProgram, readOr, startArgs, until } from '../../rig/rig.ts'

async function inBackground(rig: DaemonRig, args: string[]): Promise<string> {
  const started = await rig.loop([...args, '-b', '--json'])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

/** Notes it when two of these agents are at work at once. */
const counted = (then: string) =>
  `mkdir "$ASIDE/at-work" || echo two >> "$ASIDE/clash"; echo x >> "$ASIDE/runs"; ${then}; rmdir "$ASIDE/at-work"`

test('members count towards the limit of concurrent loops, and their group does not', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  await rig.startDaemon()
  const id = await inBackground(
    rig,
    startArgs(counted('sleep 0.1; echo x > done'), 'test -f done', '--best-of', '3'),
  )
  await until('its members', async () => {
    const members = (await rowsOf(rig))[0]?.members ?? []
    return members.length === 3 && members.filter(one => one.status === 'queued').length >= 1
  })
  await rig.reaches(id, 'completed')
  assert.equal(readOr(join(rig.aside, 'clash')), '')
  assert.equal(readOr(join(rig.aside, 'runs')), 'x\nx\nx\n')
  const begun = withStore(rig.paths, store => {
    const { summaries } = store.heads.members([id])
    return summaries.map(({ createdAt, group }) => [createdAt, group])
  })
  assert.equal(begun.length, 3)
})

test('a stop and a kill of loopd with a group in flight: no agent runs twice, and it comes to its end', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const agent = `echo x >> "$ASIDE/runs"; ${waitFor('go')}; echo x > done`
  const id = await inBackground(rig, bestOfArgs(agent, 'test -f done'))
  await until('both agents', () => readOr(join(rig.aside, 'runs')) === 'x\nx\n')
  assert.equal((await rig.loopd(['stop', '--now'])).code, 0)
  assert.equal(hostIn(rig, id), null)
  const { stdout } = await rig.loop(['status', id])
  assert.match(stdout, /running \(no process hosts it any more; take it up with: loopd start\)/)

  const second = await rig.startDaemon()
  await until('the group to be hosted', () => hostIn(rig, id))
  second.child.kill('SIGKILL')
  await second.ended
  await rig.startDaemon()
  await until('the group to be hosted', () => hostIn(rig, id))
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.reaches(id, 'completed')
  assert.equal(readOr(join(rig.aside, 'runs')), 'x\nx\n')
  assert.equal(readFileSync(join(rig.tree, 'done'), 'utf8'), 'x\n')
})

test('loopd stop waits for the iterations of members; the next loopd goes on with the group', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const first = `if [ "$LOOP_ITERATION" = 1 ]; then touch "$ASIDE/up"; ${waitFor('go')}; echo x > x; else echo x > done; fi`
  const id = await inBackground(
    rig,
    startArgs(`echo x >> "$ASIDE/runs"; ${first}`, 'test -f done', '--isolated'),
  )
  await until('its agent', () => readOr(join(rig.aside, 'runs')) === 'x\n')
  const stopping = rig.spawn(['stop'], { program: loopdProgram })
  await until('loopd to wait', () => stopping.stderr().includes('waiting for 1 iteration'))
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await stopping.ended).code, 0)
  assert.equal(readOr(join(rig.aside, 'runs')), 'x\n', 'nothing new was begun')
  assert.equal(rig.status(id), 'running')
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assert.equal(readOr(join(rig.aside, 'runs')), 'x\nx\n')
})

test('a queued group waits for its tree, says for whom, and begins when it is free', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const loop = await rig.background(`${waitFor('go')}; echo x > one`, 'test -f one')
  await rig.reaches(loop, 'running')
  const id = await inBackground(rig, bestOfArgs('echo x > done', 'test -f done'))
  const { stdout } = await rig.loop(['status', id])
  assert.match(
    stdout,
    new RegExp(`^group ${id}: queued \\(waits until loop ${loop} \\(running\\) lets go of the work tree\\)`),
  )
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.reaches(id, 'completed')
  assert.equal(rig.status(loop), 'completed')
})

test('loopd leaves the members of a group in the foreground alone', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const running = rig.spawn(bestOfArgs(`${waitFor('go')}; echo x > done`, 'test -f done'))
  const { id, members } = await groupOf(rig, running)
  const host = await until('its members to be hosted', () => hostIn(rig, members[0] ?? ''))
  assert.equal(host.split('-')[0], String(running.pid))
  assert.equal(hostIn(rig, id), host)
  running.child.kill('SIGKILL')
  await running.ended
  const daemon = JSON.parse((await rig.loopd(['status', '--json'])).stdout)
  assert.deepEqual([daemon.running, daemon.groups], [[], []])
  const { stdout } = await rig.loop(['status'])
  assert.match(stdout, new RegExp(`^${id} +running, no host`, 'm'))
  const doctor = await rig.loop(['doctor'])
  assert.match(doctor.stdout, new RegExp(`orphaned loops +no process hosts ${id} in `))
  assert.doesNotMatch(doctor.stdout, new RegExp(`no process hosts.*${members[0]}`))
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await rig.loop(['resume', id])).code, 0)
})
