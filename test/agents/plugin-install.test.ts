/** The plugin in Claude Code itself: it validates, installs, offers its commands, and uninstalls. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { loopProgram, root } from '../rig/rig.ts'
import { bash, claimUnit, sessionFor } from './plugin.ts'
import { agentTest as test } from './real.ts'

test('claude plugin validate --strict finds no fault', async t => {
  const { rig } = await sessionFor(t, [])
  for (const place of ['plugins', 'plugins/claude-code']) {
    const said = execFileSync('claude', ['plugin', 'validate', join(root, place), '--strict'], {
      env: rig.env,
      encoding: 'utf8',
    })
    assert.match(said, /Validation passed/)
  }
})

test('a session without the plugin is told that nothing holds it', async t => {
  const begin = bash(`${loopProgram} start "mend" --session -p unit="test -f done"`)
  const session = await sessionFor(t, [{ say: 'I start a loop.', tools: [begin] }, { say: 'Done.' }])
  const ended = await session.bare('mend')
  assert.match(session.server.asked[1] ?? '', /but no plugin is installed, so nothing holds/, ended.stdout)
})

test('installed, its commands reach the loop of the session; uninstalled, nothing of it is left', async t => {
  const session = await sessionFor(t, [])
  const { rig, server } = session
  const bare = { PATH: [rig.env['PATH']?.split(delimiter)[0], '/usr/bin', '/bin'].join(delimiter) }
  const lost = await rig.loop(['plugin', 'install', 'claude'], { env: bare })
  assert.match(lost.stdout, /which is not on your PATH. Install it: npm install -g loopd/, lost.stderr)
  rig.env['PATH'] = [dirname(loopProgram), rig.env['PATH']].join(delimiter)
  const installed = await rig.loop(['plugin', 'install', 'claude'])
  assert.doesNotMatch(installed.stdout, /PATH/)
  assert.equal(installed.code, 0, installed.stderr)
  const doctor = async () => {
    const { checks } = JSON.parse((await rig.loop(['doctor', '--json'])).stdout)
    return checks.find((check: { name: string }) => check.name === 'plugin claude')
  }
  const { found, status } = await doctor()
  assert.deepEqual([found, status], ['0.1.0 (user)', 'ok'])

  await rig.loop(['start', 'mend', '--session', '-p', 'unit=test -f done'])
  await rig.loop(['pause', '@last'])
  server.add({ say: 'On it.', tools: [bash('touch done'), claimUnit] }, { say: 'Done.' })
  const continued = await session.bare('/loop:continue -n 20')
  assert.match(server.asked[0] ?? '', /Loop \w{6} goes on in this session: test -f done/, continued.stdout)
  assert.equal(rig.events(rig.loops()[0] ?? '').at(-1)?.kind, 'loop.completed')

  await rig.loop(['start', 'mend more', '--session', '-p', 'unit=test -f more'])
  server.add({ say: 'Cancelled.' })
  const ended = await session.bare('/loop:cancel')
  assert.equal(ended.blocks, 0)
  assert.match(server.asked.at(-1) ?? '', /Loop \w{6} cancelled: cancelled inside a session/, ended.stdout)
  assert.equal(rig.events(rig.loops()[1] ?? '').at(-1)?.kind, 'loop.cancelled')

  const removed = await rig.loop(['plugin', 'uninstall', 'claude'])
  assert.equal(removed.code, 0, removed.stderr)
  const settings = JSON.parse(readFileSync(join(rig.env['HOME'] ?? '', '.claude', 'settings.json'), 'utf8'))
  assert.deepEqual(settings, { enabledPlugins: {}, extraKnownMarketplaces: {} })
  assert.match((await rig.loop(['plugin', 'uninstall', 'claude'])).stdout, /is not in Claude Code \(user\)/)
})

test('the doctor reports a checkout that was moved; installing again repairs it', async t => {
  const { rig } = await sessionFor(t, [])
  rig.env['PATH'] = [dirname(loopProgram), rig.env['PATH']].join(delimiter)
  await rig.loop(['plugin', 'install', 'claude'])
  const home = join(rig.env['HOME'] ?? '', '.claude')
  for (const file of ['settings.json', 'plugins/known_marketplaces.json']) {
    const text = readFileSync(join(home, file), 'utf8')
    writeFileSync(join(home, file), text.replaceAll(join(root, 'plugins'), '/nowhere/plugins'))
  }
  assert.match((await rig.loop(['doctor'])).stdout, /warn +plugin claude +not loaded \(user\)/)
  assert.equal((await rig.loop(['plugin', 'install', 'claude'])).code, 0)
  assert.match((await rig.loop(['doctor'])).stdout, /ok +plugin claude/)
})

test('opencode gets a link to its plugin; a file that is not ours is left alone', async t => {
  const { rig } = await sessionFor(t, [])
  const source = ['loop.js', 'loop.ts'].map(file => join(root, 'plugins', 'opencode', file)).find(existsSync)
  const link = join(rig.env['HOME'] ?? '', '.config', 'opencode', 'plugins', 'loop.js')
  const installed = await rig.loop(['plugin', 'install', 'opencode'])
  if (!source) {
    assert.match(installed.stderr, /has no plugin for opencode/)
    return
  }
  assert.equal(readlinkSync(link), source)
  assert.equal((await rig.loop(['plugin', 'uninstall', 'opencode'])).code, 0)
  assert.ok(!existsSync(link))
  writeFileSync(link, 'export {}')
  assert.match((await rig.loop(['plugin', 'install', 'opencode'])).stderr, /is there and is not loop's/)
  assert.match((await rig.loop(['plugin', 'uninstall', 'opencode'])).stderr, /is not loop's, so it stays/)
  assert.ok(existsSync(link))
})
