/**
 * A diff on a terminal: in colour and with line numbers, through the user's pager if there is one. A program that reads
 * the diff from a pipe gets the exact patch.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { putPrograms } from '../../agents/stand-in.ts'
import { ptyOf } from '../../rig/pty.ts'
import { makeRig, type Rig, readOr, startArgs } from '../../rig/rig.ts'

async function changed(rig: Rig, agent = `printf 'one\\n2\\n' > cart.js`): Promise<void> {
  rig.write('cart.js', 'one\ntwo\n')
  const ended = await rig.loop(startArgs(agent, 'grep -q 2 cart.js', '--plain', '--no-input'))
  assert.equal(ended.code, 0, ended.stderr)
}

test('without a pager the patch is printed in colour with line numbers; into a pipe it is exact', async t => {
  const rig = makeRig(t)
  await changed(rig)
  const screen = ptyOf(t, { rig, env: { PAGER: '' } }, ['diff', '@last'])
  assert.equal(await screen.ended, 0)
  assert.ok(screen.text().includes('\n    1    1  one\n    2      -two\n         2 +2'), screen.text())
  assert.ok(screen.sent().includes('\u001B[31m-two'))
  assert.ok(screen.sent().includes('\u001B[32m+2'))
  const { stdout } = await rig.loop(['diff', '@last'])
  assert.ok(stdout.includes('\n one\n-two\n+2\n') && !stdout.includes('\u001B'))
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
  putPrograms(rig, { delta: 'echo "delta was here"; cat' })
  for (const env of [{}, { PAGER: 'delta --dark' }]) {
    const delta = ptyOf(t, { rig, env }, ['diff', '@last'])
    assert.equal(await delta.ended, 0)
    assert.ok(delta.text().includes('delta was here'))
    // delta gets a plain patch: it numbers the lines itself, and recognizes a patch by its form.
    assert.ok(delta.text().includes('\n one\n-two\n+2'), delta.text())
  }
})

test('less is used if there is no other pager, and prints a text that fits the screen', async t => {
  const rig = makeRig(t)
  putPrograms(rig, { less: 'echo "less $LESS"; cat' })
  await changed(rig)
  const short = ptyOf(t, { rig }, ['diff', '@last'])
  assert.equal(await short.ended, 0)
  // F: print a text that fits the screen and quit; R: show colours; X: do not clear the screen.
  assert.ok(short.text().includes('less FRX\n'), short.text())
  assert.ok(short.text().includes('    2      -two'))
  assert.equal(short.buffer(), 'normal')
})
