/** Real agent programs in the sandbox of loop: each signs in, edits the tree and reports its cost from inside. */
import assert from 'node:assert/strict'
import { without } from '../rig/needs.ts'
import { readOr, until } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import {
  type Edit,
  mendSum,
  mendTwice,
  type Place,
  placeFor,
  type RealAgent,
  realAgents,
  agentTest as test,
} from './real.ts'

const skip = without('bwrap')
const usage = { input: 1_000, output: 50, cached: 200 }

/** Where the address of the model is in a file of the agent, it has to be listed. */
const byFile: RealAgent[] = ['opencode', 'codex', 'cline']

const turns = (edit: Edit): Turn[] => [
  { say: 'I will change both.', tools: [edit(...mendSum)], usage },
  { say: 'And the other.', tools: [edit(...mendTwice)], usage },
  { say: 'That should be all.', usage },
]

async function wholeLoop({ rig, server, args }: Place, more: string[]) {
  const ended = await rig.loop([...args, '--sandbox', 'required', ...more])
  const id = rig.loops()[0] ?? ''
  assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/err`)}`)
  const { status, iteration, sandbox, costUsd } = JSON.parse(ended.stdout)
  assert.deepEqual([status, iteration, sandbox.level], ['completed', 1, 'files'])
  assert.ok(costUsd > 0)
  assert.equal(server.turnsLeft(), 0)
  return sandbox
}

for (const agent of realAgents) {
  // The next test does the same with less network.
  const isSame = agent !== 'claude' && !process.env['LOOP_LONG'] && 'only with LOOP_LONG=1'
  test(`${agent}: a whole loop in the sandbox`, { skip: skip || isSame }, async t => {
    await wholeLoop(await placeFor(t, agent, turns), [])
  })

  // At an address for which programs ask a proxy: without one nothing of it is reached.
  test(`${agent}: a whole loop in a sandbox that reaches its model only`, { skip }, async t => {
    const place = await placeFor(t, agent, { turns, host: '127.0.0.2' })
    const { host } = new URL(place.server.url)
    const list = byFile.includes(agent) ? host : 'none'
    const { network, refused } = await wholeLoop(place, ['--sandbox-network', list])
    assert.deepEqual(network, list === 'none' ? [] : [host])
    assert.ok(!(host in refused), JSON.stringify(refused))
  })

  // The slowest programs to start are left to LOOP_LONG: they ask for the same tunnel.
  const isSlow = ['opencode', 'cline'].includes(agent) && !process.env['LOOP_LONG'] && 'only with LOOP_LONG=1'
  test(`${agent}: over https it asks for a tunnel, and begins TLS at its end`, {
    skip: skip || isSlow,
  }, async t => {
    const { rig, server, args } = await placeFor(t, agent, { turns, host: '127.0.0.2', isSecure: true })
    const network = ['--sandbox-network', new URL(server.url).host]
    const running = rig.spawn([...args, '--no-baseline', '--sandbox', 'required', ...network])
    await until('TLS at the server', () => server.hellos() > 0)
    await rig.loop(['cancel', rig.loops()[0] ?? ''])
    await running.ended
  })
}
