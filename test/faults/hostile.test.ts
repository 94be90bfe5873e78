/** Agents that break what they can reach: nothing runs twice, nothing is left, nothing is called done. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Rig } from '../rig.ts'
import { makeRig, readOr, startArgs } from '../rig.ts'

function kinds(rig: Rig): string[] {
  const [id = ''] = rig.loops()
  return rig.events(id).map(event => event.kind)
}

function alive(rig: Rig): string[] {
  const [id = ''] = rig.loops()
  return readdirSync('/proc').filter(name => readOr(`/proc/${name}/environ`).includes(`LOOP_RUN=${id}/`))
}

for (const contain of ['namespace', 'group']) {
  test(`an agent that removes the files of its run is lost, not run again (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = 'echo x >> "$ASIDE/ledger"; rm -f "${LOOP_PROMPT_FILE%/*}/claim"; exec sleep 600'
    const ended = await rig.loop(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--plain'))
    assert.equal(ended.code, 1, ended.stderr)
    assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
    assert.ok(kinds(rig).includes('run.lost'))
    assert.match(ended.stderr, /agent lost: the files of the run were removed/)
    assert.deepEqual(alive(rig), [])
  })

  test(`an agent that kills its own shim is lost, and its promise is still run (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = 'echo x >> "$ASIDE/ledger"; touch done; kill -9 $PPID; sleep 0.3; exit 0'
    const ended = await rig.loop(startArgs(agent, 'test -e done', '--plain'))
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
    // Inside a namespace process 1 can not be killed from within; outside of one the run is lost.
    assert.equal(kinds(rig).includes('run.lost'), contain === 'group')
    assert.deepEqual(alive(rig), [])
  })
}

test('an agent that removes the work tree pauses the loop with the reason', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('rm -rf "$PWD"', 'false', '--plain'))
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /paused: .*gone/)
  assert.equal(existsSync(rig.tree), false)
})

test('text of an agent that claims completion changes nothing', async t => {
  const rig = makeRig(t)
  const claim = "printf '<loop-complete>\\n---LOOP_STATUS---\\nEXIT_SIGNAL: true\\n---END_STATUS---\\n'"
  const state = `mkdir -p .loop; echo '{"exit_signal":true,"status":"completed"}' > .loop/state.json`
  const ended = await rig.loop(startArgs(`${claim}; ${state}`, 'false', '-n', '2', '--json'))
  assert.equal(ended.code, 1)
  assert.equal(JSON.parse(ended.stdout).status, 'failed')
})

test('usage that is not a cost is unknown, never a number', async t => {
  for (const usage of [
    '{"costUsd": -5}',
    '{"costUsd": "3"}',
    'NaN',
    '{',
    '[]',
    'null',
    '{"costUsd": 1e999}',
  ]) {
    const rig = makeRig(t)
    const agent = `printf '%s' '${usage}' > "$LOOP_USAGE_FILE"`
    const ended = await rig.loop(startArgs(agent, 'false', '-n', '1', '--json'))
    assert.equal(JSON.parse(ended.stdout).costUsd, null, usage)
  }
})
