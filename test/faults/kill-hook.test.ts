/**
 * kill -9 of `loop` at every moment of a hook, then `loop resume`: the hook runs exactly once, its end is recorded, and
 * the outcome of the loop stays the same. The hook gives a command to the ended loop, with and without a host that
 * could answer.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { marked } from '../rig/daemon.ts'
import { containments, loopProgram, makeRig, type Rig, readOr, startArgs, until } from '../rig/rig.ts'

/**
 * The events: created, baseline, initial, seven of the iteration, the changes of its promise, a look, the comparison
 * after it, completed; then two of the hook.
 */
const outcome = 14
const points = [
  `append:${outcome}`,
  `append:${outcome + 1}:before`,
  `append:${outcome + 1}`,
  'hook:before',
  'hook',
  `append:${outcome + 2}:before`,
  `append:${outcome + 2}`,
]
const hook = 'echo "$LOOP_STATUS" >> "$ASIDE/ledger"; echo said'
const args = startArgs('echo x >> work', 'test -s work', '--json', '--on-complete', hook)

const hookProcesses = (id: string) => marked(id, ['LOOP_HOOK'])
const endsOf = (rig: Rig, id: string) =>
  rig.events(id).flatMap(event => (event.kind === 'hook.ended' ? event.data : []))

for (const [index, point] of points.entries()) {
  const contain = containments[index % containments.length] ?? ''
  test(`killed at ${point}, contained by ${contain}: the hook is run once`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const killed = await rig.loop(args, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr}`)
    const [id = ''] = rig.loops()
    const before = rig.events(id)
    assert.equal(before[outcome - 1]?.kind, 'loop.completed')
    const resumed = await rig.loop(['resume', id, '--json'])
    const isOver = point === `append:${outcome + 2}`
    assert.equal(resumed.code, isOver ? 4 : 0, resumed.stderr)
    assert.equal(readOr(join(rig.aside, 'ledger')), 'completed\n')
    assert.deepEqual(rig.events(id).slice(0, before.length), before)
    assert.deepEqual(
      endsOf(rig, id).map(({ how, exitCode, output }) => [how, exitCode, output?.tail]),
      [['exited', 0, 'said\n']],
    )
    assert.deepEqual(hookProcesses(id), [])
  })
}

test('a hook that is killed with its host is lost: loop says so, and does not run it again', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(
    startArgs('echo x >> work', 'test -s work', '--on-complete', 'echo once >> "$ASIDE/ledger"; sleep 300'),
  )
  const id = await until('the loop', () => rig.loops()[0])
  await until('the hook', () => readOr(join(rig.aside, 'ledger')) !== '')
  running.child.kill('SIGKILL')
  await running.ended
  // The shim is killed first, because it would record the end of the command. The command dies with it.
  await until('its end', () => {
    const [shim] = hookProcesses(id).toSorted((a, b) => a - b)
    if (shim === undefined) return true
    try {
      process.kill(shim, 'SIGKILL')
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH') // it has just ended
    }
    return false
  })
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(readOr(join(rig.aside, 'ledger')), 'once\n')
  assert.deepEqual(
    endsOf(rig, id).map(({ how, why }) => [how, why]),
    [['lost', 'it was killed, and its end is not known']],
  )
  assert.match(resumed.stdout, /^ {2}hook {8}--on-complete .*: it was killed, and its end is not known/m)
})

for (const contain of containments) {
  test(`a hook whose host is dead rolls the loop back itself, and does not wait for its own end: ${contain}`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const command = [
      'echo begun >> "$ASIDE/ledger"',
      'while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done',
      `${loopProgram} rollback "$LOOP_ID" initial >> "$ASIDE/ledger" 2>&1`,
      'echo "rolled back: $?" >> "$ASIDE/ledger"',
    ].join('; ')
    const running = rig.spawn(startArgs('echo x >> work', 'false', '-n', '1', '--on-failure', command))
    const id = await until('the loop', () => rig.loops()[0])
    await until('the hook', () => readOr(join(rig.aside, 'ledger')) !== '')
    running.child.kill('SIGKILL')
    await running.ended
    writeFileSync(join(rig.aside, 'go'), '')
    const told = () => readOr(join(rig.aside, 'ledger'))
    await until('the rollback', () => told().includes('rolled back: '))
    assert.match(told(), /^begun\nLoop \w+ is rolled back to initial [^\n]*\nrolled back: 0\n$/)
    assert.equal(existsSync(join(rig.tree, 'work')), false)
    const cancelled = await rig.loop(['cancel', id, '--json'])
    assert.equal(cancelled.code, 0, cancelled.stderr)
    assert.equal(endsOf(rig, id).length, 1)
    assert.equal(rig.events(id).filter(({ kind }) => kind === 'loop.failed').length, 1)
  })
}
