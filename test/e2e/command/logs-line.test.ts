/**
 * `loop logs --line`: one line of an output by its number, with the lines around it; for the agent and for the promise.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

const secret = 'k9-very-secret-value-77'

test('a line by its number is the line that logs prints, with its neighbours, safe and without secrets', async t => {
  const rig = makeRig(t)
  const agent = `seq -f 'line %g' 5000; printf '\\033]0;title\\007token ${secret}\\n'; seq -f 'end %g' 20`
  const env = { API_TOKEN: secret }
  await rig.loop(startArgs(agent, 'seq 30; false', '-n', '1', '--no-baseline', '--plain'), { env })
  const all = (await rig.loop(['logs', '@last'], { env })).stdout.split('\n')
  const one = await rig.loop(['logs', '@last', '--line', '4321'], { env })
  assert.equal(one.code, 0, one.stderr)
  const rows = one.stdout.trimEnd().split('\n')
  assert.equal(rows.length, 21)
  assert.equal(rows[10], '> 4321  line 4321')
  assert.equal(rows[0], '  4311  line 4311')
  assert.equal(all[4_320], 'line 4321')
  const range = await rig.loop(['logs', '@last', '--line', '5001..5003'], { env })
  assert.equal(range.stdout, `${all.slice(5_000, 5_003).join('\n')}\n`)
  assert.doesNotMatch(range.stdout, /very-secret|title/)
  assert.equal(range.stdout.includes('\u001B'), false)
  const json = await rig.loop(['logs', '@last', '--line', '2..3', '--json'], { env })
  assert.deepEqual(
    json.stdout
      .trim()
      .split('\n')
      .map(row => JSON.parse(row)),
    [
      { line: 2, text: 'line 2' },
      { line: 3, text: 'line 3' },
    ],
  )
  const promise = await rig.loop(['logs', '@last', '--promise', '--line', '3..4'], { env })
  assert.equal(promise.stdout, '2\n3\n')
})

test('a line that does not exist, or is no number, is refused', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo one', 'false', '-n', '1', '--no-baseline', '--plain'))
  const beyond = await rig.loop(['logs', '@last', '--line', '9'])
  assert.equal(beyond.code, 4)
  assert.match(beyond.stderr, /There is no line 9: the output has 1 line\./)
  for (const typed of ['0', 'x', '5..2', '-1', '1..']) {
    const wrong = await rig.loop(['logs', '@last', `--line=${typed}`])
    assert.equal(wrong.code, 4, typed)
    assert.match(wrong.stderr, /--line is the number of a line, like 120, or two, like 120\.\.160/)
  }
  const both = await rig.loop(['logs', '@last', '--line', '1', '-f'])
  assert.match(both.stderr, /--line and --follow do not go together\./)
})
