/**
 * `loop watch` of a loop that has ended, and on terminals with little room: nothing that a person has to read before
 * an answer is cut, and the screen offers what can be done.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { keys, type Pty, ptyOf } from '../../rig/pty.ts'
import { type Rig, startArgs, until } from '../../rig/rig.ts'

type Scene = { rig: Rig; id: string }

/** A loop that has failed: it has used up its only iteration. */
async function failed(t: TestContext): Promise<Scene> {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  rig.write('old.txt', 'x\n')
  const agent = 'echo "I tried."; echo more >> old.txt; echo new > new.txt'
  const ended = await rig.loop(startArgs(agent, 'test -e done', '-n', '1', '--plain', '--yes'))
  assert.equal(ended.code, 1, ended.stderr)
  return { rig, id: rig.loops()[0] ?? '' }
}

const quit = async (screen: Pty) => {
  screen.type('q')
  assert.equal(await screen.ended, 0)
}

test('r at a limit asks for a higher one, and resumes with it', async t => {
  const { rig, id } = await failed(t)
  const screen = ptyOf(t, { rig }, ['watch', id])
  await screen.shows('I tried.')
  screen.type('r')
  await screen.shows(`Loop ${id} has used up its limit.`)
  assert.match(screen.text(), /^ y resume with --max-iterations 11 {2}esc leaves it$/m)
  const kinds = () => rig.events(id).map(({ kind }) => kind)
  assert.equal(kinds().includes('loop.resumed'), false)
  screen.type('y')
  await screen.shows(/ iteration \d+\/11 /)
  assert.ok(kinds().includes('loop.resumed'))
  screen.type('x')
  await screen.shows('Cancel loop')
  screen.type('y')
  await screen.shows(' cancelled · iteration')
  await quit(screen)
})

test('r in the list of all loops goes to that question', async t => {
  const { rig, id } = await failed(t)
  const screen = ptyOf(t, { rig }, ['status', '-w'])
  await screen.shows(/^ {2}LOOP-ID +STATUS +ITER +PROMISE +AGENT +ELAPSED +COST/m)
  await screen.shows(/^ enter watch {2}r resume {2}\/ filter {2}S sort {2}\? help {2}q quit$/m)
  screen.type('r')
  await screen.shows(`Loop ${id} has used up its limit.`)
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes('has used up'))
  await quit(screen)
})

test('40x12: the files of a rollback and every answer are shown, and a refusal is whole', async t => {
  const { rig, id } = await failed(t)
  const screen = ptyOf(t, { rig, columns: 40, rows: 12 }, ['watch', id])
  await screen.shows('I tried.')
  assert.match(screen.text(), /^ next: loop resume \w+$\n^ --max-iterations 11$/m)
  screen.type('x')
  await screen.shows('Cancel loop')
  for (const part of [
    'write   old.txt',
    'delete  new.txt',
    'y cancel, keep',
    'b cancel, bring back',
    'esc leaves',
  ])
    assert.ok(screen.text().includes(part), `${part}\n${screen.text()}`)
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes('Cancel loop'))
  screen.type('c')
  await screen.shows('name of the checkpoint: watch-')
  screen.type(`no good name${keys.enter}`)
  await screen.shows(/a\s+name\s+begins\s+with\s.*\sand\s+single\s+dots\./s)
  await quit(screen)
})

test('a loop whose host was killed is taken up by a key', async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const id = await rig.background(
    'while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; touch done',
    'test -e done',
  )
  await until('the agent', () => rig.events(id).some(({ kind }) => kind === 'run.launched'))
  daemon.child.kill('SIGKILL')
  const screen = ptyOf(t, { rig }, ['watch', id])
  await screen.shows(`loop ${id}  running, no host`)
  assert.match(screen.rows().at(-1) ?? '', /^ r take up {2}/)
  screen.type('r')
  await until('a host', () => !screen.text().includes('no host'))
  writeFileSync(join(rig.aside, 'go'), '')
  await screen.shows(' completed · iteration 1/10')
  await quit(screen)
})

test('a stream without a line says so, and which one it is', async t => {
  const { rig, id } = await failed(t)
  const screen = ptyOf(t, { rig }, ['watch', id])
  await screen.shows('I tried.')
  screen.type('e')
  await screen.shows('The agent wrote nothing to stderr (e: its output).')
  assert.match(screen.rows().at(-2) ?? '', / stderr$/)
  screen.type('e')
  await screen.shows('I tried.')
  // Lines that take several rows: the last line that is seen, not the first and the height of the window.
  screen.resize(40, 12)
  screen.type('4')
  await screen.shows(/ 1-\d of \d\d$/m)
  await quit(screen)
})

test('without a screen: how it ended, why, and what to type; before the first loop, what is missing', async t => {
  const rig = makeDaemonRig(t)
  const none = await rig.loop(['watch'])
  assert.equal(none.code, 4)
  assert.equal(none.stderr, 'loop: Name one loop: its id, the beginning of it, or @last. See: loop status\n')
  const ended = await rig.loop(startArgs('touch work', 'test -e done', '-n', '1', '--plain', '--yes'))
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  const watched = await rig.loop(['watch', id])
  assert.equal(watched.code, 0)
  const [head = '', , next] = watched.stdout.split('\n')
  assert.ok(
    head.startsWith(`loop ${id}: failed (1 iteration used and the promise does not hold) · iteration 1/1`),
    head,
  )
  assert.equal(next, `  next          loop resume ${id} --max-iterations 11`)
})
