/**
 * Claude Code driven by `loop start`, on a machine where loop's plugin is installed: its hooks leave loop's own
 * sessions alone, and the agent cannot switch off the hooks of its user.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hook } from '../rig/hook.ts'
import { readOr } from '../rig/rig.ts'
import { bash, hooksOff, put, sessionFor } from './plugin.ts'
import { mendSum, mendTwice, agentTest as test } from './real.ts'

const sed = (from: string, to: string) => bash(`sed -i 's/${from}/${to}/' sum.mjs`)

test('hooks of the user run in every session of a loop, whatever the agent writes into its settings', async t => {
  const { rig, args, server } = await sessionFor(t, [
    { say: 'Hooks off.', tools: [hooksOff, sed(...mendSum)] },
    { say: 'The sum is mended.' },
    { say: 'Then twice.', tools: [sed(...mendTwice)] },
    { say: 'All of it.' },
  ])
  const installed = await rig.loop(['plugin', 'install', 'claude'])
  assert.equal(installed.code, 0, installed.stderr)
  // A hook of the user, and a file in the tree that would hold any other session.
  const settings = join(rig.env['HOME'] ?? '', '.claude', 'settings.json')
  const command = { type: 'command', command: 'echo stopped >> "$ASIDE/stops"' }
  const own = { hooks: { Stop: [{ hooks: [command] }] } }
  put(settings, JSON.stringify({ ...JSON.parse(readOr(settings)), ...own }))
  mkdirSync(join(rig.tree, '.loop'))
  put(join(rig.tree, '.loop', 'workflow-state.json'), '{"stage":"executing","task":"another"}')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
  assert.match(readOr(join(rig.tree, '.claude', 'settings.local.json')), /disableAllHooks/)
  assert.equal(readOr(join(rig.aside, 'stops')), 'stopped\nstopped\n', 'one for each iteration')
  assert.equal(server.asked.length, 4, 'no turn more than the agent wanted')
  assert.equal(hook(rig).said?.['decision'], 'block', 'a session that is not of a loop is held here')
})
