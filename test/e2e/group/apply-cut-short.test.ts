/**
 * A host dies while it writes a result into the tree, or rolls it back: nothing is lost, and the work can be finished.
 */
import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const many = 40
const names = Array.from({ length: many }, (_, i) => `file-${i}`)
const agent = `for i in $(seq 0 ${many - 1}); do echo "by the agent, in file $i" > file-$i; done`

function project(rig: Rig): void {
  for (const name of names) rig.write(name, `as it was: ${name}\n`)
  rig.write('mine', 'mine\n')
}

function contents(rig: Rig): string[] {
  return names.map(name => readOr(join(rig.tree, name), 'gone'))
}

const applied = names.map((_, i) => `by the agent, in file ${i}\n`)

test('files that a killed apply has begun to write are finished; what the user changed meanwhile stays', async t => {
  const rig = makeRig(t)
  project(rig)
  const killed = await rig.loop(startArgs(agent, 'grep -q agent file-0', '--isolated'), {
    env: { LOOP_FAULT: 'write' },
  })
  assert.equal(killed.signal, 'SIGKILL')
  // The files as a kill in the middle of the apply leaves them: one written, one half written, one gone.
  rig.write('file-3', applied[3] ?? '')
  rig.write('file-4', 'by the ag')
  rmSync(join(rig.tree, 'file-5'))
  rig.write('mine', 'changed since\n')
  const resumed = await rig.loop(['resume', onlyGroup(rig)])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.deepEqual(contents(rig), applied)
  assert.equal(readOr(join(rig.tree, 'mine')), 'changed since\n')
})

test('a rollback of a group that was cut short is finished by asking for it again, and can be undone', async t => {
  const rig = makeRig(t)
  project(rig)
  const ended = await rig.loop(startArgs(agent, 'grep -q agent file-0', '--isolated'))
  assert.equal(ended.code, 0, ended.stderr)
  const id = onlyGroup(rig)
  const killed = await rig.loop(['rollback', id, 'initial'], { env: { LOOP_FAULT: 'restore' } })
  assert.equal(killed.signal, 'SIGKILL')
  rmSync(join(rig.tree, 'file-7'))
  const again = await rig.loop(['rollback', id, 'initial'])
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual(
    contents(rig),
    names.map(name => `as it was: ${name}\n`),
  )
  const undone = await rig.loop(['rollback', id, '--undo'])
  assert.equal(undone.code, 0, undone.stderr)
  assert.deepEqual(contents(rig), applied)
})

test('one file of an attempt: only one that it changed, never over what the user changed', async t => {
  const rig = makeRig(t)
  project(rig)
  const two = 'echo "$LOOP_ATTEMPT" > file-0; mkdir -p deep; echo "$LOOP_ATTEMPT" > deep/new'
  await rig.loop(startArgs(two, 'grep -qx "[12]" file-0', '--best-of', '2'))
  const id = onlyGroup(rig)
  const pick = (file: string, cwd = rig.tree) => rig.loop(['pick', id, '2', '--file', file], { cwd })
  const untouched = await pick('mine')
  assert.equal(untouched.code, 1)
  assert.match(untouched.stderr, /has not changed mine/)
  assert.equal(readOr(join(rig.tree, 'mine')), 'mine\n')
  assert.equal((await pick('/etc/passwd')).code, 4)
  assert.equal((await pick('../outside')).code, 4)
  rig.write('file-0', 'my own\n')
  const conflict = await pick('file-0')
  assert.equal(conflict.code, 1)
  assert.match(conflict.stderr, /file-0/)
  assert.equal(readOr(join(rig.tree, 'file-0')), 'my own\n')
  assert.equal((await pick('new', join(rig.tree, 'deep'))).code, 0)
  assert.equal(readOr(join(rig.tree, 'deep/new')), '2\n')
  const status = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.equal(status.status, 'completed', 'what could not be picked changes nothing about the group')
})

test('undoing an isolated run keeps the changes that the user made before its result was applied', async t => {
  const rig = makeRig(t)
  project(rig)
  const waits = `touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; ${agent}`
  const run = rig.spawn(startArgs(waits, 'grep -q agent file-0', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('mine', 'important\n')
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await run.ended
  assert.equal(ended.code, 0, ended.stderr)
  const [, undo = ''] = /To undo it: loop (rollback .*)/.exec(ended.stdout) ?? []
  assert.equal((await rig.loop(undo.trim().split(' '))).code, 0)
  assert.deepEqual([contents(rig)[0], readOr(join(rig.tree, 'mine'))], ['as it was: file-0\n', 'important\n'])
})
