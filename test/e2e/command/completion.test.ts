/** `loop completion`: the completions of real shells, and that no command or flag of the tables is missing. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { statuses } from '../../../src/core/loop/summary.ts'
import { commonFlags } from '../../../src/options/table/command.ts'
import { laterCommands } from '../../../src/options/table/flag.ts'
import { without } from '../../rig/needs.ts'
import type { Pty } from '../../rig/pty.ts'
import { makeRig, type Rig, startArgs } from '../../rig/rig.ts'
import { bashOffers, completing, shells } from '../../rig/shells.ts'

type Known = { id: string; group: string }

/** A loop with checkpoints, one of them made by a person, a group of two attempts, and files. */
async function withLoops(rig: Rig): Promise<Known> {
  await rig.loop(startArgs('echo x >> work', 'false', '-n', '2'))
  const [id = ''] = rig.loops()
  assert.equal((await rig.loop(['checkpoint', id, 'of-mine'])).code, 0)
  rig.write('notes.md', '')
  rig.write(
    'work.yaml',
    'name: w\nvars: { feature: { description: what }, depth: 3 }\nloops: [{ id: a, prompt: "{{feature}} {{depth}}", promise: "true" }]\n',
  )
  const start = startArgs('echo x > work', 'test -e work', '--best-of', '2', '-n', '1')
  return { id, group: JSON.parse((await rig.loop([...start, '--json'])).stdout).id }
}

/** A line, and the words offered at its end. */
function rowsFor({ id, group }: Known): [string, string[]][] {
  return [
    ['loop st', ['start', 'status']],
    ['loop start --checkp', ['--checkpoint', '--checkpoint-ignored']],
    ['loop start --checkpoint ', ['auto', 'btrfs', 'git', 'none']],
    ['loop start --checkpoint=n', ['none']],
    ['loop start --agent s', ['scripted']],
    ['loop start prompt --checkpoint ', ['auto', 'btrfs', 'git', 'none']],
    ['loop start --agent claude --fallback-agent co', ['codex']],
    ['loop plan x --reviewers ge', ['gemini']],
    ['loop list --status ', [...statuses].sort()],
    ['loop start -p ', []],
    ['loop inject x --file no', ['notes.md']],
    ['loop inject x --file=no', ['notes.md']],
    ['loop status ', ['@last', id, group]],
    [`loop logs ${id.slice(0, 2)}`, [id]],
    ['loop logs --iteration 2 ', ['@last', id, group]],
    ['loop start --template t', ['tdd']],
    ['loop template show sec', ['security']],
    ['loop template run bug', ['bugfix']],
    ['loop template create t', []],
    ['loop start --template refactor --set l', ['lint=']],
    ['loop template run refactor --set l', ['lint=']],
    ['loop workflow validate work.y', ['work.yaml']],
    ['loop workflow run work.yaml --set ', ['depth=', 'feature=']],
    [`loop pick ${group} `, ['1-direct', '2-tests-first']],
    [`loop diff ${group} ini`, ['initial']],
    [`loop answer ${id} y`, ['yes']],
    [
      `loop rollback ${id} `,
      ['initial', 'iter-001', 'iter-001-after', 'iter-002', 'iter-002-after', 'of-mine'],
    ],
    [`loop rollback --dry-run ${id} iter-002`, ['iter-002', 'iter-002-after']],
    [`loop rollback ${id} initial `, []],
    [`loop diff ${id} of`, ['of-mine']],
    [`loop status ${id} `, []],
    ['loop config get max_c', ['max_concurrent_loops']],
    ['loop config set --project time', ['timeout']],
    ['loop config list ', []],
    ['loop completion ', ['bash', 'fish', 'zsh']],
    ['loop config un', ['unset', 'untrust']],
    ['loop help do', ['doctor']],
    ['loop learn ', ['accept', 'add', 'drop']],
    ['loop plugin ', ['install', 'uninstall']],
    ['loop plugin install ', ['claude', 'opencode']],
    ['loop plugin uninstall c', ['claude']],
    ['loopd st', ['start', 'status', 'stop']],
    ['loopd stop --n', ['--now']],
    ['loopd config get max_c', ['max_concurrent_loops']],
    ['loopd service ', ['install', 'print', 'uninstall']],
    ['loop help do', ['doctor']],
    ['loop start --must-not one --must', ['--must-not']],
    [`loop logs --promise ${id.slice(0, 2)}`, [id]],
    [`loop resume --agent s`, ['scripted']],
    [`loop checkpoint ${id} `, []],
    [`loop compare ${group.slice(0, 3)}`, [group]],
    ['loop demo ', ['best-of', 'plan', 'workflow']],
    ['loop template create mine --from ', ['@last', id, group]],
    ['loop --he', []],
  ]
}

/** zsh offers flags too if nothing else is left; fish and zsh repeat the text in front of a value. */
function withoutFlags(words: string[], line: string): string[] {
  const last = line.split(' ').at(-1) ?? ''
  if (last.includes('=')) return words.map(word => word.slice(word.indexOf('=') + 1))
  return last.startsWith('-') ? words : words.filter(word => !word.startsWith('-'))
}

for (const shell of shells) {
  test(`${shell} completes commands, flags, values, files and ids, and offers nothing for a free text`, {
    skip: shell !== 'bash' && without(shell),
  }, async t => {
    const rig = makeRig(t)
    const known = await withLoops(rig)
    const { offers, interactive } = await completing(t, rig, shell)
    for (const [line, offered] of rowsFor(known))
      assert.deepEqual(withoutFlags(await offers(line), line), offered.toSorted(), line)
    await completesInPlace(interactive(), known.id)
  })
}

/** What a person sees: the line after each Tab. */
async function completesInPlace(screen: Pty, id: string): Promise<void> {
  await screen.shows(/^ready>/m)
  screen.type(`loop rollback ${id.slice(0, 5)}\t`)
  await screen.shows(`loop rollback ${id}`)
  screen.type('ini\t')
  await screen.shows(`loop rollback ${id} initial`)
  screen.type('\u0015loop template run refa\t')
  await screen.shows('loop template run refactor')
  // No space after the name of a variable, because its value follows.
  screen.type('--set li\tHERE')
  await screen.shows('loop template run refactor --set lint=HERE')
  screen.type('\u0003')
}

test('a path with spaces, or with other odd characters, is one word', async t => {
  const rig = makeRig(t)
  for (const name of ['sp ace', "it's", 'a  b']) mkdirSync(join(rig.tree, 'dir', name), { recursive: true })
  const { script } = await completing(t, rig, 'bash')
  const offered = (typed: string) => bashOffers({ rig, script }, ['loop', 'start', '--cwd', typed])
  assert.deepEqual(offered('dir/sp'), ['dir/sp ace'])
  assert.deepEqual(offered(String.raw`dir/sp\ a`), ['dir/sp ace'], 'as bash has it in the line')
  assert.deepEqual(offered('"dir/sp a'), ['dir/sp ace'], 'in quotes')
  assert.deepEqual(offered('dir/'), ['dir/a  b', "dir/it's", 'dir/sp ace'])
})

/** The words without their descriptions. */
async function completed(rig: Rig, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await rig.loop(['__complete', ...words])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.split('\n').map(line => line.replace(/\t.*/, ''))
}

test('every command and flag of the tables is offered, and none that comes later', async t => {
  const rig = makeRig(t)
  const offered = await completed(rig, '')
  const missing = commands.filter(({ name }) => !offered.includes(name))
  assert.deepEqual(missing, [])
  assert.deepEqual(
    laterCommands.filter(later => offered.includes(later)),
    [],
  )
  for (const { name, flags } of commands) {
    const own = await completed(rig, name, '--')
    for (const flag of [...flags, ...commonFlags]) {
      assert.ok(own.includes(`--${flag.name}`), `${name} --${flag.name}`)
      if (flag.short) assert.ok(own.includes(`-${flag.short}`), `${name} -${flag.short}`)
    }
  }
})

test('a flag that is on the line is not offered again, unless it may be repeated', async t => {
  const rig = makeRig(t)
  const again = await completed(rig, 'start', '--agent', 'claude', '--cwd=/x', '--must-not', 'a', '--')
  assert.deepEqual(
    ['--agent', '--cwd', '--must-not', '--model'].map(flag => again.includes(flag)),
    [false, false, true, true],
  )
})

test('commands, flags, settings and variables have descriptions; where nothing is known, nothing is offered', async t => {
  const rig = makeRig(t)
  const [list, flags, key, variable] = await Promise.all(
    [['li'], ['list', '--st'], ['config', 'get', ''], ['template', 'run', 'refactor', '--set', '']].map(
      async words => (await rig.loop(['__complete', ...words])).stdout,
    ),
  )
  assert.match(list ?? '', /^list\tlist all loops, newest first/m)
  assert.match(flags ?? '', /^--status\t\w+/m)
  assert.match(key ?? '', /^timeout\t\w+/m)
  assert.match(variable ?? '', /^lint=\truns the linter$/m)
  for (const words of [
    ['nonsense', ''],
    ['logs', '--nonsense', ''],
    ['task', 'update', ''],
    ['learn', 'drop', ''],
  ])
    assert.deepEqual(await completed(rig, ...words), ['', ''], words.join(' '))
})

test('an unknown shell is refused, and help says how to install the script', async t => {
  const rig = makeRig(t)
  const refused = await rig.loop(['completion', 'tcsh'])
  assert.deepEqual(
    [refused.code, refused.stderr],
    [4, 'loop: Name one shell: loop completion bash, zsh or fish.\n'],
  )
  const { stdout } = await rig.loop(['completion', '--help'])
  assert.match(stdout, /source <\(loop completion bash\)/)
})
