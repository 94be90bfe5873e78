/** The full screens with hostile output: not one byte of it reaches the terminal as a control sequence. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertSafe, attacks, ESC, fakeLine, hostileName } from '../../rig/attacks.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

/** The complete list of control sequences that loop itself sends to a full screen. */
const own = new RegExp(
  [
    String.raw`${ESC}\[\?(?:1049|25|7|2004|2026)[hl]`,
    String.raw`${ESC}\[\d+;\d+H`,
    String.raw`${ESC}\[K`,
    String.raw`${ESC}\[H${ESC}\[2J`,
  ].join('|'),
  'g',
)

test('no tab, no list and no farewell lets text of others steer the terminal', async t => {
  const rig = makeRig(t)
  const said = join(rig.aside, 'said')
  writeFileSync(said, `${attacks}\n${fakeLine}\n`)
  rig.write(hostileName, 'before\n')
  const agent = `cat ${said}; cat ${said} >&2; cat ${said} > more; date +%N > now; exit 1 # ${attacks}`
  const start = startArgs(
    agent,
    `cat ${said}; false # ${attacks}`,
    '-n',
    '2',
    '--no-baseline',
    '--plain',
    '--no-input',
  )
  start[1] = `do this${attacks}\n${fakeLine}`
  await rig.loop(start)
  const [id = ''] = rig.loops()
  const screen = ptyOf(t, { rig, columns: 100, rows: 30 }, ['watch', id])
  await screen.shows('concealed')
  for (const tab of ['2', '3', '4', '5', '1', 'e', '?']) {
    const before = screen.text()
    screen.type(tab)
    await until(`tab ${tab}`, () => screen.text() !== before)
  }
  screen.type(keys.escape)
  await until('no help', () => !screen.text().includes('up down j k'))
  screen.type('b')
  await screen.shows('Roll ')
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes('Roll '))
  screen.type('q')
  await screen.ended
  // One that rests can be cancelled.
  await rig.loop([...start, '--must-not', 'never=true'])
  const status = ptyOf(t, { rig, columns: 200, rows: 20 }, ['status', '-w'])
  await status.shows(/^▸ .* paused /m)
  status.type('x')
  await status.shows('Cancel ')
  status.type(keys.escape)
  await until('no question', () => !status.text().includes('Cancel '))
  status.type('q')
  await status.ended
  for (const [what, one] of Object.entries({ screen, status })) {
    const text = one.sent().toString().replaceAll(own, '').replaceAll('\r\n', '\n')
    assert.match(text, /concealed|do this/)
    assertSafe(text, what)
  }
})
