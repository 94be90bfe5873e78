/** Pictures of screens in docs/screens, as text: what a test sees is what the documentation shows. LOOP_PICTURES=1 writes them. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pty } from './pty.ts'
import { root, until } from './rig.ts'

const time = /\b(?:\d+m )?\d+(?:\.\d+)?m?s\b/g

const spinner = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g
const names = ['a1b2c3', 'd4e5f6', 'g7h8j9', 'k1m2n3']

/** What differs from one run to the next. `ids`: of the loop or group, and of the loops in it, in any order. */
function still(text: string, ids: readonly string[]): string {
  return ids
    .toSorted((one, other) => text.indexOf(one) - text.indexOf(other))
    .reduce((all, id, i) => all.replaceAll(id, names[i] ?? id), text)
    .replaceAll(spinner, '⠋')
    .replaceAll(time, found => '9s'.padEnd(found.length))
    .replaceAll(/[ \t]+$/gm, '')
}

/** Times are as wide as they are. */
function loose(text: string): string {
  return text.replaceAll(time, 'T').replaceAll(spinner, '⠋').replaceAll(/ +/g, ' ')
}

/** The whole frame, not one that is being drawn, is that of docs/screens. */
export async function isPicture(screen: Pty, name: string, ...ids: string[]): Promise<void> {
  await until('a still picture', async () => {
    const before = loose(screen.text())
    await delay(150)
    return before === loose(screen.text())
  })
  const picture = `${still(screen.text(), ids).trimEnd()}\n`
  const file = join(root, 'docs/screens', `${name}.txt`)
  if (process.env['LOOP_PICTURES']) {
    mkdirSync(join(root, 'docs/screens'), { recursive: true })
    writeFileSync(file, picture)
  }
  assert.equal(loose(picture), loose(readFileSync(file, 'utf8')), `${name}: LOOP_PICTURES=1 writes it anew`)
}
