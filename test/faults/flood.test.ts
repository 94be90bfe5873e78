/** An agent that prints without end: loop's memory does not grow with the output, and too much output is stopped. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeRig, readOr, startArgs } from '../rig/rig.ts'

const gigabyte = 1_000_000_000
const mostMb = 150

test('a gigabyte of output leaves the memory of loop below 150 MB', async t => {
  const rig = makeRig(t)
  const agent = `head -c ${gigabyte} /dev/zero`
  const running = rig.spawn(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--plain'))
  let peakMb = 0
  while (running.child.exitCode === null) {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readOr(`/proc/${running.pid}/status`))?.[1]
    peakMb = Math.max(peakMb, Number(peak ?? 0) / 1_000)
    await delay(20)
  }
  assert.equal((await running.ended).code, 1)
  const [id = ''] = rig.loops()
  const end = rig.events(id).find(event => event.kind === 'run.ended')
  assert.equal(end?.data.out.bytes, gigabyte)
  assert.equal(statSync(join(rig.dir(id), end?.data.out.path ?? '')).size, gigabyte)
  assert.ok(peakMb > 20 && peakMb <= mostMb, `${peakMb} MB`)
})

test('an agent that prints more than --max-output is stopped, and that is an agent error', async t => {
  const rig = makeRig(t)
  const args = startArgs('yes', 'false', '--no-baseline', '-n', '1', '--max-output', '1MB', '--plain')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  const end = rig.events(id).find(event => event.kind === 'run.ended')
  assert.equal(end?.data.how, 'flooded')
  assert.match(
    ended.stderr,
    /agent was stopped: it printed more than allowed \(\d+(\.\d+)? [MG]B of output\)/,
  )
})
