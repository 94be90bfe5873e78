/**
 * Output that cannot be written: a full disk is reported and is no success; a reader that left is neither reported nor
 * a failure.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

const toFull = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
const lost =
  'Standard output cannot be written (no space left on device): what was printed is lost. Nothing recorded is.'
const facts = { kind: 'output-lost', why: 'no space left on device' }
const lostError = { reason: 'system', message: lost, facts }

test('output that cannot be written is an error with an exit code', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo word; echo x >> work', 'test -s work', '--no-baseline'))
  const rows = [
    'status',
    'list',
    'status @last',
    'history @last',
    'history @last -v',
    'diff @last',
    'logs @last',
  ]
  rows.push('config list', 'config get agent', 'doctor', 'completion bash', '--help', 'start --help')
  for (const row of rows) {
    const { code, stderr } = await rig.loop(row.split(' '), { wrap: toFull })
    assert.deepEqual([code, stderr], [3, `loop: ${lost}\n`], row)
  }
  for (const row of ['status --json', 'history @last --json', 'logs @last --json', 'list --json']) {
    const { code, stderr } = await rig.loop(row.split(' '), { wrap: toFull })
    assert.equal(code, 3, row)
    assert.deepEqual(JSON.parse(stderr), { error: lostError }, row)
  }
  const loopd = await rig.loopd(['--help'], { wrap: toFull })
  assert.deepEqual([loopd.code, loopd.stderr], [3, `loopd: ${lost}\n`])
  const exported = await rig.loop(['export', '@last', '-o', '-'], { wrap: toFull })
  assert.deepEqual([exported.code, exported.stderr], [3, `loop: ${lost}\n`])
})

test('a loop goes on and ends as it would, and then says that its receipt is lost', async t => {
  const rig = makeRig(t)
  const start = startArgs('echo x >> work', 'test -s work', '--no-baseline', '--json')
  const { code, stderr } = await rig.loop(start, { wrap: toFull })
  assert.deepEqual([code, JSON.parse(stderr.trim().split('\n').at(-1) ?? '')], [3, { error: lostError }])
  assert.ok(existsSync(join(rig.tree, 'work')))
  const failed = await rig.loop(startArgs('true', 'false', '-n', '1'), { wrap: toFull })
  assert.equal(failed.code, 1, 'what became of the loop counts more')
  assert.match(failed.stderr, /Standard output cannot be written/)
})

test('a reader that has seen enough ends the command without a word', async t => {
  const rig = makeRig(t)
  const agent = 'seq 1 400000; echo x >> work'
  const running = await rig.loop(startArgs(agent, 'test -s work', '--no-baseline'))
  assert.equal(running.code, 0)
  // The pipe holds 64 kB: the rest is written when the reader is gone.
  const head = ['bash', '-c', 'set -o pipefail; "$@" | head -1', 'bash']
  for (const row of ['logs @last', 'logs @last --json', 'history @last -v', 'completion bash', 'status']) {
    const { code, stdout, stderr } = await rig.loop(row.split(' '), { wrap: head })
    assert.deepEqual([code, stdout.split('\n').length, stderr], [0, 2, ''], row)
  }
})

test('logs -f ends when its reader goes away, not at the end of the loop', async t => {
  const rig = makeRig(t)
  const agent = 'echo begun; until [ -f "$ASIDE/go" ]; do echo more; sleep 0.02; done; echo x >> work'
  const running = rig.spawn(startArgs(agent, 'test -s work', '--no-baseline'))
  const follow = ['bash', '-c', 'until "$@" 2>/dev/null | grep -q begun; do sleep 0.05; done', 'bash']
  const { code } = await rig.loop(['logs', '@last', '-f'], { wrap: follow })
  assert.equal(code, 0)
  assert.ok(!existsSync(join(rig.tree, 'work')), 'the agent is still at work')
  await rig.loop(['cancel', '@last'])
  await running.ended
})
