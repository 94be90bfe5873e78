/**
 * The work tree is replaced under a loop: nothing is written, run or rolled back in the directory that took its place.
 */
import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs } from '../../rig/rig.ts'

function victimOf(rig: Rig): string {
  const victim = join(dirname(rig.tree), 'victim')
  mkdirSync(victim)
  writeFileSync(join(victim, 'precious'), 'precious\n')
  return victim
}

async function statusOf(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
}

test('a link to another directory in place of the work tree: the loop pauses, and the other is left alone', async t => {
  const rig = makeRig(t)
  rig.write('mine', 'mine\n')
  const victim = victimOf(rig)
  const swap = `cd /; rm -rf '${rig.tree}'; ln -s '${victim}' '${rig.tree}'`
  const started = await rig.loop(startArgs(swap, 'touch ran-here; false', '-n', '3', '--no-baseline'))
  assert.equal(started.code, 1)
  const [id = ''] = rig.loops()
  const { status, reason, iteration } = await statusOf(rig, id)
  assert.deepEqual([status, iteration], ['paused', 1])
  assert.match(reason, /leads to .*victim. Put the directory back first$/)
  assert.deepEqual(readdirSync(victim), ['precious'], 'neither state files, nor what the promise makes')
  const refused = await rig.loop(['rollback', id, 'initial'])
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /leads to .*victim/)
  assert.deepEqual(readdirSync(victim), ['precious'])
  unlinkSync(rig.tree)
  mkdirSync(rig.tree)
  const back = await rig.loop(['rollback', id, 'initial'])
  assert.equal(back.code, 0, back.stderr)
  assert.equal(readOr(join(rig.tree, 'mine')), 'mine\n')
})

test('a work tree that was deleted and created again is not taken for the old one until a person resumes', async t => {
  const rig = makeRig(t)
  rig.write('mine', 'mine\n')
  const anew = `cd /; rm -rf '${rig.tree}'; mkdir '${rig.tree}'; echo x > '${rig.tree}/other'`
  const started = await rig.loop(startArgs(anew, 'test -e done', '-n', '3', '--no-baseline'))
  assert.equal(started.code, 1)
  const [id = ''] = rig.loops()
  assert.match(started.stderr + started.stdout, /is not the directory it was/)
  assert.equal(existsSync(join(rig.tree, '.loop')), false)
  assert.deepEqual(readdirSync(rig.tree), ['other'], 'nothing was written there')
  writeFileSync(join(rig.tree, 'done'), '')
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(lstatSync(join(rig.tree, '.loop')).isDirectory(), true)
})

test('a work tree that the user deleted comes back by a rollback into a new directory', async t => {
  const rig = makeRig(t)
  rig.write('mine', 'mine\n')
  await rig.loop(startArgs('echo x > made', 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  rmSync(rig.tree, { recursive: true })
  mkdirSync(rig.tree)
  rig.write('newer', 'newer\n')
  const back = await rig.loop(['rollback', id, '1', '--after'])
  assert.equal(back.code, 0, back.stderr)
  assert.deepEqual([readOr(join(rig.tree, 'mine')), readOr(join(rig.tree, 'made'))], ['mine\n', 'x\n'])
  assert.equal((await rig.loop(['rollback', id, '--undo'])).code, 0)
  assert.equal(readOr(join(rig.tree, 'newer')), 'newer\n', 'what was in it was saved first')
})
