/**
 * Every key in every tab of every full screen, through a real pseudo-terminal: the screen stays whole, and no key acts
 * before its question is answered. Keys that run a command, quit or leave the screen have tests of their own.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestOfArgs } from '../../rig/group.ts'
import { keys, type Pty, ptyOf } from '../../rig/pty.ts'
import { makeRig, until } from '../../rig/rig.ts'
import { thirdIteration } from '../../rig/watched-loop.ts'

const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
const special = [keys.up, keys.down, keys.left, keys.right, keys.pageUp, keys.pageDown, keys.home, keys.end]
const odd = [keys.tab, '\u0004', '\u0015', '\u001B[15~', '\u001B[1;5C', '\u001B[200~x\ry\u001B[201~']

type Pressed = {
  /** The keys of the tabs. */
  tabs: string[]
  /** Keys that are not tried here: they act, or leave the screen. */
  leaves: string
  /** Keys that open a question. */
  asks: string[]
  /** The beginning of the first row. */
  head: string
}

async function pressAll(screen: Pty, { tabs, leaves, asks, head }: Pressed): Promise<void> {
  const isWhole = () => {
    const rows = screen.rows()
    return rows[0]?.startsWith(head) && rows.at(-1)?.includes('q quit')
  }
  await until('the screen', isWhole)
  const plain = printable.filter(key => !leaves.includes(key) && !asks.includes(key))
  for (const tab of tabs) {
    for (const key of [...plain, ...special, ...odd]) screen.type(`${tab}${key}`)
    for (const key of asks) {
      // A question is about the selected row.
      screen.type(`${tab}${keys.home}${key}`)
      await until(`what ${key} asks`, () => !screen.rows().at(-1)?.includes('q quit'))
      screen.type(keys.escape)
      await until(`a whole screen after ${key} in tab ${tab}`, isWhole)
    }
  }
  assert.equal(screen.buffer(), 'alternate')
  screen.type('q')
  assert.equal(await screen.ended, 0)
}

test('a loop: every key in every tab leaves a whole screen, and none of them ends the loop', async t => {
  const rig = makeRig(t)
  const id = await thirdIteration(rig)
  const screen = ptyOf(t, { rig }, ['watch', id])
  await screen.shows('● agent')
  const before = rig.events(id).length
  const wish = { tabs: ['1', '2', '3', '4', '5'], leaves: 'qprxbs', asks: ['/', 'i', 'c', '?'] }
  await pressAll(screen, { ...wish, head: ` loop ${id} ` })
  assert.equal(rig.events(id).length, before, 'nothing was asked of the loop')
})

test('the same for a group, and for the list of all loops', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop([...bestOfArgs('echo x > work', 'test -e work', '-n', '1'), '--json'])
  const { id } = JSON.parse(ended.stdout)
  const before = rig.events(id).length
  const group = ptyOf(t, { rig, columns: 110 }, ['watch', id])
  await pressAll(group, {
    tabs: ['1', '2', '3'],
    leaves: 'qpr',
    asks: ['x', 't', 'i', '?'],
    head: ` group ${id} `,
  })
  const list = ptyOf(t, { rig, columns: 110 }, ['status', '-w'])
  await list.shows(id)
  await pressAll(list, { tabs: [keys.home], leaves: 'qpr', asks: ['/', 'i', '?'], head: ' loops ' })
  assert.equal(rig.events(id).length, before, 'nothing was asked of the group')
})
