/** `--notify`: a loop in the foreground sends notices too, by the same channels as loopd. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs } from '../../rig/rig.ts'

const fast = ['--checkpoint', 'none', '--no-baseline']

async function teller(rig: Rig): Promise<() => string> {
  const program = join(rig.aside, 'tell.sh')
  writeFileSync(program, '#!/bin/sh\necho "$LOOP_LEVEL|$1|$LOOP_NOTICE" >> "$ASIDE/told"\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', program])
  return () => readOr(join(rig.aside, 'told'))
}

test('the notice of the end is sent before the program exits; without the flag there is none', async t => {
  const rig = makeRig(t)
  const told = await teller(rig)
  assert.equal((await rig.loop(startArgs('echo x > work', 'test -s work', ...fast))).code, 0)
  assert.equal(told(), '')
  const ended = await rig.loop(startArgs('echo x > work', 'test -s work', ...fast, '--notify'))
  assert.equal(ended.code, 0, ended.stderr)
  const id = rig.loops().at(-1) ?? ''
  assert.equal(told(), `info|loop ${id} completed|${id}:${rig.events(id).at(-1)?.seq}\n`)
})

test('the flag is recorded with the loop: a resumed loop sends notices too', async t => {
  const rig = makeRig(t)
  const told = await teller(rig)
  const failed = await rig.loop(startArgs('echo x >> work', 'false', ...fast, '--notify', '-n', '1'))
  assert.equal(failed.code, 1)
  const id = rig.loops().at(-1) ?? ''
  assert.equal((await rig.loop(['resume', id, '-n', '2'])).code, 1)
  const lines = told().trim().split('\n')
  assert.equal(lines.length, 2)
  for (const line of lines) assert.match(line, new RegExp(`^error\\|loop ${id} failed\\|${id}:\\d+$`))
})

test('the flag can be the default; a channel that does not work is named and changes nothing else', async t => {
  const rig = makeRig(t)
  await rig.loop(['config', 'set', 'notify', 'true'])
  await rig.loop(['config', 'set', 'notification_cmd', '/nowhere/notify'])
  const ended = await rig.loop(startArgs('echo x > work', 'test -s work', ...fast))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /^loop: nobody could be notified by command: \/nowhere\/notify: .*ENOENT/m)
})
