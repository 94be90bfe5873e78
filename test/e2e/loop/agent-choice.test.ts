/**
 * The agent that a start takes if none is named; and opencode without a provider: code goes to its hosted model only
 * after a person has agreed, at a terminal or with --yes.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { putPrograms } from '../../agents/stand-in.ts'
import { makeRig, type Rig, until } from '../../rig/rig.ts'
import { type Screen, terminal, terminalTest } from '../../rig/screen.ts'

/** The promise holds from the beginning, so no agent runs. */
const args = ['start', 'x', '-p', 'true', '--plain', '--state', 'keep']

/** A home in which no agent is set up, and programs that are never run. */
function emptyHome(t: TestContext, programs: string[]): Rig {
  const rig = makeRig(t)
  putPrograms(rig, Object.fromEntries(programs.map(name => [name, 'exit 9'])))
  delete rig.env['OPENCODE_CONFIG_CONTENT']
  return rig
}

const flat = (screen: Screen) => screen.text().replaceAll('\n', '')

test('the only agent that is installed and signed in is taken, and the start says why', async t => {
  const rig = emptyHome(t, ['claude', 'opencode', 'codex'])
  rig.env['ANTHROPIC_AUTH_TOKEN'] = 'a token'
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(
    ended.stderr,
    /\n {2}agent {7}claude: .*\/claude\n {14}the only one that is installed and signed in; another one: --agent <name>\n/,
  )
})

test('opencode without a provider, no terminal: refused with the ways out; --yes agrees to this start', async t => {
  const rig = emptyHome(t, ['opencode'])
  for (const more of [[], ['-b']]) {
    const refused = await rig.loop([...args, ...more])
    assert.equal(refused.code, 4, refused.stdout)
    assert.match(refused.stderr, /would send your code to a model that its makers host .*opencode auth login/)
  }
  assert.deepEqual(rig.loops(), [])
  assert.equal((await rig.loop([...args, '--yes'])).code, 0)
  assert.equal((await rig.loop(args)).code, 4, 'nobody has been asked yet')
})

terminalTest('opencode without a provider, at a terminal: asked once, and remembered', async t => {
  const rig = emptyHome(t, ['opencode'])
  const question = 'Go on? You are asked only once. [y/N]'
  const first = terminal(rig, args)
  await until('the question', () => flat(first).includes(question))
  first.type('n', 'Enter')
  await until('the end', () => first.text().includes('ended with 4'))
  assert.deepEqual(rig.loops(), [])
  const second = terminal(rig, args)
  await until('the question', () => flat(second).includes(question))
  second.type('y', 'Enter')
  await until('the end', () => second.text().includes('ended with 0'))
  assert.equal((await rig.loop(args)).code, 0)
})
