/** On a real terminal (tmux): the live view, and Ctrl-C as the terminal sends it, to the whole process group. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, startArgs, until } from '../rig/rig.ts'
import { terminal } from '../rig/screen.ts'

const agent =
  'echo "at work"; touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'

test('a terminal shows what the agent does, a moving line, and the receipt', async t => {
  const rig = makeRig(t)
  const screen = terminal(t, rig, startArgs(agent, 'test -e work', '--yes'))
  await until('the moving line', () => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] agent at work \d/.test(screen.text()))
  await until('the output', () => /^ {2}│ at work$/m.test(screen.text()))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  const text = screen.text()
  assert.match(text, /^\[LOOP\] Iteration 1\/10 \| Cost: \$0\/\$25 \| Step: test -e work$/m)
  assert.match(text, /^<loop-complete>$/m)
  assert.doesNotMatch(text, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
})

test('Ctrl-C on the terminal reaches loop and nobody else: pause, then cancel', async t => {
  const rig = makeRig(t)
  const screen = terminal(t, rig, startArgs(agent, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('C-c')
  await until('the pause', () => screen.text().includes('[LOOP] Pausing after this iteration'))
  await until('the moving line', () => screen.text().includes('agent at work, then a pause'))
  screen.type('C-c')
  await until('the end', () => screen.text().includes('ended with 2'))
  assert.match(screen.text(), /cancelled: cancelled by you\./)
})

test('after Ctrl-C the key x cancels too', async t => {
  const rig = makeRig(t)
  const screen = terminal(t, rig, startArgs(agent, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('C-c')
  await until('the pause', () => screen.text().includes('[LOOP] Pausing after this iteration'))
  screen.type('x')
  await until('the end', () => screen.text().includes('ended with 2'))
  assert.match(screen.text(), /cancelled: cancelled by you\./)
})

test('a promise that may never work is asked about before the agent is started', async t => {
  const rig = makeRig(t)
  const args = startArgs('touch "$ASIDE/up"; mkdir nowhere', 'cd nowhere', '--state', 'keep')
  const screen = terminal(t, rig, args)
  await until('the question', () => screen.text().includes('Go on all the same? [y/N]'))
  assert.match(
    screen.text(),
    /paused: the promise may never work: there is no directory nowhere to go into\./,
  )
  assert.equal(existsSync(join(rig.aside, 'up')), false, 'no agent was started')
  screen.type('y', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
})
