/**
 * The full screens under load: much output, loopd killed, poor terminals. This file also makes their pictures for the
 * documentation: `LOOP_PICTURES=1 node --test test/e2e/screen/screens.test.ts` writes docs/screens again.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { isPicture } from '../../rig/picture.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { makeRig, until } from '../../rig/rig.ts'
import { cartStart, thirdIteration } from '../../rig/watched-loop.ts'

const megabytes = process.env['LOOP_LONG'] ? 100 : 12
const lineOf = (n: number) => `line ${String(n).padStart(9, '0')} of what a busy agent prints all night long`
const count = Math.floor((megabytes * 1_000_000) / 64)

/** Prints lines of 64 bytes, reports that it has, and waits. */
const flood = `awk 'BEGIN { for (n = 1; n <= ${count}; n++) printf "line %09d of what a busy agent prints all night long....\\n", n }'`
const wait = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done; echo the end; touch work'

function memoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
}

/** The program in a pseudo-terminal: the child process of its driver. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

test(`${megabytes} MB of output, many resizes and loopd killed meanwhile: the screen is right`, async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const id = await rig.background(`${flood}; ${wait}`, 'test -e work')
  const screen = ptyOf(t, { rig, columns: 100, rows: 30 }, ['watch', id])
  await screen.shows(`line ${String(count).padStart(9, '0')}`)
  daemon.child.kill('SIGKILL')
  await screen.shows('running, no host')
  const storm = Array.from({ length: 50 }, (_, i) => [30 + ((i * 37) % 120), 10 + ((i * 13) % 40)] as const)
  screen.resizeAll([...storm, [100, 30]])
  await screen.shows(new RegExp(`│ ${lineOf(count)}\\.*$`, 'm'))
  screen.type('g')
  await screen.shows(new RegExp(`│ ${lineOf(1)}`))
  const middle = Math.floor(count / 2)
  screen.type(`/${String(middle).padStart(9, '0')}${keys.enter}`)
  await screen.shows(`found in line ${middle}`)
  const rows = screen.rows().flatMap(row => /│ line (\d+) /.exec(row)?.[1] ?? [])
  assert.deepEqual(
    rows.map(Number),
    rows.map((_, i) => middle - 2 + i),
    'the lines around it, in order',
  )
  await rig.startDaemon()
  await until('the host again', () => !screen.text().includes('no host'), 30_000)
  writeFileSync(join(rig.aside, 'go'), '')
  await screen.shows(/ completed · /)
  screen.type('G')
  await screen.shows(/│ the end$/m)
  assert.ok(memoryMb(childOf(screen.pid())) <= 120, `${memoryMb(childOf(screen.pid()))} MB`)
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('poor terminals: LANG=C is ASCII, NO_COLOR has no colour, 16 colours are enough, TERM=dumb gets plain lines', async t => {
  const rig = makeRig(t)
  const id = await thirdIteration(rig)
  const ascii = ptyOf(t, { rig, env: { LANG: 'C', NO_COLOR: '1' } }, ['watch', id])
  await ascii.shows(/^> {2}3 \* agent/m)
  assert.match(ascii.text(), /^ {3}1 x FAIL 2 /m)
  assert.doesNotMatch(ascii.text(), /[^\n\x20-\x7E]/)
  ascii.type('q')
  await ascii.ended
  assert.equal(/\[[\d;]*[1-9]m/.test(ascii.sent().toString()), false, 'no colour')
  const plain = ptyOf(t, { rig, env: { TERM: 'xterm' } }, ['watch', id])
  await plain.shows('● agent')
  plain.type('q')
  await plain.ended
  const colours =
    plain
      .sent()
      .toString()
      .match(/\[[\d;]+m/g) ?? []
  assert.ok(colours.length > 0)
  assert.deepEqual(
    colours.filter(code => /[34]8;/.test(code)),
    [],
  )
  const dumb = ptyOf(t, { rig, env: { TERM: 'dumb' } }, ['watch', id])
  await dumb.shows('[LOOP] Attached to the agent of iteration 3')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await dumb.ended, 0)
  assert.equal(dumb.sent().includes('\u001B'), false)
})

test('the pictures in the documentation are what the screens show', async t => {
  const rig = makeRig(t)
  const id = await thirdIteration(rig)
  const shot = async (
    name: string,
    args: string[],
    wish: { columns: number; rows: number; type?: string; sees: string },
  ) => {
    const screen = ptyOf(t, { rig, columns: wish.columns, rows: wish.rows }, args)
    await screen.shows(id)
    if (wish.type) screen.type(wish.type)
    await screen.shows(wish.sees)
    await isPicture(screen, name, id)
    // The first key closes the help; the next one quits.
    if (wish.type === '?') screen.type(' ')
    screen.type('q')
    await screen.ended
  }
  await shot('watch', ['watch', id], { columns: 100, rows: 24, sees: '0 tests are left' })
  await shot('watch-small', ['watch', id], { columns: 60, rows: 20, sees: 'I read the tests' })
  await shot('watch-promise', ['watch', id], {
    columns: 140,
    rows: 20,
    type: '2[',
    sees: 'not ok 1',
  })
  await shot('watch-diff', ['watch', id], { columns: 100, rows: 30, type: '[3', sees: '+export const fix2' })
  await shot('watch-diff-small', ['watch', id], { columns: 60, rows: 20, type: '[3', sees: '+export const' })
  await shot('watch-criteria', ['watch', id], { columns: 80, rows: 24, type: '5', sees: 'Limits' })
  await shot('watch-help', ['watch', id], { columns: 80, rows: 26, type: '?', sees: 'Steer' })
  await shot('status', ['status', '-w'], { columns: 120, rows: 10, sees: 'running' })
  writeFileSync(join(rig.aside, 'go'), '')
})

test('the picture of a loop in the foreground: lines that stay, and rows below them that do not', async t => {
  const rig = makeRig(t)
  const screen = ptyOf(t, { rig, columns: 100, rows: 30 }, [...cartStart(rig), '--yes', '--state', 'keep'])
  await screen.shows(/^ {2}3 {2}. \S+ +custom: The total/m)
  const [id = ''] = rig.loops()
  await isPicture(screen, 'start', id)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
})
