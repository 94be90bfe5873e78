/**
 * Questions of a loop to the person at its terminal: about things that only a human knows, and whether to continue.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeRig, startArgs, until } from '../../rig/rig.ts'
import { terminal, terminalTest as test } from '../../rig/screen.ts'

const page = ['--confirm', 'the page looks right']

test('a loop with a promise asks nothing about its state; --state delete deletes it at the end', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs('echo x > work', 'test -e work'))
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.doesNotMatch(screen.text(), /state|y\/N/)
  assert.equal(existsSync(join(rig.tree, '.loop', 'state.json')), true)
  rmSync(join(rig.tree, 'work'))
  const again = terminal(rig, startArgs('echo x > work', 'test -e work', '--state', 'delete', '-v'))
  await until('the second end', () => again.text().includes('ended with 0'))
  assert.match(again.text(), /state {7}\.loop\/state\.json, deleted at the end/)
  assert.equal(existsSync(join(rig.tree, '.loop')), false)
})

test('a human is asked at the terminal: what is wrong makes another iteration, yes completes', async t => {
  const rig = makeRig(t)
  const agent = 'cat > "$ASIDE/prompt"; echo x >> work'
  const screen = terminal(rig, startArgs(agent, 'test -e work', '--yes', ...page))
  const asked = () => screen.text().split('[yes/no/what is wrong]').length - 1
  await until('the question', () => asked() === 1)
  screen.type('the button is too small', 'Enter')
  await until('the second question', () => asked() === 2)
  assert.match(readFileSync(join(rig.aside, 'prompt'), 'utf8'), /it is not so: the button is too small\n/)
  screen.type('yes', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.match(screen.text(), /^✓ Done in \S+, 2 iterations\. /m)
})

test('the question can be answered from another terminal', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs('echo x >> work', 'test -e work', '--yes', ...page))
  await until('the question', () => screen.text().includes('[yes/no/what is wrong]'))
  const [id = ''] = rig.loops()
  const { status, reason, question } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual(
    [status, reason, question],
    ['waiting', 'a human has to say whether this is so: the page looks right', 'the page looks right'],
  )
  const answer = await rig.loop(['answer', id, 'yes'])
  assert.deepEqual(
    [answer.code, answer.stdout],
    [0, `Loop ${id}: confirmed: the page looks right. It goes on.\n`],
  )
  await until('the end', () => screen.text().includes('ended with 0'))
})

test('at the limit of iterations the terminal offers to go on', async t => {
  const rig = makeRig(t)
  const screen = terminal(
    rig,
    startArgs('echo x >> work', 'test "$(wc -l < work)" = 2', '--yes', '-n', '1', '--no-baseline'),
  )
  await until('the offer', () => screen.text().includes('Go on with 10 more iterations? [y/N]'))
  screen.type('y', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.match(screen.text(), /^ {2}\S.* · up to 11 iterations, \$25 · continues after iteration 1$/m)
  assert.match(screen.text(), /^✓ Done in \S+, 2 iterations\./m)
})

test('at the budget too; anything but yes leaves it paused', async t => {
  const rig = makeRig(t)
  const agent = `echo x >> work; echo '{"costUsd": 3}' > "$LOOP_USAGE_FILE"`
  const screen = terminal(rig, startArgs(agent, 'false', '--yes', '--budget', '2'))
  await until('the offer', () => screen.text().includes('Go on with another $2? [y/N]'))
  screen.type('', 'Enter')
  await until('the end', () => screen.text().includes('ended with 1'))
})

test('if iterations and budget are used up, one yes raises both', async t => {
  const rig = makeRig(t)
  const agent = `echo x >> work; echo '{"costUsd": 3}' > "$LOOP_USAGE_FILE"`
  const promise = 'test "$(wc -l < work)" = 2'
  const more = ['--yes', '--budget', '2', '-n', '1', '--no-baseline']
  const screen = terminal(rig, startArgs(agent, promise, ...more))
  const offer = 'Go on with 10 more iterations and another $2? [y/N]'
  await until('the offer', () => screen.text().includes(offer))
  screen.type('y', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
})

test('--no-input asks nothing', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs('echo x >> work', 'test -e work', '--no-input', ...page))
  await until('the end', () => screen.text().includes('ended with 1'))
  assert.doesNotMatch(screen.text(), /\[y\/N\]|\[yes\/no/)
})
