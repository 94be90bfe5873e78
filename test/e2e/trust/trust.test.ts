/**
 * The configuration file of a project counts only if it is trusted: on a real terminal `loop start` asks once, and
 * again when the file changes; without a terminal it says that the file was not used.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'
import { type Screen, terminal, terminalTest } from '../../rig/screen.ts'

type Project = Rig & { file: string; put(text: string): void; start(): Screen }

function project(t: TestContext): Project {
  const rig = makeRig(t)
  const file = join(rig.tree, '.loop', 'config.yaml')
  const put = (text: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const args = [
    'start',
    'x',
    '-p',
    'test -e done',
    '-n',
    '1',
    '--agent',
    'custom',
    '--plain',
    '--state',
    'keep',
  ]
  return { ...rig, file, put, start: () => terminal(rig, args) }
}

const question = 'Use it? You are asked again only when it changes. [y/N]'

/** The text of the terminal, with wrapped lines joined. */
function flat(screen: Screen): string {
  return screen.text().replaceAll('\n', '')
}

terminalTest(
  'what the file sets is shown; yes uses it and is remembered; a change is asked about again',
  async t => {
    const rig = project(t)
    rig.put('agent_cmd: "touch done; printf \'\\e[31m\'"\n')
    const first = rig.start()
    await until('the question', () => flat(first).includes(question))
    assert.ok(flat(first).includes(`${rig.file} has not been trusted yet. It sets:`))
    assert.ok(first.text().includes(String.raw`  agent_cmd   touch done; printf '\u{1b}[31m'`), first.text())
    assert.deepEqual(rig.loops(), [])
    first.type('y', 'Enter')
    await until('the end', () => first.text().includes('ended with 0'))
    rmSync(join(rig.tree, 'done'))
    const second = rig.start()
    await until('the end', () => second.text().includes('ended with 0'))
    assert.ok(!flat(second).includes('Use it?'))
    rig.put('agent_cmd: touch done stolen\n')
    rmSync(join(rig.tree, 'done'))
    const third = rig.start()
    await until('the question', () => flat(third).includes(question))
    assert.ok(flat(third).includes(`${rig.file} has changed since you trusted it. It sets:`))
    third.type('Enter')
    await until('the end', () => third.text().includes('ended with 4'))
    assert.ok(flat(third).includes(`${rig.file} is not trusted and was not used.`))
    assert.equal(existsSync(join(rig.tree, 'stolen')), false)
  },
)

terminalTest(
  'no is remembered too: the file is not used, that is said, and nobody is asked again',
  async t => {
    const rig = project(t)
    rig.put('agent_cmd: touch stolen\n')
    const first = rig.start()
    await until('the question', () => flat(first).includes(question))
    first.type('n', 'Enter')
    await until('the end', () => first.text().includes('ended with 4'))
    const second = rig.start()
    await until('the end', () => second.text().includes('ended with 4'))
    assert.ok(flat(second).includes(`${rig.file} is not trusted and was not used.`))
    assert.ok(!flat(second).includes('Use it?'))
    assert.equal(existsSync(join(rig.tree, 'stolen')), false)
  },
)

terminalTest('Ctrl-C at the question starts nothing and answers nothing', async t => {
  const rig = project(t)
  rig.put('agent_cmd: touch stolen\n')
  const screen = rig.start()
  await until('the question', () => flat(screen).includes(question))
  screen.type('C-c')
  await until('the end', () => screen.text().includes('ended with 130'))
  assert.deepEqual(rig.loops(), [])
  assert.equal(existsSync(rig.paths.trust), false)
})

test('a file that is not valid is not asked about: it is not used, and its mistake is said', async t => {
  const rig = project(t)
  rig.put('agent_cmd: [\n')
  const screen = rig.start()
  await until('the end', () => screen.text().includes('ended with 4'))
  assert.ok(flat(screen).includes('The file was not used.'), screen.text())
  assert.ok(!flat(screen).includes('Use it?'))
})

const evil = 'agent: custom\nagent_cmd: touch "$ASIDE/stolen"\nno_baseline: true\n'

test('the file of a project that is not trusted neither steers a loop nor stops it', async t => {
  const rig = project(t)
  const link =
    'is a symbolic link, and none is followed here. Remove the link, or put a copy of its target there. It was not used.'
  const unasked = `${rig.file} is not trusted and was not used. Read it, then trust it with: loop config trust`
  const rows: [() => void, string][] = [
    [() => rig.put(evil), unasked],
    [() => rig.put('no: [valid'), unasked],
    [
      () => rig.put('\0'.repeat(100_000)),
      `${rig.file} has 100 kB, and a configuration has at most 65.5 kB. Make it smaller, or move it away. It was not used.`,
    ],
    [
      () => {
        rmSync(rig.file)
        symlinkSync('/dev/zero', rig.file)
      },
      `${rig.file} ${link}`,
    ],
    [
      () => {
        rmSync(dirname(rig.file), { recursive: true })
        symlinkSync(rig.aside, dirname(rig.file))
      },
      `${dirname(rig.file)} ${link}`,
    ],
  ]
  for (const [make, message] of rows) {
    make()
    const ended = await rig.loop(startArgs('touch "$ASIDE/ran"', 'true', '--plain'))
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(ended.stderr.split('\n')[0], `loop: ${message}`)
    assert.match(ended.stdout, /the promise already holds/)
  }
  assert.equal(existsSync(join(rig.aside, 'stolen')), false)
})

test('--trust trusts a file until it changes, and config untrust takes it back', async t => {
  const rig = project(t)
  const start = ['start', 'x', '-p', 'test -e done', '--plain', '-n', '1']
  rig.put('agent: custom\nagent_cmd: touch done\n')
  assert.equal((await rig.loop(start)).code, 4)
  const trusted = await rig.loop([...start, '--trust'])
  assert.equal(trusted.code, 0, trusted.stderr)
  assert.doesNotMatch(trusted.stderr, /trust/)
  rmSync(join(rig.tree, 'done'))
  assert.equal((await rig.loop(start)).code, 0)
  rig.put('agent: custom\nagent_cmd: touch done other\n')
  const changed = await rig.loop(start)
  assert.equal(
    changed.stderr.split('\n')[0],
    `loop: ${rig.file} has changed since you trusted it and was not used. Read it, then trust it with: loop config trust`,
  )
  const shown = await rig.loop(['config', 'trust', '--cwd', rig.tree], { cwd: rig.aside })
  assert.equal(
    shown.stdout,
    `${rig.file} is trusted until it changes. It sets:\n  agent       custom\n  agent_cmd   touch done other\n`,
  )
  rmSync(join(rig.tree, 'done'))
  assert.equal((await rig.loop(start)).code, 0)
  assert.ok(existsSync(join(rig.tree, 'other')))
  await rig.loop(['config', 'untrust'])
  const json = await rig.loop(['config', 'get', 'agent', '--json', '--cwd', rig.tree], { cwd: rig.aside })
  assert.equal(JSON.parse(json.stdout).value, 'opencode')
  assert.equal(
    JSON.parse(json.stderr).notice.message,
    `${rig.file} is not trusted and was not used. Read it, then trust it with: loop config trust --cwd ${rig.tree}`,
  )
  rig.put('no: [valid')
  const spoiled = await rig.loop([...start, '--trust'])
  assert.deepEqual(
    [spoiled.code, spoiled.stderr.startsWith(`loop: ${rig.file}:1:`)],
    [4, true],
    spoiled.stderr,
  )
})

test('a dry run with --trust uses the file, and records no trust', async t => {
  const rig = project(t)
  rig.put('max_iterations: 3\n')
  const args = startArgs('true', 'true', '--dry-run', '--json')
  const dry = await rig.loop([...args, '--trust'])
  assert.equal(JSON.parse(dry.stdout).maxIterations, 3)
  assert.equal(existsSync(rig.paths.trust), false)
  const again = await rig.loop(args)
  assert.equal(JSON.parse(again.stdout).maxIterations, 10)
  assert.match(again.stderr, /is not trusted and was not used/)
})
