/**
 * Runs that are silent for longer than the default timeouts on their way: 60 s for the start of a server and for a
 * request, 300 s between two pieces of an answer in Node's fetch. They take minutes, so they need LOOP_LONG.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../rig/rig.ts'
import { mendSum, mendTwice, placeFor, agentTest as test } from './real.ts'
import { standIn, startWith } from './stand-in.ts'

const skip = !process.env['LOOP_LONG'] && 'lasts minutes: LOOP_LONG=1'

test('opencode: a model that thinks for 70 s is waited for', { skip }, async t => {
  const { rig, server, args } = await placeFor(t, 'opencode', edit => [
    { tools: [edit(...mendSum)], after: delay(70_000) },
    { tools: [edit(...mendTwice)] },
    { say: 'Done.' },
  ])
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(JSON.parse(ended.stdout).iteration, 1)
  assert.equal(server.turnsLeft(), 0)
})

test('opencode: a server that sends nothing for more than 300 s is not given up', { skip }, async t => {
  const rig = standIn(t, { opencode: `exec node '${join(root, 'test/agents/silent-opencode.mjs')}'` })
  const env = { STREAM: 'quiet', QUIET_MS: '310000' }
  const ended = await rig.loop(startWith('opencode', '--timeout', '10m'), { env })
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(JSON.parse(ended.stdout).iteration, 1)
})
