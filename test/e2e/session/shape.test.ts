/** `loop init --shape`: SHAPE.md is judged before the work, and its commands are recorded outside of the tree. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook } from '../../rig/hook.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

function shape(rig: Rig, text: string): void {
  mkdirSync(join(rig.tree, '.loop', 'shape'), { recursive: true })
  rig.write('.loop/shape/SHAPE.md', text)
}

const keys = `criteria:
  - name: tests pass
    command: test -f done
  - UI renders
mustNot:
  - name: data lost
    command: test -f lost
  - name: API changed
    command: "false"
verification:
  tests pass: execution output
  UI renders: observation
`

test('its criteria are the promise of the session, its mustNot pauses it', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  shape(rig, keys)
  const begun = await rig.loop(['init', 'ui', '--shape', '--trust', '--json'])
  assert.equal(begun.code, 0, begun.stderr)
  const [id = ''] = rig.loops()
  const created = rig.events(id)[0]
  assert.ok(created?.kind === 'loop.created')
  const { criteria, mustNot } = created.data.spec
  assert.deepEqual(
    criteria.map(({ name, command }) => [name, command]),
    [
      ['tests pass', 'test -f done'],
      ['UI renders', null],
    ],
  )
  assert.deepEqual(mustNot, [
    { name: 'data lost', command: 'test -f lost' },
    { name: 'API changed', command: 'false' },
  ])
  const state = JSON.parse(readFileSync(join(rig.tree, '.loop', 'state.json'), 'utf8'))
  assert.deepEqual(state.criteriaStatus, {
    'tests pass': { met: false, verification: 'execution output' },
    'UI renders': { met: false, verification: 'observation' },
  })
  // Later changes to the file decide nothing.
  shape(rig, keys.replace('test -f done', 'true'))
  assert.match(hook(rig).reason, /tests pass: test -f done/)
})

const refused: [string, string | null, RegExp][] = [
  ['no file', null, /SHAPE\.md is not there\. Write \.loop\/shape\/SHAPE\.md with the headings/],
  ['no criteria', '# Shape\n\nnice\n', /names no criteria/],
  [
    'not ready',
    'criteria:\n  - fast\nmustNot:\n  - slow\n',
    /not ready to be worked on:\n"fast" does not say how it is verified[^]*"slow" must not happen, but no command[^]*1 of at least 2/,
  ],
]
test('a shape that cannot be verified starts nothing', async t => {
  const rig = makeRig(t)
  for (const [what, text, words] of refused) {
    if (text !== null) shape(rig, text)
    const said = await rig.loop(['init', 'ui', '--shape'])
    assert.equal(said.code, 4, what)
    assert.match(said.stderr, words)
  }
  assert.deepEqual(rig.loops(), [])
})

test('nothing of a SHAPE.md is run before it is trusted, and it is asked about again when it changes', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  const mark = join(rig.aside, 'ran')
  const hostile = keys.replace('test -f done', `touch '${mark}'; test -f done`)
  shape(rig, hostile)
  const untrusted = await rig.loop(['init', 'ui', '--shape'])
  assert.equal(untrusted.code, 4, untrusted.stdout)
  assert.match(untrusted.stderr, /SHAPE\.md is not trusted\. Read it, then trust it with --trust/)
  assert.deepEqual(
    [rig.loops(), existsSync(mark), existsSync(join(rig.tree, '.loop', 'runs'))],
    [[], false, false],
  )
  rig.write('.loop/config.yaml', 'agent: custom\n')
  const begun = await rig.loop(['init', 'ui', '--shape', '--trust'])
  assert.equal(begun.code, 0, begun.stderr)
  assert.ok(existsSync(mark))
  // Trust in SHAPE.md is not trust in the configuration.
  assert.match((await rig.loop(['config', 'list'])).stderr, /not trusted/)
  await rig.loop(['cancel', rig.loops()[0] ?? ''])
  assert.equal((await rig.loop(['init', 'again', '--shape'])).code, 0, 'the same content is trusted')
  await rig.loop(['cancel', rig.loops()[1] ?? ''])
  shape(rig, hostile.replace('UI renders', 'UI draws').replace('UI renders', 'UI draws'))
  assert.equal((await rig.loop(['init', 'third', '--shape'])).code, 4, 'another content is not')
})
