/** What a session is told at its start of a loop that says it is done, and of one that nothing drives any more. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { hook } from '../../rig/hook.ts'
import { wholePlan } from '../../rig/killed-plan.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

function toldAtStart(rig: Rig, session = 's2'): string {
  const { said } = hook(rig, { session_id: session }, { kind: 'session-start', script: true })
  const output = said?.['hookSpecificOutput'] as { additionalContext: string } | undefined
  return output?.additionalContext ?? ''
}

test('a loop whose agent wrote "completed" is not announced as active', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  await rig.loop(['start', 'fix it', '--session', '-p', 'unit=test -f done'])
  assert.match(toldAtStart(rig), /^\[LOOP RESUME\] Active loop detected\n/)
  const path = join(rig.tree, '.loop/state.json')
  const document = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...document, status: 'completed' }))
  assert.deepEqual(toldAtStart(rig).split('\n'), [
    '[LOOP RESUME] The loop of this work tree says that it is done; its next stop decides',
    'Spec: fix it',
    'Unmet criteria: unit',
    'It belongs to another session. To take it over, the user types: /loop:continue',
  ])
})

test('a run at the stage "complete" is not announced as active, unless something is left', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  assert.equal((await rig.loop(['init', 'login'])).code, 0)
  mkdirSync(join(rig.tree, '.loop'), { recursive: true })
  writeFileSync(join(rig.tree, '.loop/workflow-state.json'), JSON.stringify({ stage: 'complete', task: 'x' }))
  assert.match(toldAtStart(rig), /^\[LOOP RESUME\] The loop of this work tree says that it is done;/)
  const tasks = [{ id: '1', subject: 'Add import', status: 'pending' }]
  const { stdout } = hook(rig, { tasks }, { kind: 'session-start' })
  assert.match(stdout, /Active loop detected.*Next: #1 Add import/)
})

test('a plan whose process was killed is named to a session, and does not hold it', async t => {
  const rig = makeRig(t)
  const killed = await rig.loop(await wholePlan(rig), { env: { LOOP_FAULT: 'append:20' } })
  assert.equal(killed.signal, 'SIGKILL', killed.stderr)
  const id = onlyGroup(rig)
  const [first, , way] = toldAtStart(rig).split('\n')
  assert.equal(
    first,
    `[LOOP RESUME] The process that drove ${id} in this work tree is gone; it does not hold this session`,
  )
  assert.equal(way, `To continue it, the user types: loop resume ${id}. To end it: loop cancel ${id}`)
  assert.deepEqual(hook(rig, { session_id: 's2' }).said, { ok: true })
  assert.equal((await rig.loop(['cancel', id])).code, 0)
  assert.equal(toldAtStart(rig), '')
})

test('loop status lists a run of a session that has no promise', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  const made = await rig.loop(['init', 'login'])
  const run = /LOOP_DIR=(\S+)/.exec(made.stdout)?.[1] ?? assert.fail(made.stdout)
  const listed = await rig.loop(['status'])
  assert.equal(
    listed.stdout.trimEnd(),
    `session run ${run} in ${rig.tree}: in progress, without a promise. Its tasks: loop task list`,
  )
  await rig.loop(['cancel', '--session'])
  assert.match((await rig.loop(['status'])).stdout, /^No loops\./)
})
