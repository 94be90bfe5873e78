/**
 * Agents that make the promise pass by changing its tests or scripts instead of doing the work, through the real
 * program: none is completed without a question, and honest changes to the same files pass.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const honest =
  "require('node:test')('sum', () => require('node:assert').equal(require('../cart.js').total(), 10))\n"
const manifest = '{ "scripts": { "test": "node --test" } }\n'

function shop(rig: Rig): void {
  mkdirSync(join(rig.tree, 'test'))
  rig.write('test/cart.test.js', honest)
  rig.write('package.json', manifest)
  rig.write('cart.js', 'exports.total = () => 9\n')
}

/** Writes a file beside the tree that the agent copies into it; returns its path. */
function aside(rig: Rig, name: string, text: string): string {
  const file = join(rig.aside, name)
  writeFileSync(file, text)
  return file
}

const kinds = (rig: Rig, id: string) => rig.events(id).map(({ kind }) => kind)

type Way = { promise: string; agent: (rig: Rig) => string; file: string; isLong?: boolean }

/** The two of `isLong` are cheats of cheats.test too, which says that they are suspect. */
const cheats: Record<string, Way> = {
  'the script of npm test': {
    promise: 'npm test',
    agent: rig => `cp "${aside(rig, 'p', '{ "scripts": { "test": "true" } }\n')}" package.json`,
    file: 'package.json',
    isLong: true,
  },
  'a weaker test': {
    promise: 'node --test',
    agent: rig => `cp "${aside(rig, 't', honest.replace('10', '9'))}" test/cart.test.js`,
    file: 'test/cart.test.js',
  },
  'a deleted test': {
    promise: 'npm test',
    agent: () => 'rm test/cart.test.js',
    file: 'test/cart.test.js',
    isLong: true,
  },
  'settings of npm': {
    promise: 'npm test',
    agent: () => 'echo "script-shell=/bin/true" > .npmrc',
    file: '.npmrc',
  },
}

for (const [what, { promise, agent, file, isLong }] of Object.entries(cheats)) {
  const skip = isLong && !process.env['LOOP_LONG'] && 'only with LOOP_LONG=1'
  test(`a promise that passes by ${what} is sent back once, then a person is asked`, { skip }, async t => {
    const rig = makeRig(t)
    shop(rig)
    const ended = await rig.loop(startArgs(agent(rig), promise, '-n', '5', '--no-input'))
    const [id = ''] = rig.loops()
    assert.equal(ended.code, 1, ended.stdout + ended.stderr)
    assert.ok(!kinds(rig, id).includes('loop.completed'))
    assert.equal(kinds(rig, id).filter(kind => kind === 'suspicion.raised').length, 2)
    const { status, reason, iteration, doubts, next } = await shown(rig, id)
    const found = doubts.find(({ how }) => how === 'suspect')
    assert.deepEqual([found?.kind, found?.node, found?.files], ['steered', null, [file]])
    assert.ok(found?.words.startsWith('suspect, ') && found.words.endsWith(`: ${file}`), found?.words)
    assert.deepEqual(next, [
      `loop diff ${id}`,
      `If these changes are right: loop answer ${id} yes; then: loop resume ${id}`,
      `If they are not: loop answer ${id} "what is wrong"; then: loop resume ${id}`,
    ])
    assert.deepEqual({ status, iteration }, { status: 'paused', iteration: 2 })
    assert.match(reason, /^suspect: the promise passes by changes to what judges the work/)
    assert.ok(ended.stdout.includes(file), ended.stdout)
    const prompt = rig.events(id).filter(({ kind }) => kind === 'run.started')[1]
    assert.equal(prompt?.kind, 'run.started')
    const seen = await rig.loop(['history', id])
    assert.match(seen.stdout, /^2 .* PASS, suspect /m)
    const accepted = await rig.loop(['answer', id, 'yes'])
    assert.equal(accepted.code, 0, accepted.stderr)
    const resumed = await rig.loop(['resume', id])
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
    assert.match(resumed.stdout, /MONITOR/)
    const after = (await shown(rig, id)).doubts.filter(({ kind }) => kind === 'steered')
    assert.deepEqual(
      after.map(({ how, files }) => [how, files]),
      [['accepted', [file]]],
    )
  })
}

const others: [string, string, string][] = [
  ['mixed', 'node --test', "echo 'exports.total = () => 8' > cart.js; sed -i 's/10/8/' test/cart.test.js"],
  // Something that is there for the first two runs only: in a clean copy the promise never comes to the tests.
  [
    'not-checkable',
    'echo >> "$ASIDE/runs"; test "$(wc -l < "$ASIDE/runs")" -lt 3 || exit 9; node --test',
    "echo 'exports.total = () => 9 // done' > cart.js; sed -i 's/10/9/' test/cart.test.js",
  ],
]

for (const [how, promise, agent] of others) {
  test(`status --json names the files of a pass that is ${how}`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const ended = await rig.loop(startArgs(agent, promise, '-n', '2', '--no-input'))
    assert.equal(ended.code, 0, ended.stdout + ended.stderr)
    const { doubts, next } = await shown(rig, rig.loops()[0] ?? '')
    const files = ['test/cart.test.js']
    assert.deepEqual(
      doubts.map(({ kind, node, how: is, files: named }) => [kind, node, is, named]),
      [['steered', null, how, files]],
    )
    assert.ok(doubts[0]?.words.endsWith(': test/cart.test.js'), doubts[0]?.words)
    assert.deepEqual(next, [])
  })
}

type Doubt = { kind: string; node: string | null; how: string | null; files: string[]; words: string }
type Detail = { status: string; reason: string; iteration: number; doubts: Doubt[]; next: string[] }

async function shown(rig: Rig, id: string): Promise<Detail> {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout) as Detail
}

test('a suspect pass is accepted by an answer only, never by a resume', async t => {
  const rig = makeRig(t)
  shop(rig)
  const weaker = aside(rig, 't', honest.replace('10', '9'))
  const start = startArgs(`cp "${weaker}" test/cart.test.js`, 'node --test', '-n', '4', '--no-input')
  assert.equal((await rig.loop(start)).code, 1)
  const [id = ''] = rig.loops()
  const resumed = await rig.loop(['resume', id, '--no-input'])
  assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
  const asked = await shown(rig, id)
  assert.deepEqual([asked.status, asked.iteration], ['paused', 2], 'it asks again, and nobody has worked')
  assert.match(asked.reason, /^suspect: /)
  assert.equal(asked.doubts.find(({ how }) => how === 'suspect')?.files[0], 'test/cart.test.js')
  // Sent back by a person: what the tests were is still what they are compared with.
  assert.equal((await rig.loop(['answer', id, 'the sum is wrong, not the test'])).code, 0)
  const again = await rig.loop(['resume', id, '--no-input'])
  assert.equal(again.code, 1, again.stdout + again.stderr)
  const still = await shown(rig, id)
  assert.deepEqual([still.status, still.iteration], ['paused', 3])
  assert.ok(!kinds(rig, id).includes('loop.completed'))
})

test('honest work completes: a test that the user lets it change', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = `cp "${aside(rig, 't', honest.replace('10', '9'))}" test/cart.test.js`
  const flags = ['-n', '3', '--no-input', '--allow', 'test/**']
  const ended = await rig.loop(startArgs(agent, 'npm test', ...flags))
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.ok(!kinds(rig, id).includes('suspicion.raised'))
  assert.match(ended.stdout, /SHIP/)
})

test('one of several criteria that passes by its changed test makes the loop suspect', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = `touch note; cp "${aside(rig, 't', honest.replace('10', '9'))}" test/cart.test.js`
  const criteria = ['-p', 'tests=node --test', '-p', 'note=test -f note']
  const fixed = ['--agent', 'custom', '--agent-cmd', agent, '-n', '1', '--no-input']
  const ended = await rig.loop(['start', 'mend it', ...criteria, ...fixed])
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  const [id = ''] = rig.loops()
  assert.ok(kinds(rig, id).includes('suspicion.raised'))
  assert.ok(!kinds(rig, id).includes('loop.completed'))
})
