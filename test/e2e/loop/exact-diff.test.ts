/**
 * A patch that loop prints into a pipe, a file, an archive or an answer is exact: `git apply` makes the same tree from
 * it.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../../../src/server/api/client.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { loopProgram, makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const files: [string, Buffer, Buffer][] = [
  ['crlf.txt', Buffer.from('one\r\ntwo\r\n'), Buffer.from('one\r\nTWO\r\nthree\r\n')],
  ['page.txt', Buffer.from('a\n\fb\bc\n'), Buffer.from('a\n\f\u001B[31mB\bC\n')],
  ['latin1.txt', Buffer.from('caf\xe9\n', 'latin1'), Buffer.from('caf\xe9 cr\xe8me \xff\n', 'latin1')],
  ['image.bin', Buffer.from([0, 1, 2, 255, 0]), Buffer.from([0, 254, 10, 13, 0, 9])],
  ['emoji.txt', Buffer.from('🙂\n'), Buffer.from('🙃\u202E\n')],
]

/** A loop of one iteration that changes every file; and the tree as it was before. */
async function changed(rig: Rig): Promise<{ id: string; before: string }> {
  const [before, after] = [join(rig.aside, 'before'), join(rig.aside, 'after')]
  mkdirSync(after)
  for (const [name, old, now] of files) {
    writeFileSync(join(rig.tree, name), old)
    writeFileSync(join(after, name), now)
  }
  cpSync(rig.tree, before, { recursive: true })
  await rig.loop(startArgs('cp "$ASIDE"/after/* .', 'true', '--no-baseline', '-n', '1'))
  const [id = ''] = rig.loops()
  return { id, before }
}

function printed(rig: Rig, args: string[]): Buffer {
  return execFileSync(loopProgram, args, { env: rig.env, cwd: rig.tree })
}

function applied(before: string, patch: Buffer): void {
  execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd: before, input: patch })
  for (const [name, , now] of files) assert.deepEqual(readFileSync(join(before, name)), now, name)
}

test('loop diff and history --diff into a pipe are what git apply needs, byte for byte', async t => {
  const rig = makeRig(t)
  const { id, before } = await changed(rig)
  const patch = printed(rig, ['diff', id])
  assert.deepEqual(printed(rig, ['history', id, '--diff', '1']), patch)
  applied(before, patch)
})

test('loop diff --json has the exact bytes too, also if they are no text', async t => {
  const rig = makeRig(t)
  const { id, before } = await changed(rig)
  const { patch, patchBase64 } = JSON.parse(printed(rig, ['diff', id, '--json']).toString())
  assert.match(patch, /\+TWO\r\n/)
  applied(before, Buffer.from(patchBase64, 'base64'))
})

test('the patches of an export apply', async t => {
  const rig = makeRig(t)
  const { id, before } = await changed(rig)
  printed(rig, ['export', id, '-o', join(rig.aside, 'x.tar.gz')])
  execFileSync('tar', ['xzf', join(rig.aside, 'x.tar.gz'), '-C', rig.aside])
  const diffs = join(rig.aside, `loop-${id}`, 'diffs')
  assert.deepEqual(readdirSync(diffs), ['iter-001.patch'])
  applied(before, readFileSync(join(diffs, 'iter-001.patch')))
})

test('loopd answers with the exact bytes too', async t => {
  const rig = makeDaemonRig(t)
  const { id, before } = await changed(rig)
  await rig.startDaemon()
  const query = { from: 'initial', to: 'iter-001-after' }
  const answer = await call(rig.env['LOOPD_SOCKET'] ?? '', 'diff', { params: { id }, query })
  assert.ok(answer.ok)
  assert.match(answer.value.patch, /\+TWO\r\n/)
  applied(before, Buffer.from(answer.value.patchBase64 ?? '', 'base64'))
})

test('logs --raw into a pipe is exactly what the agent printed', async t => {
  const rig = makeRig(t)
  const said = Buffer.concat(files.map(([, , now]) => now))
  writeFileSync(join(rig.aside, 'said'), said)
  await rig.loop(startArgs('cat "$ASIDE/said"', 'true', '--no-baseline', '-n', '1'))
  assert.deepEqual(printed(rig, ['logs', '@last', '--raw']), said)
  const filtered = printed(rig, ['logs', '@last'])
  for (const control of ['\r', '\f', '\b']) assert.ok(!filtered.includes(control))
})
