/** A store from before the first release: every command names it, and none touches it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { test } from 'node:test'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { makeRig, startArgs } from '../../rig/rig.ts'
import { writeUnreleased } from '../../rig/unreleased-store.ts'

const agent = 'echo working; echo x >> work'
const promise = 'test "$(wc -l < work)" -ge 2'

test('a store from before the first release is named with the way to move it; nothing in it is touched', async t => {
  const rig = makeRig(t)
  const { data, database } = rig.paths
  writeUnreleased(database)
  const before = readFileSync(database)
  const said = `${database} was written by a loop from before the first release`
  for (const args of [['status'], ['list'], startArgs(agent, promise), ['gc'], ['doctor', '--restore']]) {
    const { code, stderr } = await rig.loop(args)
    assert.ok(stderr.includes(said), `${args.join(' ')}: ${stderr}`)
    assert.ok(stderr.includes(`mv ${data} ${data}-unreleased`), stderr)
    assert.notEqual(code, 0, args.join(' '))
  }
  const { checks } = JSON.parse((await rig.loop(['doctor', '--json'])).stdout) as { checks: Check[] }
  const found = checks.find(({ name }) => name === 'store')
  assert.equal(found?.status, 'fail')
  assert.ok(found.found.startsWith(said))
  assert.deepEqual(readFileSync(database), before)
  assert.deepEqual(
    readdirSync(data).filter(name => name.startsWith('loop.db')),
    ['loop.db'],
  )
  renameSync(data, `${data}-unreleased`)
  assert.equal((await rig.loop(startArgs(agent, promise))).code, 0, 'and loop begins anew')
})
