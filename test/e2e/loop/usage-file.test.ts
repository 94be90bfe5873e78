/** `$LOOP_USAGE_FILE`: an unusable part is reported with the reason, and never counts as a cost or as no report. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

/** The command of an agent on its usage file, the cost known after it, and the message about the rest. */
const rows: [string, number | null, RegExp | null][] = [
  [`printf '{"costUsd": 0.5' > "$U"`, null, /^its usage file is not JSON \(.+\)$/],
  [`printf '[1]' > "$U"`, null, /^its usage file holds no JSON object$/],
  [`mkdir "$U"`, null, /^its usage file is not a file$/],
  [`head -c 70000 /dev/zero > "$U"`, null, /^its usage file is larger than 64 kB$/],
  [`printf '{"costUsd": "3"}' > "$U"`, null, /^in its usage file costUsd is no amount of dollars: "3"$/],
  [
    `printf '{"costUsd": 1, "edits": {"a": "x"}}' > "$U"`,
    1,
    /^in its usage file edits is no count for each file: "x"$/,
  ],
  [`printf '{"costUsd": 1, "question": 7}' > "$U"`, 1, /^in its usage file question is no text: 7$/],
  [`printf '{"costUsd": 1, "edits": {"a": 2}, "question": null}' > "$U"`, 1, null],
  [
    `printf '{"costUsd": 1, "tokens": 7}' > "$U"`,
    1,
    /^in its usage file tokens is no \{"input": …, "output": …\}: 7$/,
  ],
  [
    `printf '{"costUsd": 1, "limitedUntil": "soon"}' > "$U"`,
    1,
    /^in its usage file limitedUntil is no time, nor true: "soon"$/,
  ],
  [`: > "$U"`, null, null],
  ['true', null, null],
]

test('an unusable usage report is named while the loop runs, at its end, and in status', async t => {
  const rig = makeRig(t)
  for (const [script, costUsd, words] of rows) {
    const agent = `U=$LOOP_USAGE_FILE; ${script}; echo x >> work`
    const { stdout, stderr } = await rig.loop(startArgs(agent, 'false', '-n', '1'))
    const [, live] = /^ {2}usage: (.+)$/m.exec(stderr) ?? []
    const [, cost = ''] = /^ {2}cost {8}(.+)$/m.exec(stdout) ?? []
    const [, status = ''] = /^ {2}cost {8}(.+)$/m.exec((await rig.loop(['status', '@last'])).stdout) ?? []
    if (words === null) {
      assert.equal(live, undefined, script)
      assert.equal(cost, costUsd === null ? 'unknown (the agent reports none)' : '$1', script)
      continue
    }
    assert.match(live ?? '', words, script)
    assert.equal(cost, costUsd === null ? `unknown (${live})` : `$1 (last run: ${live})`, script)
    assert.equal(status, `${costUsd === null ? 'unknown' : '$1'} of $25 (last run: ${live})`, script)
  }
})

test('tokens are counted, and cost what --price says', async t => {
  const rig = makeRig(t)
  const agent = `echo x > work; printf '{"tokens": {"input": 1000, "output": 100}}' > "$LOOP_USAGE_FILE"`
  const ended = await rig.loop(startArgs(agent, 'test -e work', '--price', '1000/10000', '--json'))
  assert.equal(ended.code, 0, ended.stderr)
  const [row] = JSON.parse((await rig.loop(['history', '@last', '--json'])).stdout).iterations
  assert.deepEqual(row.tokens, { input: 1_000, output: 100, cached: 0 })
  assert.deepEqual([row.costUsd, row.estimated], [2, true])
})

test('a limit that an agent reports is waited for, until its time; no iteration is spent', async t => {
  const rig = makeRig(t)
  const written = `printf '{"limitedUntil": %s}' "$(($(date +%s) * 1000 + 3000))" > "$LOOP_USAGE_FILE"`
  const agent = `if [ -e "$ASIDE/met" ]; then touch work; else touch "$ASIDE/met"; ${written}; fi`
  const ended = await rig.loop(startArgs(agent, 'test -e work', '--json'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(JSON.parse(ended.stdout).iteration, 1)
  const events = rig.events(rig.loops()[0] ?? '')
  const met = events.find(event => event.kind === 'run.ended')
  const wait = events.find(event => event.kind === 'wait.started')
  assert.equal(met?.data.limit?.why, 'so says its usage file')
  assert.deepEqual(wait?.data, { for: 'usage-limit', until: met?.data.limit?.until })
})

test('a limit without a time is waited for like any other', async t => {
  const rig = makeRig(t)
  const agent = `if [ -e "$ASIDE/met" ]; then touch work; else touch "$ASIDE/met"; printf '{"limitedUntil": true}' > "$LOOP_USAGE_FILE"; fi`
  const ended = await rig.loop(startArgs(agent, 'test -e work', '--limit-backoff', '10ms', '--json'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(JSON.parse(ended.stdout).iteration, 1)
})
