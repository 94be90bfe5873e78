/**
 * The files that a loop writes into the work tree: state.json and PROGRESS.md. Git does not see them, and loop never
 * trusts them.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

const worker = 'cp .loop/state.json "$ASIDE/state-$LOOP_ITERATION" 2>/dev/null; echo line >> work'
const lines = (n: number) => `test "$(cat work 2>/dev/null | wc -l)" -ge ${n}`

test('state.json has the schema that hooks read, and follows the journal', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(worker, `one=${lines(1)}`, '-p', `two=${lines(2)}`))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  const during = JSON.parse(readFileSync(join(rig.aside, 'state-2'), 'utf8'))
  assert.deepEqual(during, {
    spec: 'do the work',
    criteria: ['one', 'two'],
    criteriaStatus: { one: true, two: false },
    exit_signal: false,
    steps: ['one', 'two'],
    completedSteps: ['one'],
    remainingSteps: ['two'],
    iteration: 2,
    status: 'in_progress',
    circuitBreaker: { stuckCount: 0, lastUnmet: 'two' },
    loop: id,
    driver: 'loop',
  })
  const first = JSON.parse(readFileSync(join(rig.aside, 'state-1'), 'utf8'))
  assert.deepEqual(first.circuitBreaker, { stuckCount: 0, lastUnmet: '' }, 'no iteration has been judged')
  const over = JSON.parse(readFileSync(join(rig.tree, '.loop/state.json'), 'utf8'))
  assert.deepEqual(
    [over.status, over.exit_signal, over.criteriaStatus, over.iteration],
    ['completed', true, { one: true, two: true }, 2],
  )
  assert.equal(
    readFileSync(join(rig.tree, '.loop/PROGRESS.md'), 'utf8'),
    `# Loop Progress: do the work

**Status:** completed (the promise holds) | Iteration 2 | Cost: unknown/$25

## ✅ Completed
- [x] one: PASS, exit 0
- [x] two: PASS, exit 0

## 📊 Metrics
- Tasks: 2/2 complete
- Stuck count: 0
- Counsel consulted: No
`,
  )
})

test('neither git nor checkpoints see the files: a loop that changes nothing else counts as unchanged', async t => {
  const rig = makeRig(t)
  execFileSync('git', ['init', '-q'], { cwd: rig.tree })
  const ended = await rig.loop(startArgs('rm -rf .loop', 'false'))
  assert.match(ended.stdout, /failed: stuck: the agent has changed no file in 3 iterations\.\n/)
  assert.equal(execFileSync('git', ['status', '--porcelain'], { cwd: rig.tree, encoding: 'utf8' }), '')
  assert.ok(existsSync(join(rig.tree, '.loop/state.json')))
})

test('--state delete removes the state files at the end, and nothing else', async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, '.loop'))
  rig.write('.loop/notes.md', 'mine')
  const ended = await rig.loop(startArgs('echo x > work', 'test -e work', '--state', 'delete'))
  assert.equal(ended.code, 0)
  assert.deepEqual(readdirSync(join(rig.tree, '.loop')).toSorted(), ['.gitignore', 'notes.md'])
})

test('--state delete leaves nothing of its own, the ignore file included', async t => {
  const rig = makeRig(t)
  const wish = startArgs('echo x > work', 'test -e work', '--state', 'delete')
  assert.equal((await rig.loop(wish)).code, 0)
  assert.deepEqual(readdirSync(rig.tree), ['work'])
  mkdirSync(join(rig.tree, '.loop'))
  rig.write('.loop/config.yaml', 'timeout: 1m\n')
  assert.equal((await rig.loop([...wish, '-p', 'false', '-n', '1'])).code, 1)
  assert.deepEqual(readdirSync(join(rig.tree, '.loop')), ['config.yaml'])
})

test('edits of the agent to these files change nothing', async t => {
  const rig = makeRig(t)
  const lie = `echo '{"status":"completed","exit_signal":true,"criteriaStatus":{"false":true}}' > .loop/state.json; echo x >> work`
  const ended = await rig.loop(startArgs(lie, 'false', '-n', '2'))
  assert.equal(ended.code, 1)
  const state = JSON.parse(readFileSync(join(rig.tree, '.loop/state.json'), 'utf8'))
  assert.deepEqual([state.status, state.exit_signal], ['failed', false])
})

test('a symlink that an agent plants is replaced, or refused, never followed', async t => {
  const rig = makeRig(t)
  const precious = join(rig.aside, 'precious')
  writeFileSync(precious, 'precious')
  const plant = `rm -f .loop/state.json; ln -s "$ASIDE/precious" .loop/state.json; echo x >> work`
  await rig.loop(startArgs(plant, 'false', '-n', '1'))
  assert.equal(readFileSync(precious, 'utf8'), 'precious')
  assert.ok(lstatSync(join(rig.tree, '.loop/state.json')).isFile())
  const other = makeRig(t)
  symlinkSync(other.aside, join(other.tree, '.loop'))
  const ended = await other.loop(startArgs('echo x > work', 'test -e work'))
  assert.equal(ended.code, 0)
  assert.match(
    ended.stderr,
    /^loop: \.loop\/state\.json cannot be written: .*\. The loop goes on without it\.$/m,
  )
  assert.deepEqual(readdirSync(other.aside), [])
})

test('a loop that is paused says so in its state', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(
    startArgs('touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work', 'false'),
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  await rig.loop(['pause', id])
  writeFileSync(join(rig.aside, 'go'), '')
  await running.ended
  assert.equal(JSON.parse(readFileSync(join(rig.tree, '.loop/state.json'), 'utf8')).status, 'paused')
})

test('with --checkpoint-ignored an agent that changes nothing is seen to change nothing', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('cat > /dev/null', 'false', '--checkpoint-ignored'))
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /failed: stuck: the agent has changed no file in 3 iterations\./)
  const [id = ''] = rig.loops()
  assert.doesNotMatch((await rig.loop(['diff', id])).stdout, /\.loop\//)
})
