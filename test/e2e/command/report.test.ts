/** `loop report`: a night of loops through the real program, in words and as a JSON document. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { reportSchema } from '../../../src/documents/report.ts'
import { dayOf } from '../../../src/model/moment.ts'
import { makeRig, root, startArgs } from '../../rig/rig.ts'

const costing = (usd: number, then: string) => `echo '{"costUsd": ${usd}}' > "$LOOP_USAGE_FILE"; ${then}`

async function aNight(t: TestContext) {
  const rig = makeRig(t)
  const other = join(rig.aside, 'other')
  mkdirSync(other)
  const ids: Record<string, string> = {}
  const run = async (name: string, args: string[], cwd = rig.tree) => {
    await rig.loop(args, { cwd })
    ids[name] = rig.loops().find(id => !Object.values(ids).includes(id)) ?? ''
  }
  await run('done', startArgs(costing(0.25, 'echo x >> work; echo y > more'), 'test "$(wc -l < work)" -ge 2'))
  await run(
    'failed',
    startArgs(costing(1, 'echo x >> work'), 'speed=echo "p95 1300 ms"; false', '-n', '2'),
    other,
  )
  await run('paused', startArgs(costing(3, 'echo x >> work'), 'false', '--budget', '2'))
  await run(
    'asks',
    startArgs(`echo '{"question": "red or blue?"}' > "$LOOP_USAGE_FILE"`, 'false', '--no-input'),
  )
  return { rig, other, ids }
}

test('the report says what waits first, why it failed, what it cost and what changed', async t => {
  const { rig, ids } = await aNight(t)
  const { code, stdout, stderr } = await rig.loop(['report'])
  assert.deepEqual([code, stderr], [0, ''])
  const parts = stdout.split(/\n\n/)
  assert.match(parts[0] ?? '', /^Since (yesterday|today) \d\d:\d\d: 2 waiting for you, 1 failed, 1 done\.$/)
  assert.match(
    parts[1] ?? '',
    new RegExp(
      [
        `^Waiting for you\n {2}${ids['asks']} {2}\\. {2}do the work`,
        ' {10}paused: the agent asks, and nobody is there: red or blue\\?',
        ' {10}false: FAIL \\(exit 1, .*\\)',
        ' {10}waiting for \\d+s · 1 of 10 iterations · .* · cost unknown · no changes · custom',
        ` {10}→ loop answer ${ids['asks']} "your answer".*`,
        ` {2}${ids['paused']} {2}\\. {2}do the work`,
        ' {10}paused: \\$3 of \\$2 spent',
        ' {10}false: FAIL .*',
        ' {10}waiting for .* · \\$3 · \\+1 -0 \\(1 file\\) · custom',
        ` {10}→ loop resume ${ids['paused']} --budget 6$`,
      ].join('\n'),
    ),
  )
  assert.match(
    parts[2] ?? '',
    /^Failed\n {2}\w{6} {2}\S*aside\/other {2}do the work\n {10}failed: 2 iterations used and the promise does not hold\n {10}speed \(.*\): FAIL .*\n {12}│ p95 1300 ms\n.* · \$2 · \+2 -0 \(1 file\) · custom\n {10}→ loop resume \w{6} --max-iterations 12$/,
  )
  assert.match(
    parts[3] ?? '',
    /^Done\n.*\n {10}2 of 10 iterations · .* · \$0\.50 · \+3 -0 \(2 files\) · custom\n {10}→ loop diff \w{6}$/,
  )
  assert.match(
    parts[4] ?? '',
    /^Cost: at least \$5\.50 in 6 runs; some agents did not say all of theirs\n {2}by day +\S+ +at least \$5\.50 +6 runs\n {2}by agent +custom +at least \$5\.50 +6 runs\n {2}by project +\. +at least \$3\.50 +4 runs\n +\S+other +\$2 +2 runs\n$/,
  )
})

test('the JSON document fits its schema, field by field', async t => {
  const { rig, other, ids } = await aNight(t)
  const document = JSON.parse((await rig.loop(['report', '--json'])).stdout)
  const parsed = reportSchema().safeParse(document)
  assert.ok(parsed.success, parsed.error?.message)
  const { waiting, failed, done, cost, waitingLonger } = parsed.data
  assert.deepEqual(
    [waiting, failed, done].map(rows => rows.map(({ id }) => id)),
    [[ids['asks'], ids['paused']], [ids['failed']], [ids['done']]],
  )
  assert.deepEqual(waitingLonger, [])
  assert.deepEqual(
    failed[0]?.unmet.map(({ criterion, output }) => [criterion, output]),
    [['speed', 'p95 1300 ms\n']],
  )
  assert.deepEqual(done[0]?.changes, { added: 3, removed: 0, files: 2, atLeast: false })
  const sum = { costUsd: 5.5, costEstimated: false, costIncomplete: true, runs: 6 }
  assert.deepEqual(cost.total, sum)
  assert.deepEqual(cost.byDay, [{ day: dayOf(Date.now()), ...sum }])
  assert.deepEqual(
    cost.byProject.map(({ cwd, costUsd, costIncomplete }) => [cwd, costUsd, costIncomplete]),
    [
      [rig.tree, 3.5, true],
      [other, 2, false],
    ],
  )
  const page = readFileSync(join(root, 'docs/reference/report.md'), 'utf8')
  for (const field of Object.keys(waiting[0] ?? {})) assert.ok(page.includes(`\`waiting[].${field}`), field)
})

test('events before the given time are in no sum; a loop that waits since then is still listed', async t => {
  const { rig } = await aNight(t)
  const later = await rig.loop(['report', '--since', '2999-01-01'])
  assert.equal(
    later.stdout.split('\n').slice(1).join('\n'),
    '\n2 loops waiting for you since before that: loop list --status paused,waiting\n',
  )
  assert.equal((await rig.loop(['report', '--since', 'yesterday'])).code, 0)
})

test('a report of nothing says so, and an invalid time is refused', async t => {
  const rig = makeRig(t)
  const none = await rig.loop(['report', '--since', 'today'])
  assert.equal(none.stdout, 'Since today 00:00: no loop has run, and none waits for you.\n')
  assert.deepEqual(JSON.parse((await rig.loop(['report', '--json'])).stdout).cost.total, {
    costUsd: null,
    costEstimated: false,
    costIncomplete: false,
    runs: 0,
  })
  const refused = await rig.loop(['report', '--since', 'dawn'])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /^loop: --since is a time like 12h or 7d, .*; not "dawn"\.\n$/)
  assert.equal((await rig.loop(['report', 'abc123'])).code, 4)
})
