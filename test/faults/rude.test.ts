/** Agents and promises that behave badly without bad intent: the loop continues, and its views are right. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { queueMany } from '../../bench/many-loops.ts'
import { makeRig, startArgs } from '../rig/rig.ts'

const work = 'echo x >> work'
const twice = 'test "$(cat work 2>/dev/null | wc -l)" -ge 2'

test('an agent that closes its output is still waited for', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(`exec >&- 2>&-; sleep 0.3; ${work}`, twice))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /iterations {2}2 of 10/)
})

test('bytes that are no text are shown as replaced, and break nothing', async t => {
  const rig = makeRig(t)
  const garbage = String.raw`printf 'a\377\376\000b\033]0;owned\007\n'`
  const ended = await rig.loop(startArgs(`${garbage}; ${garbage} >&2; ${work}`, `${garbage}; ${twice}`))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  for (const args of [
    ['logs', id],
    ['history', id, '-v'],
    ['status', id],
    ['status', id, '--json'],
  ]) {
    const shown = await rig.loop(args)
    assert.equal(shown.code, 0, args.join(' '))
    const text = shown.stdout + shown.stderr
    assert.ok(!text.includes('\0') && !text.includes('\u0007'), args.join(' '))
  }
  assert.match((await rig.loop(['logs', id])).stdout, /^a\uFFFD\uFFFDb$/m)
})

test('an agent that deletes .git takes no checkpoint with it: the work can be rolled back', async t => {
  const rig = makeRig(t)
  execFileSync('git', ['init', '-q'], { cwd: rig.tree })
  rig.write('precious', 'precious')
  const ended = await rig.loop(startArgs(`rm -rf .git precious; ${work}`, twice))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  assert.ok(existsSync(join(rig.tree, 'precious')))
})

test('a prompt with a NUL byte is refused: it is not a text', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.aside, 'prompt'), 'a\0b')
  const ended = execFileSync(
    'sh',
    ['-c', `"$0" "$@" < "${rig.aside}/prompt" 2>&1; echo "exit $?"`, ...loopWith('-')],
    {
      cwd: rig.tree,
      env: rig.env,
      encoding: 'utf8',
    },
  )
  assert.equal(ended, 'loop: The prompt holds a NUL byte; is it a text file?\nexit 4\n')
})

test('a prefix that fits several loops is refused, with those it fits', async t => {
  const rig = makeRig(t)
  // 37 loops: two of them begin with the same character of 36.
  queueMany({ ...rig.env, ASIDE: rig.aside }, 37)
  const first = rig.loops().map(id => id[0] ?? '')
  const shared = first.find((char, i) => first.indexOf(char) !== i) ?? ''
  const ended = await rig.loop(['status', shared])
  assert.equal(ended.code, 4)
  const fits = rig.loops().filter(id => id.startsWith(shared))
  for (const id of fits.slice(0, 5)) assert.ok(ended.stderr.includes(id), ended.stderr)
})

function loopWith(prompt: string): string[] {
  const program = new URL('../../bin/loop', import.meta.url).pathname
  return [program, 'start', prompt, '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true']
}
