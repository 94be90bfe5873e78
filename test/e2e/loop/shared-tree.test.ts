/** One work tree, two loops: no command makes a loop write into the tree while another one is at work there. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import { type DaemonRig, makeDaemonRig } from '../../rig/daemon.ts'
import { startArgs, until } from '../../rig/rig.ts'

/** Starts a loop in this tree, in the background. */
async function startIn(rig: DaemonRig, cwd: string, args: string[]): Promise<string> {
  const started = await rig.loop([...args, '-b', '--json'], { cwd })
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

/** A loop that has ended in `cwd`; the file of its agent is in the tree. */
async function endedLoop(rig: DaemonRig, cwd: string): Promise<string> {
  const id = await startIn(rig, cwd, startArgs('echo a > of-a', 'test -e of-a'))
  await rig.reaches(id, 'completed')
  return id
}

/** A loop whose agent has written a file that no checkpoint of another loop has, and is still at work. */
async function loopAtWork(rig: DaemonRig, cwd: string): Promise<string> {
  const agent = `echo b > "${cwd}/of-b"; touch "$ASIDE/up"; until [ -e "$ASIDE/go" ]; do sleep 0.02; done`
  const id = await startIn(rig, cwd, startArgs(agent, 'false', '-n', '1'))
  await until('the agent of the other loop', () => existsSync(join(rig.aside, 'up')))
  return id
}

const places = [
  ['the same tree', (own: string) => own],
  ['a tree inside of it', (own: string) => join(own, 'inner')],
  ['the tree around it', (own: string) => dirname(own)],
] as const

for (const [where, placeOf] of places) {
  test(`over the API a loop is not rolled back while an agent works in ${where}`, async t => {
    const rig = makeDaemonRig(t)
    await rig.startDaemon()
    const own = join(rig.tree, 'a')
    const others = placeOf(own)
    mkdirSync(join(own, 'inner'), { recursive: true })
    const ended = await endedLoop(rig, own)
    const atWork = await loopAtWork(rig, others)
    const before = rig.events(ended).length
    const body = { kind: 'rollback' as const, to: 'initial' }
    const socket = rig.env['LOOPD_SOCKET'] ?? ''
    const answer = await call(socket, 'command', { params: { id: ended }, body })
    assert.equal(answer.ok, false)
    assert.equal(answer.failure.reason, 'tree-busy')
    assert.match(failureWords(answer.failure), new RegExp(`^Loop ${atWork} is active in ${others}\\.`))
    assert.equal(readFileSync(join(others, 'of-b'), 'utf8'), 'b\n')
    assert.ok(existsSync(join(own, 'of-a')))
    assert.equal(rig.events(ended).length, before, 'nothing is recorded of it')

    const typed = await rig.loop(['rollback', ended, 'initial'])
    const elsewhere = own === rig.tree ? '' : `loop: Loop ${ended} works in another directory: ${own}\n`
    assert.deepEqual([typed.code, typed.stderr], [4, `${elsewhere}loop: ${failureWords(answer.failure)}\n`])

    writeFileSync(join(rig.aside, 'go'), '')
    await rig.reaches(atWork, 'failed')
    const free = await call(socket, 'command', { params: { id: ended }, body })
    assert.ok(free.ok, JSON.stringify(free))
    assert.equal(existsSync(join(own, 'of-a')), false)
  })
}
