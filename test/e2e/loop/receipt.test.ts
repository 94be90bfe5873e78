/** The receipt at the end of a loop, and the status of an ended loop: its changes, and the next commands to type. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

const agent = 'printf "one\\ntwo\\n" >> work; [ "$LOOP_ITERATION" = 1 ] && rm -f old; true'

test('the receipt has the sum of the whole loop, and how to look at it and take it back', async t => {
  const rig = makeRig(t)
  rig.write('old', 'x\n')
  const { stdout } = await rig.loop(startArgs(agent, 'test "$(wc -l < work)" = 4', '--no-baseline'))
  const [id = ''] = rig.loops()
  assert.match(stdout, /^ {2}changes {5}\+4 -1 \(2 files\) since the loop began: old, work$/m)
  assert.match(
    stdout,
    new RegExp(`^  next        loop diff ${id}\n  next        loop rollback ${id} initial$`, 'm'),
  )
  const json = JSON.parse((await rig.loop([...startArgs(agent, 'false', '-n', '1'), '--json'])).stdout)
  assert.deepEqual(json.changes, { added: 2, removed: 0, files: 1 })
})

test('loop cancel says which files changed, also in the iteration that it cuts short', async t => {
  const rig = makeRig(t)
  const busy = 'echo x > made; touch "$ASIDE/up"; sleep 600'
  const running = rig.spawn(startArgs(busy, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const { stdout } = await rig.loop(['cancel', id])
  await running.ended
  assert.match(stdout, /^ {2}changes {5}\+1 -0 \(1 file\) since the loop began: made$/m)
  assert.match(stdout, /^ {2}promise {5}false: FAIL/m)
  assert.match(
    stdout,
    new RegExp(`^  next        loop diff ${id} \\(without iteration 1, which was cut short\\)$`, 'm'),
  )
})

test('cancel --rollback of a loop that saved nothing does not advise what is refused', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1', '--checkpoint', 'none'))
  const { code, stderr } = await rig.loop(['cancel', '@last', '--rollback'])
  assert.equal(code, 4)
  assert.match(stderr, /it has already ended: failed\. Its files cannot be brought back: .*--checkpoint none/)
  assert.doesNotMatch(stderr, /loop rollback/)
})

test('a baseline that cannot be judged has its box too', async t => {
  const rig = makeRig(t)
  const { code, stdout } = await rig.loop(startArgs('true', 'no-such-command'))
  assert.equal(code, 4)
  assert.match(stdout, /^╭─ 🔴 RESEARCH /m)
})

test('after a rollback status claims no more that the promise holds, until that is undone; its time stands still', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'test -e work', '--no-baseline'))
  const [id = ''] = rig.loops()
  const head = async () => (await rig.loop(['status', id])).stdout.split('\n')[0]
  const total = async () => JSON.parse((await rig.loop(['status', id, '--json'])).stdout).totalMs
  const before = await total()
  assert.equal(await head(), `loop ${id}: completed (the promise holds)`)
  await rig.loop(['rollback', id, 'initial'])
  const rolled = 'the promise held; the files were rolled back to initial since then'
  assert.equal(await head(), `loop ${id}: completed (${rolled})`)
  assert.equal(await total(), before)
  await rig.loop(['rollback', id, '--undo'])
  assert.equal(await head(), `loop ${id}: completed (the promise holds)`)
  writeFileSync(join(rig.tree, 'mine'), '')
  await rig.loop(['rollback', id, 'initial'])
  await rig.loop(['rollback', id, '--undo'])
  const mine = 'the promise held; the files were rolled back to before-rollback-3 since then'
  assert.equal(await head(), `loop ${id}: completed (${mine})`)
})

test('a message about a usage file stays on one line', async t => {
  const rig = makeRig(t)
  const garbage = 'printf "gar\\nbage\\n" > "$LOOP_USAGE_FILE"'
  const { stdout, stderr } = await rig.loop(startArgs(garbage, 'false', '-n', '1', '--no-baseline'))
  for (const text of [stdout, stderr, (await rig.loop(['status', '@last'])).stdout]) {
    assert.match(text, /its usage file is not JSON \(.*gar bage.*\)/)
  }
})
