/**
 * The full screens under strain: much output, loopd killed, every key in every tab, poor terminals. And their pictures
 * for the documentation, made here: `LOOP_PICTURES=1 node --test test/e2e/screens.test.ts` writes docs/screens anew.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../rig/daemon.ts'
import { isPicture } from '../rig/picture.ts'
import { keys, type Pty, ptyOf } from '../rig/pty.ts'
import { makeRig, type Rig, startArgs, until } from '../rig/rig.ts'

const megabytes = process.env['LOOP_LONG'] ? 100 : 12
const lineOf = (n: number) => `line ${String(n).padStart(9, '0')} of what a busy agent prints all night long`
const count = Math.floor((megabytes * 1_000_000) / 64)

/** Prints lines of 64 bytes, says that it has, and waits. */
const flood = `awk 'BEGIN { for (n = 1; n <= ${count}; n++) printf "line %09d of what a busy agent prints all night long....\\n", n }'`
const wait = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done; echo the end; touch work'

const shows = (screen: Pty, what: string | RegExp) =>
  until(
    String(what),
    () => (typeof what === 'string' ? screen.text().includes(what) : what.test(screen.text())),
    60_000,
  )

function memoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
}

/** The program behind a pseudo-terminal: the child of its driver. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

test(`${megabytes} MB of output, a storm of sizes and loopd killed meanwhile: the screen is what was expected`, async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const id = await rig.background(`${flood}; ${wait}`, 'test -e work')
  const screen = ptyOf(t, { rig, columns: 100, rows: 30 }, ['watch', id])
  await shows(screen, `line ${String(count).padStart(9, '0')}`)
  daemon.child.kill('SIGKILL')
  await shows(screen, 'running, no host')
  const storm = Array.from({ length: 50 }, (_, i) => [30 + ((i * 37) % 120), 10 + ((i * 13) % 40)] as const)
  screen.resizeAll([...storm, [100, 30]])
  await shows(screen, new RegExp(`│ ${lineOf(count)}\\.*$`, 'm'))
  screen.type('g')
  await shows(screen, new RegExp(`│ ${lineOf(1)}`))
  const middle = Math.floor(count / 2)
  screen.type(`/${String(middle).padStart(9, '0')}${keys.enter}`)
  await shows(screen, `found in line ${middle}`)
  const rows = screen.rows().flatMap(row => /│ line (\d+) /.exec(row)?.[1] ?? [])
  assert.deepEqual(
    rows.map(Number),
    rows.map((_, i) => middle - 2 + i),
    'the lines around it, in order',
  )
  await rig.startDaemon()
  await until('the host again', () => !screen.text().includes('no host'), 30_000)
  writeFileSync(join(rig.aside, 'go'), '')
  await shows(screen, / completed · /)
  screen.type('G')
  await shows(screen, /│ the end$/m)
  assert.ok(memoryMb(childOf(screen.pid())) <= 120, `${memoryMb(childOf(screen.pid()))} MB`)
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

const check = `n=$(cat n 2>/dev/null || echo 3)
i=0; while [ $i -lt $n ]; do i=$((i + 1)); echo "not ok $i - the total of cart $i"; done
echo "1..3"; echo "# tests 3"; echo "# fail $n"; [ $n -eq 0 ]
`
const agent = [
  'n=$(cat n 2>/dev/null || echo 3)',
  'echo "I read the tests of the cart first."; echo "-> read test/cart.test.js"; echo "-> edit src/cart.js"',
  'echo "The total of an empty cart is now 0, and $((n - 1)) tests are left."',
  '[ $n -gt 1 ] || while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done',
  'echo $((n - 1)) > n; echo "export const fix$n = true" >> cart.js',
].join('; ')

/** A loop in its third iteration; its id. */
async function running(rig: Rig): Promise<string> {
  rig.write('check.sh', check)
  const start = startArgs(agent, 'tests=sh check.sh', '--plain', '--yes')
  start[1] = 'fix the failing tests of the cart'
  rig.spawn(start)
  return until('the third run', () => {
    const [one = ''] = rig.loops()
    const isThird =
      one !== '' && rig.events(one).some(event => event.kind === 'run.launched' && event.data.run === 3)
    return isThird && one
  })
}

test('every key in every tab leaves a whole screen, and none of them ends the loop', async t => {
  const rig = makeRig(t)
  const id = await running(rig)
  const screen = ptyOf(t, { rig }, ['watch', id])
  await shows(screen, '● agent')
  const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  // Those that ask something come last; those that run a command, quit or leave the screen have tests of their own.
  const asking = ['/', 'i', 'c', '?']
  const plain = printable.filter(key => !'qprxbs'.includes(key) && !asking.includes(key))
  const special = [keys.up, keys.down, keys.left, keys.right, keys.pageUp, keys.pageDown, keys.home, keys.end]
  const odd = [keys.tab, '\u0004', '\u0015', '\u001B[15~', '\u001B[1;5C', '\u001B[200~x\ry\u001B[201~']
  const isWhole = () => {
    const rows = screen.rows()
    return rows[0]?.startsWith(` loop ${id} `) && rows.at(-1)?.includes('q quit')
  }
  for (const tab of ['1', '2', '3', '4', '5']) {
    for (const key of [...plain, ...special, ...odd]) {
      screen.type(tab)
      screen.type(key)
    }
    for (const key of asking) {
      screen.type(key)
      await until(`what ${key} asks`, () => !screen.rows().at(-1)?.includes('q quit'))
      screen.type(keys.escape)
      await until(`a whole screen after ${key} in tab ${tab}`, isWhole)
    }
  }
  assert.equal(screen.buffer(), 'alternate')
  assert.deepEqual(
    rig
      .events(id)
      .filter(({ kind }) => ['cancel.requested', 'pause.requested', 'rollback.requested'].includes(kind)),
    [],
  )
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('poor terminals: LANG=C is ASCII, NO_COLOR has no colour, 16 colours are enough, TERM=dumb gets plain lines', async t => {
  const rig = makeRig(t)
  const id = await running(rig)
  const ascii = ptyOf(t, { rig, env: { LANG: 'C', NO_COLOR: '1' } }, ['watch', id])
  await shows(ascii, /^> {2}3 \* agent/m)
  assert.match(ascii.text(), /^ {3}1 x FAIL 2 /m)
  assert.doesNotMatch(ascii.text(), /[^\n\x20-\x7E]/)
  ascii.type('q')
  await ascii.ended
  assert.equal(/\[[\d;]*[1-9]m/.test(ascii.sent().toString()), false, 'no colour')
  const plain = ptyOf(t, { rig, env: { TERM: 'xterm' } }, ['watch', id])
  await shows(plain, '● agent')
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
  await shows(dumb, '[LOOP] Attached to the agent of iteration 3')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await dumb.ended, 0)
  assert.equal(dumb.sent().includes('\u001B'), false)
})

test('the pictures in the documentation are what the screens show', async t => {
  const rig = makeRig(t)
  const id = await running(rig)
  const shot = async (
    name: string,
    args: string[],
    wish: { columns: number; rows: number; type?: string; sees: string },
  ) => {
    const screen = ptyOf(t, { rig, columns: wish.columns, rows: wish.rows }, args)
    await shows(screen, id)
    if (wish.type) screen.type(wish.type)
    await shows(screen, wish.sees)
    await isPicture(screen, name, id)
    // A key closes the help; the next one quits.
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
  await shot('watch-criteria', ['watch', id], { columns: 80, rows: 24, type: '5', sees: 'Limits' })
  await shot('watch-help', ['watch', id], { columns: 80, rows: 26, type: '?', sees: 'Steer' })
  await shot('status', ['status', '-w'], { columns: 120, rows: 10, sees: 'running' })
  writeFileSync(join(rig.aside, 'go'), '')
})
