/** What `loop doctor` says of a state file that no loop of loop's owns: a session ended by it too early. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig } from '../../rig/rig.ts'

const file = { spec: 'x', criteria: ['unit', 'lint'], steps: [], iteration: 1, status: 'completed' }

async function stateLine(rig: Rig, document: object): Promise<string> {
  mkdirSync(join(rig.tree, '.loop'), { recursive: true })
  rig.write('.loop/state.json', JSON.stringify({ ...file, ...document }))
  const { stdout } = await rig.loop(['doctor'])
  return stdout.split('\n').find(line => line.includes('state file')) ?? ''
}

test('a file that says completed with unmet criteria is not sound', async t => {
  const rig = makeRig(t)
  const isUnmet = /^warn +state file +exit_signal is true, but not claimed as met: lint$/
  assert.match(
    await stateLine(rig, { criteriaStatus: { unit: true, lint: false }, exit_signal: true }),
    isUnmet,
  )
  assert.match(await stateLine(rig, { criteriaStatus: { unit: true }, exit_signal: true }), isUnmet)
  assert.match(
    await stateLine(rig, { criteriaStatus: { unit: true, lint: true }, exit_signal: true }),
    /is sound$/,
  )
})

test('a file whose session gave up on a criterion is not sound, whatever its status', async t => {
  const rig = makeRig(t)
  const given = { criteriaStatus: { unit: true, lint: false }, circuitBreaker: { stuckCount: 5 } }
  assert.match(
    await stateLine(rig, { ...given, status: 'paused' }),
    /^warn +state file +it ended with stuckCount 5; open: lint$/,
  )
  assert.match(
    await stateLine(rig, { ...given, status: 'in_progress' }),
    /^warn +state file +stuckCount is 5: the next stop pauses the loop; open: lint$/,
  )
  assert.match(
    await stateLine(rig, { ...given, status: 'paused', circuitBreaker: { stuckCount: 4 } }),
    /is sound$/,
  )
})

const commands = new URL('../../../plugins/claude-code/commands/', import.meta.url)

test('/loop:start is /loop:go', () => {
  assert.ok(readdirSync(commands).includes('start.md'))
  const text = (name: string) => readFileSync(new URL(name, commands), 'utf8')
  assert.equal(text('start.md'), text('go.md'))
})
