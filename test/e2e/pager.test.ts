/** A diff on a terminal: in colour, through the pager of the user where there is one; a program gets the exact patch. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ptyOf } from '../rig/pty.ts'
import { makeRig, type Rig, readOr, startArgs } from '../rig/rig.ts'

async function changed(rig: Rig): Promise<void> {
  rig.write('cart.js', 'one\ntwo\n')
  const agent = `printf 'one\\n2\\n' > cart.js`
  await rig.loop(startArgs(agent, 'grep -q 2 cart.js', '--plain', '--no-input'))
}

test('without a pager the patch is printed in colour; into a pipe it is exact', async t => {
  const rig = makeRig(t)
  await changed(rig)
  const screen = ptyOf(t, { rig, env: { PAGER: '' } }, ['diff', '@last'])
  assert.equal(await screen.ended, 0)
  assert.ok(screen.text().includes('\n-two\n+2'))
  assert.ok(screen.sent().includes('\u001B[31m-two'))
  assert.ok(screen.sent().includes('\u001B[32m+2'))
  const { stdout } = await rig.loop(['diff', '@last'])
  assert.ok(stdout.includes('\n-two\n+2\n') && !stdout.includes('\u001B'))
})

test('$PAGER gets the text, and one that is quit early ends it; delta is used where it is installed', async t => {
  const rig = makeRig(t)
  await changed(rig)
  const paged = ptyOf(t, { rig, env: { PAGER: 'cat > "$ASIDE/paged"; echo paged' } }, ['diff', '@last'])
  assert.equal(await paged.ended, 0)
  assert.ok(paged.text().includes('paged'))
  assert.match(readOr(join(rig.aside, 'paged')), /-two/)
  const quit = ptyOf(t, { rig, env: { PAGER: 'true' } }, ['diff', '@last'])
  assert.equal(await quit.ended, 0)
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'delta'), '#!/bin/sh\necho "delta was here"; cat\n')
  chmodSync(join(bin, 'delta'), 0o755)
  const delta = ptyOf(t, { rig, env: { PATH: `${bin}:${process.env['PATH']}` } }, ['diff', '@last'])
  assert.equal(await delta.ended, 0)
  assert.ok(delta.text().includes('delta was here'))
})
