/**
 * The hook as a program: whatever is in the tree or on stdin, it answers, holds the session, and completes nothing
 * falsely.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook, hookScript } from '../../rig/hook.ts'
import { loopProgram, makeRig, type Rig, readOr, until } from '../../rig/rig.ts'

async function begin(rig: Rig, ...more: string[]): Promise<string> {
  rig.write('check.sh', 'echo not yet; exit 1\n')
  const started = await rig.loop([
    'start',
    'mend it',
    '--session',
    '-p',
    'unit=sh check.sh',
    '--json',
    ...more,
  ])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

const stateFile = (rig: Rig) => join(rig.tree, '.loop', 'state.json')

function state(rig: Rig) {
  return JSON.parse(readFileSync(stateFile(rig), 'utf8'))
}

function change(rig: Rig, fields: Record<string, unknown>): void {
  writeFileSync(stateFile(rig), JSON.stringify({ ...state(rig), ...fields }))
}

const claimed = { criteriaStatus: { unit: true }, exit_signal: true }

function kinds(rig: Rig, id: string): string[] {
  return rig.events(id).map(({ kind }) => kind)
}

/** Is a program with this argument alive? */
function running(argument: string): boolean {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.some(pid => readOr(`/proc/${pid}/cmdline`).split('\0').includes(argument))
}

const nonsense: Record<string, string> = {
  nothing: '',
  'half an object': '{"session_id": "s1", "cwd',
  'no session': '{"cwd": "/"}',
  'a session that is a number': '{"session_id": 7, "cwd": "/"}',
  'an array': '[]',
  'no end of it': `"${'x'.repeat(20_000_000)}"`,
}

test('what is not the JSON of a hook lets the session go, with a message', async t => {
  const rig = makeRig(t)
  await begin(rig)
  for (const [name, text] of Object.entries(nonsense)) {
    const { code, said, message } = hook(rig, text)
    assert.deepEqual([code, said?.['ok']], [0, true], name)
    assert.match(message, /not the JSON of a hook.*nothing is recorded as completed/, name)
  }
})

const spoils: Record<string, (rig: Rig) => void> = {
  'a link to a file elsewhere': rig => {
    writeFileSync(join(rig.aside, 'else.json'), JSON.stringify({ ...state(rig), ...claimed }))
    rmSync(stateFile(rig))
    symlinkSync(join(rig.aside, 'else.json'), stateFile(rig))
  },
  'a FIFO': rig => {
    rmSync(stateFile(rig))
    execFileSync('mkfifo', [stateFile(rig)])
  },
  'five megabytes': rig => change(rig, { ...claimed, spec: 'x'.repeat(5_000_000) }),
  'endless nesting': rig => writeFileSync(stateFile(rig), `${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  'half of it': rig => writeFileSync(stateFile(rig), '{"criteriaStatus": {"unit": tr'),
  nothing: rig => rmSync(stateFile(rig)),
}

for (const [name, spoil] of Object.entries(spoils)) {
  test(`the state file is ${name}: held, written again, and nothing else is touched`, async t => {
    const rig = makeRig(t)
    const id = await begin(rig)
    spoil(rig)
    const { code, said, reason } = hook(rig)
    assert.deepEqual([code, said?.['decision']], [0, 'block'])
    assert.match(reason, /^unmet criteria: unit\n/)
    assert.equal(lstatSync(stateFile(rig)).isFile(), true)
    assert.deepEqual(state(rig).criteriaStatus, { unit: false })
    assert.ok(!kinds(rig, id).includes('session.claimed'))
    if (existsSync(join(rig.aside, 'else.json')))
      assert.match(readFileSync(join(rig.aside, 'else.json'), 'utf8'), /"exit_signal":true/)
  })
}

test('.loop as a link, or a directory as its state file: held, and nothing is written through it', async t => {
  const rig = makeRig(t)
  await begin(rig)
  rmSync(join(rig.tree, '.loop'), { recursive: true })
  symlinkSync(rig.aside, join(rig.tree, '.loop'))
  assert.equal(hook(rig).said?.['decision'], 'block')
  assert.deepEqual(readdirSync(rig.aside), [])
  rmSync(join(rig.tree, '.loop'))
  mkdirSync(join(rig.tree, '.loop', 'state.json', 'x'), { recursive: true })
  assert.equal(hook(rig).said?.['decision'], 'block')
})

test('text of the tree reaches neither the terminal nor the model with control characters or without end', t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, '.loop'))
  const name = `\u001B]0;owned\u0007x${'y'.repeat(1_900)}`
  const names = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`${name}${i}`, false]))
  writeFileSync(stateFile(rig), JSON.stringify({ criteriaStatus: names, status: 'in_progress' }))
  const { reason } = hook(rig)
  assert.match(reason, /^unmet criteria: xy/)
  assert.ok(reason.length < 9_000)
})

test('a promise that takes too long is stopped before the host gives up: unfinished, and held', async t => {
  const rig = makeRig(t)
  const id = await begin(rig, '--no-baseline', '--allow', 'check.sh')
  rig.write('check.sh', 'sleep 61.2345\n')
  change(rig, claimed)
  const { said, reason } = hook(rig, {}, { more: ['--deadline', '2s'] })
  assert.equal(said?.['decision'], 'block')
  assert.match(reason, /^verification unfinished/)
  assert.ok(!running('61.2345'), 'nothing of it runs')
  rig.write('check.sh', 'exit 0\n')
  const again = hook(rig)
  assert.match(again.message, /completed/, again.stdout)
  assert.equal(kinds(rig, id).at(-1), 'loop.completed')
})

test('a hook that is killed while the promise runs: the next stop runs it again, and nothing is left of the first', async t => {
  const rig = makeRig(t)
  const id = await begin(rig, '--no-baseline', '--allow', 'check.sh')
  rig.write('check.sh', 'touch "$ASIDE/begun"; [ -f "$ASIDE/go" ] || sleep 62.3456\n')
  change(rig, claimed)
  writeFileSync(join(rig.aside, 'input'), JSON.stringify({ session_id: 's1', cwd: rig.tree }))
  const first = rig.spawn(['-c', `exec "$0" hook stop < "$ASIDE/input"`, loopProgram], { program: 'sh' })
  await until('the promise to run', () => existsSync(join(rig.aside, 'begun')))
  first.child.kill('SIGKILL')
  await first.ended
  assert.equal(kinds(rig, id).at(-1), 'checkpoint.taken')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.match(hook(rig).message, /completed/)
  assert.ok(!running('62.3456'))
  assert.equal(kinds(rig, id).filter(kind => kind === 'session.claimed').length, 1)
})

test('a store that is damaged lets the session go, and says so', async t => {
  const rig = makeRig(t)
  await begin(rig)
  for (const end of ['', '-wal', '-shm']) writeFileSync(`${rig.paths.database}${end}`, 'x'.repeat(5_000))
  change(rig, claimed)
  const { code, said, message } = hook(rig)
  assert.deepEqual([code, said?.['ok']], [0, true])
  assert.match(message, /its hook failed .* nothing is recorded as completed/)
})

test('a session that loop itself has started is left alone', async t => {
  const rig = makeRig(t)
  await begin(rig)
  for (const script of [true, false]) {
    const below = hook(rig, {}, { env: { LOOP_RUN: 'abc123/runs/1' }, script })
    assert.deepEqual([below.code, below.stdout], [0, ''])
  }
  const nested = await rig.loop(['start', 'x', '--session', '-p', 'true'], {
    env: { LOOP_RUN: 'abc123/runs/1' },
  })
  assert.match(nested.stderr, /itself started by a loop/)
})

test('in a tree without a loop the script of the plugin starts no program at all', async t => {
  const rig = makeRig(t)
  const bare = { PATH: '/nowhere' }
  const sh = (input: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}) =>
    hook(rig, input, { script: true, env: { PATH: rig.env['PATH'], ...env } })
  assert.deepEqual([sh().code, sh().stdout], [0, ''])
  await begin(rig)
  assert.equal(sh().said?.['decision'], 'block', 'its marker names the program, whatever the PATH')
  rmSync(join(rig.tree, '.loop'), { recursive: true })
  assert.equal(sh().said?.['decision'], 'block', 'without the file too')
  mkdirSync(join(rig.tree, 'sub'))
  const away = { CLAUDE_PROJECT_DIR: rig.aside, CLAUDE_CODE_SESSION_ID: 's1' }
  const elsewhere = { cwd: rig.aside }
  assert.equal(sh(elsewhere, away).said?.['decision'], 'block', 'and from another directory')
  mkdirSync(join(rig.aside, '.loop'))
  writeFileSync(join(rig.aside, '.loop', 'state.json'), '{}')
  rmSync(rig.paths.data, { recursive: true })
  copyFileSync(hookScript, join(rig.aside, 'copy.sh'))
  const lost = execFileSync('/bin/sh', [join(rig.aside, 'copy.sh'), 'stop'], {
    cwd: rig.aside,
    env: { ...rig.env, ...bare },
    encoding: 'utf8',
  })
  assert.match(JSON.parse(lost).systemMessage, /the program loop is not on the PATH/)
  const mcp = spawnSync('/bin/sh', [join(rig.aside, 'copy.sh'), 'mcp'], {
    cwd: rig.aside,
    env: { ...rig.env, ...bare },
    encoding: 'utf8',
  })
  assert.deepEqual([mcp.status, mcp.stdout], [127, ''], 'a client of MCP reads no answer of a hook')
  assert.match(mcp.stderr, /the program loop is not on the PATH/)
})

test('a file of a run that is nothing but line breaks does not keep a session waiting', async t => {
  const rig = makeRig(t)
  const made = await rig.loop(['init', 'login'])
  const run = /^LOOP_DIR=(\S+)$/m.exec(made.stdout)?.[1] ?? ''
  const tasks = [{ id: '1', subject: 'Write it', status: 'pending' }]
  const timed = () => {
    const begun = performance.now()
    assert.match(hook(rig, { tasks }).reason, /Write it/)
    return performance.now() - begun
  }
  const plain = timed()
  rig.write(`${run}/_meta.md`, '\n'.repeat(63_000))
  // The fastest of several tries: another process may have used the CPU in between.
  const tries = 5
  assert.ok(Array.from({ length: tries }).some(() => timed() < 10 * plain))
})
