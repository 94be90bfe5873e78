/**
 * No program of a repository runs before a person has trusted it. strace lists every program executed while loop
 * inspects, describes and judges hostile trees, and works in them with commands of the user. No hang and no crash
 * either. Short form: one tree with every attack that fits together, and the other trees; LOOP_LONG: each attack by
 * itself.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostile, mark, plant } from '../../rig/hostile-repositories.ts'
import { without } from '../../rig/needs.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

const own = ['--agent', 'custom', '--agent-cmd', 'true', '--no-input', '--plain']

/** Commands that people type in a tree that they have just cloned. */
const commands: string[][] = [
  ['start', 'x', '-p', 'true', '--dry-run', ...own],
  ['start', 'x', '-p', 'false', '-n', '1', ...own],
  ['start', 'x', '-p', 'true', '--no-input'],
  ['plan', 'add a page', ...own, '--dry-run'],
  ['start', 'x', '--template', 'tdd', ...own, '--dry-run'],
  ['status'],
  ['history', '@last', '-v'],
  ['diff', '@last'],
  ['doctor'],
  ['init', 'page', '--shape'],
  ['score', 'add a page'],
  ['template', 'list'],
  ['template', 'show', 'tdd'],
  ['workflow', 'validate', 'flow.yaml'],
  ['workflow', 'graph', 'flow.yaml'],
  ['workflow', 'run', 'flow.yaml', ...own],
  ['config', 'list'],
  ['learn'],
  ['recall', 'x'],
  ['task', 'list'],
  ['completion', 'bash'],
  ['hook', 'stop'],
  ['hook', 'session-start'],
  ['rollback', '@last', 'initial', '--dry-run'],
]

async function executed(rig: Rig, args: string[], trace: string): Promise<string[]> {
  const strace = ['strace', '-f', '-qq', '-s', '4096', '-e', 'trace=execve,execveat', '-o', trace]
  const running = rig.spawn(args, { wrap: ['timeout', '-s', 'KILL', '60', ...strace], stdin: true })
  running.child.stdin?.end(JSON.stringify({ session_id: 's1', cwd: rig.tree, hook_event_name: 'Stop' }))
  const { code, stderr, stdout } = await running.ended
  const said = `loop ${args.join(' ')}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`
  assert.ok(code !== null && code < 124, `it hangs: ${said}`)
  assert.doesNotMatch(stderr, /Internal error|a bug in loop|\n {4}at /, said)
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter(line => line.includes('exec'))
}

async function attack(rig: Rig, rows: typeof hostile, tried: string[][]): Promise<void> {
  const had = join(rig.aside, mark)
  plant(rig.tree, `touch ${had}`, rows)
  for (const args of tried) {
    const seen = await executed(rig, args, join(rig.aside, 'trace'))
    const theirs = seen.filter(line => line.includes(mark) || line.includes(`execve("${rig.tree}`))
    const where = `${rows.map(({ name }) => name).join(', ')}: loop ${args.join(' ')}`
    assert.deepEqual(theirs, [], where)
    assert.ok(!existsSync(had), where)
  }
}

const needs = { skip: without('strace') }
const together = hostile.filter(({ alone }) => !alone)
const alone = hostile.filter(row => row.alone)

test('the table has more than forty repositories', () => assert.ok(hostile.length > 40))

if (process.env['LOOP_LONG']) {
  for (const row of hostile)
    test(`hostile by itself: ${row.name}`, needs, async t => attack(makeRig(t), [row], commands))
} else {
  test('no program of a tree with all attacks runs before the tree is trusted', needs, async t => {
    const rig = makeRig(t)
    await attack(rig, together, commands)
    const trusted = ['start', 'x', '-p', 'false', '-n', '1', '--trust', '--no-input', '--plain']
    const seen = await executed(rig, trusted, join(rig.aside, 'trace'))
    assert.ok(seen.some(line => line.includes(mark)) && existsSync(join(rig.aside, mark)), 'strace sees it')
  })
  // The commands that read most of the tree.
  const few = commands.filter(
    ([name = '', kind = '']) =>
      ['start', 'plan', 'diff', 'template', 'hook'].includes(name) && kind !== 'show',
  )
  for (const row of alone)
    test(`hostile: ${row.name}`, needs, async t => {
      const isGit = row.name.startsWith('.git/config')
      await attack(makeRig(t), [row], isGit ? few.slice(1, 2) : few)
    })
}
