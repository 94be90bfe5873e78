/**
 * `loop status -w` through a real pseudo-terminal: its order, its filter, the way into a loop, and keys that steer a
 * loop.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { cost } from '../../rig/group.ts'
import { keys, type Pty, ptyOf } from '../../rig/pty.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const size = { columns: 130, rows: 20 }

/** The ids of the loops in the order of the list. */
const listed = (screen: Pty) => screen.rows().flatMap(row => /^[▸ ] ([a-z0-9]{6}) /.exec(row)?.[1] ?? [])

const selected = (screen: Pty) => /^▸ ([a-z0-9]{6}) /m.exec(screen.text())?.[1]

/** Runs a loop in a directory of its own; returns its id. */
async function ran(rig: Rig, prompt: string, [agent, ...more]: [string, ...string[]]): Promise<string> {
  const cwd = join(rig.aside, prompt.replaceAll(' ', '-'))
  mkdirSync(cwd)
  const start = startArgs(
    agent,
    'test "$(wc -l < work)" = 3',
    '--plain',
    '--no-baseline',
    '--cwd',
    cwd,
    ...more,
  )
  start[1] = prompt
  await rig.loop(start)
  return rig.loops().at(-1) ?? ''
}

test('loops that need a person come first; sorted, filtered, entered and left', async t => {
  const rig = makeRig(t)
  const three = await ran(rig, 'fill the cart', [`echo x >> work; ${cost(0.25)}`])
  const failed = await ran(rig, 'mend the shop', [`echo x >> work; ${cost(2)}`, '-n', '1'])
  const two = await ran(rig, 'empty the cart', ['echo x >> work; [ $LOOP_ITERATION = 1 ] || echo x >> work'])
  const screen = ptyOf(t, { rig, ...size }, ['status', '-w'])
  const isListed = (order: string[]) => until(order.join(), () => listed(screen).join() === order.join())
  await screen.shows(/^ loops {2}1 need you · 2 done .* by attention$/m)
  await isListed([failed, two, three])
  screen.type('S')
  await screen.shows(/by created$/m)
  await isListed([two, failed, three])
  screen.type('S')
  await screen.shows(/by cost$/m)
  await isListed([failed, three, two])
  screen.type('S')
  await screen.shows(/by iteration$/m)
  await isListed([three, two, failed])
  screen.type('S')
  await screen.shows(/by elapsed$/m)
  screen.type('S')
  await isListed([failed, two, three])
  screen.type('/')
  await screen.shows('only those with:')
  screen.type(`cart${keys.enter}`)
  await screen.shows('2 with "cart", by attention')
  await isListed([two, three])
  screen.type('/')
  await isListed([failed, two, three])
  screen.type(`${keys.home}j${keys.down}`)
  await until('the last one selected', () => selected(screen) === three)
  screen.type(keys.enter)
  await screen.shows(new RegExp(`^ loop ${three} {2}completed · iteration 3/10`, 'm'))
  screen.type(keys.escape)
  await screen.shows('by attention')
  assert.equal(selected(screen), three, 'the selection stays where it was')
  screen.type('k')
  await until('the one above', () => selected(screen) === two)
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.equal(screen.buffer(), 'normal')
  assert.ok(screen.all().includes('loops: 1 need you, 2 done'), screen.all().join('\n'))
  const narrow = ptyOf(t, { rig, columns: 40 }, ['status'])
  assert.equal(await narrow.ended, 0)
  // Below an empty row: what the loop that waits needs.
  const table = narrow.rows().slice(0, narrow.rows().indexOf(''))
  assert.match(table[0] ?? '', /^LOOP-ID +STATUS +ITER +PROMISE$/)
  assert.equal(table.length, 4, 'a row for each loop, none of them broken by the terminal')
})

test('keys steer the loop that is selected: pause and back, inject, answer, cancel after a question', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const wait = 'while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
  const id = await rig.background(wait, 'true', '--confirm', 'it looks right', '--no-baseline')
  const kinds = () => rig.events(id).map(({ kind }) => kind)
  await until('the agent', () => kinds().includes('run.launched'))
  const screen = ptyOf(t, { rig, ...size }, ['status', '-w'])
  await screen.shows(new RegExp(`^▸ ${id} .*running`, 'm'))
  screen.type('a')
  await screen.shows(`${id} asks nothing.`)
  screen.type('p')
  await until('the pause', () => kinds().includes('loop.held'))
  await screen.shows('pauses after this iteration')
  screen.type('r')
  await until('the way on', () => kinds().includes('loop.resumed'))
  screen.type('i')
  await screen.shows(`tell ${id}:`)
  screen.type(`mind the gap${keys.enter}`)
  await until('the injection', () => kinds().includes('context.injected'))
  writeFileSync(join(rig.aside, 'go'), '')
  await screen.shows(/^▸ .* asks you /m)
  // Opens the loop, at its question.
  screen.type('a')
  await screen.shows(`Loop ${id} asks: is this so?`)
  screen.type('n')
  await until('the answer', () => kinds().includes('question.answered'))
  screen.type(keys.escape)
  await screen.shows('by attention')
  await until('the question again', () => kinds().filter(kind => kind === 'question.asked').length === 2)
  // Opens the loop too, at its question.
  screen.type('x')
  await screen.shows(`Cancel loop ${id}?`)
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes(`Cancel loop ${id}?`))
  assert.equal(kinds().includes('cancel.requested'), false)
  screen.type('x')
  await screen.shows(`Cancel loop ${id}?`)
  screen.type('y')
  await until('the end', () => kinds().includes('loop.cancelled'))
  screen.type(keys.escape)
  await screen.shows(new RegExp(`^▸ ${id} +cancelled`, 'm'))
  // The answer to the cancel can come after the next key, and replace what was said to it.
  await until('the end in words', () => {
    screen.type('x')
    return screen.text().includes(`${id} has ended (cancelled).`)
  })
  screen.type('q')
  assert.equal(await screen.ended, 0)
})
