/** `loop start` alone on a terminal: asks, suggests what the project has, shows the command, and starts it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keys, ptyOf } from '../rig/pty.ts'
import { makeRig, until } from '../rig/rig.ts'

test('prompt, promise from the project, limits; then the command that says the same, and the loop', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.tree, 'package.json'), JSON.stringify({ scripts: { test: 'test -e work' } }))
  const args = ['start', '--agent', 'custom', '--agent-cmd', 'touch work', '--state', 'keep']
  const screen = ptyOf(t, { rig, columns: 170 }, args)
  const answer = async (question: string, text: string) => {
    await until(question, () => screen.text().includes(question))
    screen.type(`${text}${keys.enter}`)
  }
  await answer('What is to be done?', "make the cart's total right")
  await until('the suggestion', () => /^ {2}1 {2}npm test$/m.test(screen.text()))
  await answer('Enter plans it first:', '1')
  await answer('At most how many iterations? [10]', '3')
  await answer('At most how many dollars? [25]', '')
  await until('the command', () => screen.text().includes('The same as: loop start'))
  assert.match(screen.text(), /-p 'npm test' -n 3/)
  await answer('Start it? [Y/n]', '')
  assert.equal(await screen.ended, 0)
  const [id = ''] = rig.loops()
  const [created] = rig.events(id)
  const spec = created?.kind === 'loop.created' ? created.data.spec : null
  assert.deepEqual([spec?.prompt, spec?.maxIterations], ["make the cart's total right", 3])
})

test('whoever leaves, or says no, has started nothing', async t => {
  const rig = makeRig(t)
  const screen = ptyOf(t, { rig }, ['start', '-p', 'true'])
  await until('the question', () => screen.text().includes('What is to be done?'))
  screen.type(keys.ctrlC)
  assert.equal(await screen.ended, 2)
  assert.deepEqual(rig.loops(), [])
  const piped = await rig.loop(['start', '-p', 'true'])
  assert.equal(piped.code, 4, 'nobody is asked where nobody can answer')
})
