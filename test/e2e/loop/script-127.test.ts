/**
 * Exit code 127 of a promise: a script that exists and calls a missing command is work for the agent; a program that
 * the promise itself names and that is missing is a refusal.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

test('a typo inside the script of a promise is an ordinary failure that the agent can fix', async t => {
  const rig = makeRig(t)
  rig.write('verify.sh', 'gerp -q hello greeting.txt\n')
  rig.write('greeting.txt', 'hello\n')
  const agent = 'sed -i s/gerp/grep/ verify.sh'
  const args = startArgs(agent, 'sh verify.sh', '-n', '1', '--no-input', '--allow', 'verify.sh')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stderr, /baseline .*FAIL \(exit 127: a command in verify\.sh was not found/)
})

for (const promise of ['no-such-program', './no-such-script.sh', 'sh verify.sh && no-such-program']) {
  test(`${promise}: a missing program of the promise's own line is refused`, async t => {
    const rig = makeRig(t)
    rig.write('verify.sh', 'true\n')
    const ended = await rig.loop(startArgs('true', promise, '-n', '1', '--no-input'))
    assert.equal(ended.code, 4, ended.stdout + ended.stderr)
    assert.match(ended.stdout + ended.stderr, /the promise cannot be judged: .*: exit 127/)
  })
}
