/** Real agent programs in the sandbox of loop: each signs in, edits the tree and reports its cost from inside. */
import assert from 'node:assert/strict'
import { without } from '../rig/needs.ts'
import { readOr } from '../rig/rig.ts'
import { mendSum, mendTwice, placeFor, realAgents, agentTest as test } from './real.ts'

const skip = without('bwrap')
const usage = { input: 1_000, output: 50, cached: 200 }

for (const agent of realAgents) {
  test(`${agent}: a whole loop in the sandbox`, { skip }, async t => {
    const { rig, server, args } = await placeFor(t, agent, edit => [
      { say: 'I will change both.', tools: [edit(...mendSum)], usage },
      { say: 'And the other.', tools: [edit(...mendTwice)], usage },
      { say: 'That should be all.', usage },
    ])
    const ended = await rig.loop([...args, '--sandbox', 'required'])
    const id = rig.loops()[0] ?? ''
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/err`)}`)
    const { status, iteration, sandbox, costUsd } = JSON.parse(ended.stdout)
    assert.deepEqual([status, iteration, sandbox.level], ['completed', 1, 'files'])
    assert.ok(costUsd > 0)
    assert.equal(server.turnsLeft(), 0)
  })
}
