/** A loop in the background asks, and goes on by itself once it has the answer, also under another loopd. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning, readRecord } from '../../../src/server/daemon/record.ts'
import { type DaemonRig, makeDaemonRig } from '../../rig/daemon.ts'
import { until } from '../../rig/rig.ts'

const fast = ['--checkpoint', 'none', '--no-baseline']

/** Options that put a loop into a work tree of its own. */
function inTree(rig: DaemonRig, name: string): string[] {
  mkdirSync(join(rig.aside, name))
  return [...fast, '--cwd', join(rig.aside, name)]
}

test('a loop of the background waits for the answer to its question, and then goes on by itself', async t => {
  const rig = makeDaemonRig(t)
  const id = await rig.background('echo x >> work', 'test -s work', ...fast, '--confirm', 'it looks good')
  await rig.reaches(id, 'waiting')
  const answered = await rig.loop(['answer', id, 'yes'])
  assert.deepEqual(
    [answered.code, answered.stdout],
    [0, `Loop ${id}: confirmed: it looks good. It goes on.\n`],
  )
  await rig.reaches(id, 'completed')
})

/** The agent asks once, and then does what the answer says. */
const asking =
  'prompt=$(cat); case "$prompt" in *"answers: blue"*) echo blue > work;; *) echo \'{"question":"red or blue?"}\' > "$LOOP_USAGE_FILE";; esac'

test('a question of the agent: asked, answered as a question, and the loop goes on by itself', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  const id = await rig.background(asking, 'grep -q blue work', ...inTree(rig, 'asks'))
  await rig.reaches(id, 'waiting')
  const { status, question } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual([status, question], ['waiting', 'red or blue?'])
  const asked = await rig.loop(['answer', id])
  const form = `Answer with: loop answer ${id} "your answer"`
  assert.equal(asked.stdout, `The agent of loop ${id} asks: red or blue?\n${form}\n`)
  const other = await rig.background('echo x >> work', 'test -s work', ...inTree(rig, 'other'))
  await rig.reaches(other, 'completed')
  const answered = await rig.loop(['answer', id, 'blue'])
  const words = `Loop ${id}: answered: red or blue? The agent is told in its next run. It goes on.\n`
  assert.deepEqual([answered.code, answered.stdout], [0, words])
  await rig.reaches(id, 'completed')
})

test('an answer after loopd was killed: it is started, and takes the loop up', async t => {
  const rig = makeDaemonRig(t)
  const id = await rig.background(asking, 'grep -q blue work', ...fast)
  await rig.reaches(id, 'waiting')
  process.kill(readRecord(rig.paths)?.pid ?? 0, 'SIGKILL')
  await until('loopd to be gone', () => !isRunning(rig.paths))
  const told = (await rig.loop(['status', id])).stdout
  assert.match(told, /waiting \(the agent asks: red or blue\?; no process hosts it any more/)
  assert.match(
    told,
    new RegExp(`\n  next        loop answer ${id} "your answer"\n  next        loopd start\n`),
  )
  const answered = await rig.loop(['answer', id, 'blue', '--json'])
  assert.deepEqual(JSON.parse(answered.stdout), {
    id,
    question: 'red or blue?',
    answer: 'blue',
    asks: null,
    goesOn: true,
  })
  await rig.reaches(id, 'completed')
})

test('paused while it asks: the answer is kept, and the way on leads back into the background', async t => {
  const rig = makeDaemonRig(t)
  const id = await rig.background(asking, 'grep -q blue work', ...fast)
  await rig.reaches(id, 'waiting')
  const refused = await rig.loop(['resume', id, '-b', '--agent-cmd', 'true'])
  assert.match(refused.stderr, new RegExp(`to change how, let it rest first: loop pause ${id}\\.`))
  const paused = await rig.loop(['pause', id])
  assert.deepEqual(
    [paused.code, paused.stdout],
    [0, `Loop ${id} is paused. Go on with: loop resume ${id} -b\n`],
  )
  await rig.reaches(id, 'paused')
  const answered = await rig.loop(['answer', id, 'blue'])
  assert.match(answered.stdout, new RegExp(`Go on with: loop resume ${id} -b\n$`))
  assert.equal((await rig.loop(['resume', id, '-b'])).code, 0)
  await rig.reaches(id, 'completed')
})
