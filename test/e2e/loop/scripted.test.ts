/** The scripted agent: a mistake in its script is found before the loop begins, and reported with its place. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig } from '../../rig/rig.ts'

const sample = `turns:
  - - say: Looking at it.
    - replace: { path: cart.js, from: a - b, to: a + b }`

/** A script, the place of its mistake, and the message. */
const mistakes: [string, string, string | RegExp][] = [
  ['turns:\n  - - say: "no end\n', '3:1', /^this is not YAML \(.+\)\. Expected is a script like:\nturns:/],
  ['turns:\n  - say: hello\n', '2:5', `a turn is a list of actions. Expected is:\n${sample}`],
  ['- say: hello\n', '1:1', `a script is a list of turns. Expected is:\n${sample}`],
  ['', '1:1', `a script is a list of turns. Expected is:\n${sample}`],
  ['turns: []\nname: x\n', '2:7', 'a script has turns and nodes and nothing else; not name.'],
  [
    'turns:\n  - - say: hello\n    - shout: hello\n',
    '3:7',
    'an action is one of say, wait, write, replace, delete, run, usage, answer, exit; not {"shout":"hello"}.',
  ],
  ['turns:\n  - - wait: soon\n', '2:7', 'wait is a time like 600ms or 2s; not "soon".'],
  ['turns:\n  - - delete: ../x\n', '2:7', 'delete is a path below the work tree; not "../x".'],
]

const start = ['start', 'x', '-p', 'test -e done', '--agent', 'scripted', '--agent-cmd', 'turns.yaml']

test('a script that cannot be played is refused with file, line, column and what was expected', async t => {
  const rig = makeRig(t)
  for (const [script, place, words] of mistakes) {
    rig.write('turns.yaml', script)
    const { code, stderr } = await rig.loop(start)
    const before = `loop: ${join(rig.tree, 'turns.yaml')}:${place}: `
    assert.equal(code, 4, stderr)
    assert.equal(stderr.slice(0, before.length), before)
    if (typeof words === 'string') assert.equal(stderr.slice(before.length), `${words}\n`)
    else assert.match(stderr.slice(before.length), words)
  }
  assert.deepEqual(rig.loops(), [])
})

test('a script that is damaged while the loop runs cannot be started: an agent error, without a stack', async t => {
  const rig = makeRig(t)
  rig.write('turns.yaml', `turns:\n  - - run: 'echo "turns: [" > turns.yaml'\n`)
  const { code, stdout } = await rig.loop([...start, '--agent-error-limit', '1', '--json'])
  assert.equal(code, 3)
  assert.match(JSON.parse(stdout).reason, /unstartable, exit 126/)
  const { stderr } = await rig.loop(['logs', '@last'])
  assert.match(stderr, /^scripted: \S+turns\.yaml:2:1: this is not YAML/)
  assert.doesNotMatch(stderr, /^ +at /m)
})
