/** An agent that prints without end: loop's memory does not grow with the output, and too much output is stopped. */
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
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
    /agent was stopped: it printed more than allowed \(--max-output; 1\.0 MB of output kept\)/,
  )
  const status = (await rig.loop(['status', id])).stdout
  assert.match(status, /the agent failed: printed more than 1\.0 MB \(--max-output\)/)
  assert.match(status, /next .*loop resume \w+ .*--max-output 3MB/)
})

const most = 1_000_000

/** `yes` until it is stopped; one that ignores TERM; one that ends by itself before anybody looks. */
const floods = [
  ['an endless one', 'echo first; exec yes'],
  ['one that ignores TERM', 'trap "" TERM; echo first; yes'],
  ['a fast one that ends by itself', 'echo first; yes | head -c 50000000'],
] as const

for (const [name, agent] of floods) {
  test(`--max-output holds: ${name} leaves no more than the limit, its beginning and its end`, async t => {
    const rig = makeRig(t)
    await rig.loop(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--max-output', '1MB', '--plain'))
    const [id = ''] = rig.loops()
    const end = rig.events(id).find(event => event.kind === 'run.ended')
    assert.equal(end?.data.how, 'flooded')
    const text = readOr(join(rig.dir(id), end?.data.out.path ?? ''))
    assert.ok(text.length <= most && text.length > most / 2, String(text.length))
    assert.equal(end?.data.out.bytes, text.length)
    assert.ok(text.startsWith('first\ny\n'))
    assert.match(
      text,
      /\n\[loop: about \d.* are cut out here: more than 1\.0 MB was printed \(--max-output\)\]\n/,
    )
  })
}

test('the output of a promise is cut at the limit too', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'yes', '--no-baseline', '-n', '1', '--max-output', '1MB', '--plain'))
  const [id = ''] = rig.loops()
  const verify = join(rig.dir(id), 'verify')
  const sizes = readdirSync(verify).map(name => statSync(join(verify, name, 'out')).size)
  assert.ok(sizes.length > 0 && sizes.every(size => size <= most), sizes.join())
})
