/**
 * `loop watch` on a suspect promise, which passes because its tests or scripts changed: the question names the files,
 * and is answered there.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { isPicture } from '../../rig/picture.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { until } from '../../rig/rig.ts'

const honest =
  "require('node:test')('sum', () => require('node:assert').equal(require('../cart.js').total(), 10))\n"

/**
 * A loop in the background whose agent has twice made the tests pass by changing their script; and the screen that
 * watches it.
 */
async function suspected(t: TestContext) {
  const rig = makeDaemonRig(t)
  mkdirSync(join(rig.tree, 'test'))
  rig.write('test/cart.test.js', honest)
  rig.write('package.json', '{ "scripts": { "test": "node --test" } }\n')
  rig.write('cart.js', 'exports.total = () => 9\n')
  writeFileSync(join(rig.aside, 'p'), '{ "scripts": { "test": "true" } }\n')
  await rig.startDaemon()
  writeFileSync(join(rig.aside, 'q'), '{ "scripts": { "test": "node --test" } }\n')
  const mended = 'cp "$ASIDE/q" package.json; echo "exports.total = () => 10" > cart.js'
  const agent = `if [ $LOOP_ITERATION -lt 3 ]; then cp "$ASIDE/p" package.json; else ${mended}; fi`
  const id = await rig.background(agent, 'npm test', '-n', '5')
  const screen = ptyOf(t, { rig, columns: 100, rows: 24 }, ['watch', id])
  await screen.shows('the changes to package.json, by which the promise passes')
  assert.match(screen.text(), /^ {3}1 ! suspect /m, 'the first one was sent back')
  const answered = () => rig.events(id).find(({ kind }) => kind === 'question.answered')?.data
  return { rig, id, screen, answered }
}

test('a person who accepts the files completes the loop, and the screen says what was accepted', async t => {
  const { rig, id, screen, answered } = await suspected(t)
  screen.type('a')
  await screen.shows(/y yes {2}n no {2}o in your words/)
  assert.match(screen.text(), /│ the changes to package\.json, by which the promise passes, are/)
  await isPicture(screen, 'watch-suspect', id)
  screen.type(keys.escape)
  await screen.shows('a answer')
  assert.equal(answered(), undefined, 'leaving the question answers nothing')
  // The diff against the baseline: all changes of the loop.
  screen.type('d[[')
  await screen.shows('+{ "scripts": { "test": "true" } }')
  screen.type('a')
  await screen.shows(/y yes/)
  screen.type('y')
  await screen.shows(/ completed · iteration 2\/5/)
  await screen.shows(
    /^ look at: [^]*you\s+accepted\s+changes\s+to\s+what\s+judges\s+the\s+work: package\.json/m,
  )
  assert.deepEqual((answered() as { met: boolean }).met, true)
  assert.equal(rig.status(id), 'completed')
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('a person who says what is wrong sends it back to work, and the agent is told', async t => {
  const { rig, id, screen } = await suspected(t)
  screen.type('a')
  await screen.shows('o in your words')
  screen.type('o')
  await screen.shows(/^ .*what is wrong/m)
  screen.type(`leave the script alone${keys.enter}`)
  await screen.shows(/ completed · iteration 3\/5/)
  const prompt = rig.events(id).filter(({ kind }) => kind === 'run.started').length
  assert.equal(prompt, 3)
  const { stdout } = await rig.loop(['history', id, '-v'])
  assert.match(stdout.slice(stdout.lastIndexOf('--- prompt of iteration 3')), /leave the script alone/)
  await until('no doubt is left', () => !screen.text().includes('you accepted'))
  screen.type('q')
  assert.equal(await screen.ended, 0)
})
