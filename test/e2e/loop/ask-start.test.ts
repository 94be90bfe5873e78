/**
 * `loop start` without arguments on a terminal: it asks, suggests a promise from the project, shows the command, and
 * starts it.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plays, putPrograms } from '../../agents/stand-in.ts'
import { isPicture } from '../../rig/picture.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { makeRig } from '../../rig/rig.ts'

test('prompt, promise from the project, limits; then the command that says the same, and the loop', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.tree, 'package.json'), JSON.stringify({ scripts: { test: 'test -e work' } }))
  const args = ['start', '--agent', 'custom', '--agent-cmd', 'touch work', '--state', 'keep']
  const screen = ptyOf(t, { rig, columns: 170 }, args)
  const answer = async (question: string, text: string) => {
    await screen.shows(question)
    screen.type(`${text}${keys.enter}`)
  }
  await answer('What is to be done?', "make the cart's total right")
  await screen.shows(/^ {2}1 {2}npm test$/m)
  await answer('Enter plans it first:', '1')
  await answer('At most how many iterations? [10]', '3')
  await answer('At most how many dollars? [25]', '')
  await screen.shows('The same as: loop start')
  assert.match(screen.text(), /-p 'npm test' -n 3/)
  await isPicture(screen, 'ask-start')
  await answer('Start it? [Y/n]', '')
  assert.equal(await screen.ended, 0)
  const [id = ''] = rig.loops()
  const [created] = rig.events(id)
  const spec = created?.kind === 'loop.created' ? created.data.spec : null
  assert.deepEqual([spec?.prompt, spec?.maxIterations], ["make the cart's total right", 3])
})

test('a person who leaves, or says no, has started nothing', async t => {
  const rig = makeRig(t)
  const screen = ptyOf(t, { rig }, ['start', '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true'])
  await screen.shows('What is to be done?')
  screen.type(keys.ctrlC)
  assert.equal(await screen.ended, 2)
  assert.deepEqual(rig.loops(), [])
  const piped = await rig.loop(['start', '-p', 'true'])
  assert.equal(piped.code, 4, 'nobody is asked where nobody can answer')
})

test('the agents that are installed are offered, those that are signed in first', async t => {
  const rig = makeRig(t)
  putPrograms(rig, { codex: 'exit 1', claude: `cat > /dev/null; touch work; ${plays('claude.out')}` })
  rig.env['ANTHROPIC_API_KEY'] = 'a key'
  const screen = ptyOf(t, { rig, columns: 120, rows: 40 }, [
    'start',
    '-p',
    'test -e work',
    '--state',
    'keep',
    '--yes',
  ])
  await screen.shows('What is to be done?')
  screen.type(`make it work${keys.enter}`)
  await screen.shows(/Which agent\?\n {2}1 {2}claude {5}signed in\n[^]* {2}codex {6}not signed in\n/)
  screen.type(`1${keys.enter}`)
  await screen.shows('At most how many iterations?')
  screen.type(`${keys.enter}${keys.enter}`)
  await screen.shows(/The same as: loop start 'make it work' .*--agent claude/)
  screen.type(`n${keys.enter}`)
  assert.equal(await screen.ended, 2)
  assert.deepEqual(rig.loops(), [], 'no was said at the end')
})

test('without any agent the questions are not asked, and the limits of the configuration are the suggestions', async t => {
  const rig = makeRig(t)
  const none = ptyOf(t, { rig }, ['start'])
  assert.equal(await none.ended, 4)
  assert.match(none.text(), /opencode is not on the PATH/)
  assert.doesNotMatch(none.text(), /What is to be done/)
  for (const [key, value] of [
    ['agent', 'custom'],
    ['agent_cmd', 'touch work'],
    ['max_iterations', '17'],
  ] as const)
    assert.equal((await rig.loop(['config', 'set', key, value])).code, 0)
  const screen = ptyOf(t, { rig }, ['start', '-p', 'test -e work'])
  await screen.shows('What is to be done?')
  screen.type(`work${keys.enter}`)
  await screen.shows('At most how many iterations? [17]')
  screen.type(keys.ctrlC)
  assert.equal(await screen.ended, 2)
})
