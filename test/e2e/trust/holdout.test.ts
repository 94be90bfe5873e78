/**
 * A hold-out through the real program: it has the last word, no agent is told of it, and after it has failed a person
 * can resume the loop, so that the agent works again.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const secret = 'ninety-nine'
const holdout = (rig: Rig) =>
  `echo ${secret} >> "${rig.aside}/asked"; echo the answer is ${secret}; grep -q right work.txt`

/**
 * Writes down everything that an agent can easily see: its prompt, its environment, the tree, and the output of loop.
 */
const nosy = (does: string) => `cat > "$ASIDE/prompt"; env > "$ASIDE/env"; ${does}
  "$LOOP_PROGRAM" status --json > "$ASIDE/status" 2>&1; "$LOOP_PROGRAM" history > "$ASIDE/history" 2>&1
  grep -rh . . > "$ASIDE/files"; true`

function seen(rig: Rig): string[] {
  const names = ['prompt', 'env', 'files', 'status', 'history']
  return names.filter(name => readFileSync(join(rig.aside, name), 'utf8').includes(secret))
}

const asked = (rig: Rig) =>
  existsSync(join(rig.aside, 'asked'))
    ? readFileSync(join(rig.aside, 'asked'), 'utf8').split('\n').length - 1
    : 0

const program = (rig: Rig) => ({ ...rig.env, LOOP_PROGRAM: join(import.meta.dirname, '../../../bin/loop') })

test('a hold-out that fails is the end of the loop, with its reason; after a resume the agent works again', async t => {
  const rig = makeRig(t)
  const agent = nosy('if [ -f work.txt ]; then echo right >> work.txt; else echo x > work.txt; fi;')
  const args = startArgs(agent, 'test -s work.txt', '-n', '3', '--no-input', '--holdout', holdout(rig))
  const failed = await rig.loop(args, { env: program(rig) })
  assert.equal(failed.code, 1, failed.stdout + failed.stderr)
  assert.match(failed.stdout, /the promise passes, but the hold-out does not \(FAIL, exit 1\)/)
  assert.match(failed.stdout, /RESEARCH/)
  const said = failed.stdout + failed.stderr
  assert.match(said, /^ {2}hold-out: FAIL \(exit 1, /m)
  assert.ok(!said.includes('sealed:'), said)
  assert.deepEqual([asked(rig), seen(rig)], [1, []])
  const [id = ''] = rig.loops()
  const resumed = await rig.loop(['resume', id], { env: program(rig) })
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
  assert.match(resumed.stdout, /SHIP/)
  assert.deepEqual([asked(rig), seen(rig)], [2, []])
  assert.match(readFileSync(join(rig.aside, 'prompt'), 'utf8'), /a check of the user that you cannot see/)
})

test('a hold-out runs once, after the promise has passed, also if the promise passed before any work', async t => {
  const rig = makeRig(t)
  const flags = ['-n', '3', '--no-input', '--holdout', holdout(rig)]
  const agent = 'cat > /dev/null; if [ -f a ]; then echo right > work.txt; else touch a; fi'
  const done = await rig.loop(startArgs(agent, 'test -s work.txt', ...flags))
  assert.equal(done.code, 0, done.stdout + done.stderr)
  assert.equal(asked(rig), 1)
  const atOnce = await rig.loop(startArgs('true', 'true', '-n', '1', '--no-input', '--holdout', 'exit 7'))
  assert.equal(atOnce.code, 1, atOnce.stdout + atOnce.stderr)
  assert.match(atOnce.stdout, /hold-out does not \(FAIL, exit 7\)/)
})

test('of several attempts none is applied whose hold-out fails', async t => {
  const rig = makeRig(t)
  const agent = `cat > "$ASIDE/p.$$"; if grep -q ${secret} "$ASIDE/p.$$"; then exit 9; fi; echo wrong > work.txt`
  const args = startArgs(agent, 'test -s work.txt', '-n', '1', '--no-input', '--best-of', '2')
  const ended = await rig.loop([...args, '--holdout', holdout(rig)])
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.ok(!existsSync(join(rig.tree, 'work.txt')))
  assert.match(ended.stdout, /its hold-out does not pass/)
  assert.equal(asked(rig), 2)
})

test('a loop of a workflow has its hold-out by a key', async t => {
  const rig = makeRig(t)
  rig.write(
    'w.yaml',
    `name: w\nloops:\n  - id: a\n    prompt: do it\n    promise: test -s work.txt\n    holdout: grep -q right work.txt\n    agent: custom\n    agent-cmd: echo wrong > work.txt\n    max-iterations: 1\n`,
  )
  const ended = await rig.loop(['workflow', 'run', 'w.yaml', '--trust', '--no-input'])
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /hold-out/)
})
