/**
 * `loop doctor` for the current directory: the session that is held there, in the order of the troubleshooting lists;
 * the agents and their sign-in; loopd, its socket and its notices. Also the words of a start if nothing would hold a
 * session, or no agent could work.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { version } from '../../../src/model/version.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const session = { CLAUDE_CODE_SESSION_ID: 's1' }

async function checksIn(rig: Rig, env: NodeJS.ProcessEnv = {}, cwd = rig.tree): Promise<Check[]> {
  const ended = await rig.loop(['doctor', '--json'], { env, cwd })
  return (JSON.parse(ended.stdout) as { checks: Check[] }).checks
}

/** The status, the finding and the way out of the check with this name. */
function seen(checks: Check[], name: string): [string, string, string | null] | undefined {
  const check = checks.find(one => one.name === name)
  return check && [check.status, check.found, check.next]
}

/** A program in a directory of its own, which comes first on the PATH. */
function withProgram(rig: Rig, name: string, script: string): NodeJS.ProcessEnv {
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { PATH: [bin, process.env['PATH']].join(delimiter) }
}

const listing = (plugins: unknown) =>
  `case "$*" in "plugin list --json") echo '${JSON.stringify(plugins)}';; *) echo "2.1.7 (Claude Code)";; esac`
const plugin = { id: 'loop@loop', scope: 'user', version, enabled: true, errors: [] }

test('a session that no plugin holds: the start says so, and the doctor does', async t => {
  const rig = makeRig(t)
  const claude = withProgram(rig, 'claude', listing([]))
  const started = await rig.loop(['start', 'x', '--session', '-p', 'false'], {
    env: { ...session, ...claude },
  })
  assert.equal(started.code, 0, started.stderr)
  const [id = ''] = rig.loops()
  const [first, second] = started.stdout.split('\n')
  assert.equal(
    first,
    `Loop ${id} is under way, but no plugin is installed, so nothing holds a session to its promise: false`,
  )
  assert.match(second ?? '', /^Install it: loop plugin install claude/)
  assert.deepEqual(seen(await checksIn(rig, { ...session, ...claude }), 'plugin'), [
    'warn',
    `not installed: nothing holds a session to ${id}`,
    'loop plugin install claude; or: loop plugin install opencode',
  ])
  const installed = { ...session, ...withProgram(rig, 'claude', listing([plugin])), LOOP: '' }
  const checks = await checksIn(rig, installed)
  assert.equal(seen(checks, 'plugin'), undefined)
  assert.ok(seen(checks, 'plugin claude'))
  const held = await rig.loop(['cancel', id])
  assert.equal(held.code, 0)
  const again = await rig.loop(['start', 'x', '--session', '-p', 'false'], { env: installed })
  assert.match(again.stdout, /is under way\. This session is held to its promise: false$/m)
})

test('the commands of the project are shown with the files that say so', async t => {
  const rig = makeRig(t)
  const lines = async () =>
    (await checksIn(rig)).flatMap(({ name, found }) => (name === 'project' ? [found] : []))
  assert.deepEqual(await lines(), [], 'nothing is known of it, so nothing is said')
  const scripts = { test: 'node --test', lint: 'echo "later"' }
  writeFileSync(join(rig.tree, 'package.json'), JSON.stringify({ scripts }))
  writeFileSync(join(rig.tree, 'pnpm-lock.yaml'), '')
  assert.deepEqual(await lines(), [
    'test: pnpm test (package.json script "test", pnpm-lock.yaml)',
    'not used: package.json script "lint" does nothing but print or exit',
  ])
})

test('the state file of a session, checked as the troubleshooting lists do', async t => {
  const rig = makeRig(t)
  assert.equal(seen(await checksIn(rig), 'state file'), undefined, 'no session, no line')
  const args = ['start', 'x', '--session', '-p', 'a=false', '-p', 'b=false']
  assert.equal((await rig.loop(args, { env: session })).code, 0)
  const [id = ''] = rig.loops()
  const dir = join(rig.tree, '.loop')
  const file = join(dir, 'state.json')
  const sound = JSON.parse(readFileSync(file, 'utf8'))
  const check = async () => seen(await checksIn(rig, session), 'state file')
  assert.deepEqual(await check(), ['ok', `${file} is sound`, null])
  assert.deepEqual(seen(await checksIn(rig, session), 'session loop'), [
    'ok',
    `loop ${id} is under way, with 2 criteria, for at most 10 iterations`,
    null,
  ])
  const anew = 'The next stop of the session writes it again; to end the loop: loop cancel --session'
  writeFileSync(file, '{"spec": ')
  const broken = `${file} is not what it should be (no valid JSON, or no file): nothing that the session says in it counts`
  assert.deepEqual(await check(), ['warn', broken, anew])
  rmSync(file)
  assert.deepEqual(await check(), ['warn', `${file} is gone, though loop ${id} is under way`, anew])
  const rows: [object, string][] = [
    [
      { exit_signal: true, criteriaStatus: { a: true, b: false } },
      'exit_signal is true, but not claimed as met: b',
    ],
    [
      { criteriaStatus: { a: true, b: true } },
      'every criterion is claimed, but exit_signal is not true: the session is sent back again and again',
    ],
    [{ criteria: ['a'], criteriaStatus: { a: true } }, 'its criteria are not those that were set up'],
    [
      { circuitBreaker: { stuckCount: 5, lastUnmet: 'a' } },
      'stuckCount is 5: the next stop pauses the loop; open: a, b',
    ],
    [
      { status: 'completed' },
      `it says "completed", though loop ${id} is under way: the next stop lets the session go, and completes nothing`,
    ],
  ]
  for (const [change, found] of rows) {
    writeFileSync(file, JSON.stringify({ ...sound, ...change }))
    const [status, words, next] = (await check()) ?? []
    assert.deepEqual([status, words], ['warn', found])
    assert.ok(next, found)
  }
})

test('a task list that is not there, one whose tasks wait for each other, and one in order', async t => {
  const rig = makeRig(t)
  const lists = join(rig.env['HOME'] ?? '', '.claude', 'tasks')
  const env = { CLAUDE_CODE_TASK_LIST_ID: 'shop' }
  const check = async () => seen(await checksIn(rig, env), 'task list')
  assert.deepEqual((await check())?.slice(0, 2), [
    'warn',
    `CLAUDE_CODE_TASK_LIST_ID names "shop", and there is no ${join(lists, 'shop')}`,
  ])
  mkdirSync(join(lists, 'shop'), { recursive: true })
  const task = (id: string, blockedBy: string[], status = 'pending') =>
    writeFileSync(
      join(lists, 'shop', `${id}.json`),
      JSON.stringify({ id, subject: id, description: '', status, blocks: [], blockedBy }),
    )
  task('1', ['2'])
  task('2', ['3', '9'])
  task('3', ['2'])
  assert.deepEqual(await check(), [
    'warn',
    '#2 waits for #3, #3 waits for #2: none of them can begin',
    'Take one of them out of blockedBy.',
  ])
  task('2', ['3'], 'completed')
  assert.deepEqual(await check(), ['ok', `${join(lists, 'shop')}: 3 tasks, 2 open`, null])
})

test('each agent with its sign-in; one that does not answer is not in order', async t => {
  const rig = makeRig(t)
  withProgram(rig, 'codex', 'exec sleep 60')
  const env = withProgram(rig, 'claude', 'echo 2.1.7')
  const checks = await checksIn(rig, env)
  assert.deepEqual(seen(checks, 'sign-in claude'), [
    'warn',
    'no sign-in and no key were found',
    'Sign in with: claude, then /login; or set ANTHROPIC_API_KEY.',
  ])
  const codex = join(rig.aside, 'bin', 'codex')
  assert.deepEqual(seen(checks, 'agent codex'), [
    'warn',
    `does not answer --version within 5s (${codex})`,
    `Try it: ${codex} --version`,
  ])
  rmSync(codex)
  const key = { ...env, ANTHROPIC_API_KEY: 'x' }
  assert.equal(seen(await checksIn(rig, key), 'sign-in claude')?.[0], 'ok')
})

test('loopd is one process, and the doctor says what keeps it from sending notices', async t => {
  const rig = makeDaemonRig(t)
  assert.deepEqual(seen(await checksIn(rig), 'loopd')?.slice(0, 2), [
    'ok',
    'does not run; loop start -b starts it',
  ])
  await rig.loop(['config', 'set', 'notification_cmd', '/no/such/teller'])
  const before = await checksIn(rig)
  assert.deepEqual(seen(before, 'notifications')?.slice(0, 2), [
    'warn',
    'there is no program /no/such/teller (notification_cmd)',
  ])
  const { pid } = await rig.startDaemon()
  const checks = await checksIn(rig)
  assert.equal(seen(checks, 'hosts')?.[1], `1 process running: ${pid}`)
  assert.equal(seen(checks, 'loopd')?.[1], `process ${pid}, 0 of 4 loops run`)
  const id = await rig.background('true', 'true')
  await rig.reaches(id, 'completed')
  const problem = await until('the failure', async () => {
    const found = seen(await checksIn(rig), 'loopd')
    return found?.[0] === 'warn' && found
  })
  assert.match(problem[1], /^nobody can be notified by command: \/no\/such\/teller/)
  const teller = join(rig.aside, 'teller')
  writeFileSync(teller, '#!/bin/sh\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', teller])
  assert.deepEqual(seen(await checksIn(rig), 'notifications'), ['ok', teller, null])
})

test('a directory that is gone: a sentence and exit 4, and the doctor names it too', async t => {
  const rig = makeRig(t)
  const gone = join(rig.aside, 'gone')
  mkdirSync(gone)
  const wrap = ['sh', '-c', 'cd "$1" && rmdir "$1" && shift && exec "$@"', 'sh', gone]
  const started = await rig.loop(['start', 'x', '-p', 'true'], { wrap })
  assert.equal(started.code, 4)
  assert.match(started.stderr, /loop: The current directory is gone, or you may not read it\./)
  assert.doesNotMatch(started.stderr, /uv_cwd/)
  mkdirSync(gone)
  const doctor = await rig.loop(['doctor', '--json'], { wrap })
  const { checks } = JSON.parse(doctor.stdout) as { checks: Check[] }
  const failed = checks.filter(({ status }) => status === 'fail')
  assert.deepEqual(
    failed.map(({ name, found }) => [name, found]),
    [['directory', 'the current directory is gone']],
  )
})

const ordinary =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : []

test('a directory that is closed or read-only is refused before anything is run', async t => {
  const rig = makeRig(t)
  const rows: [number, string][] = [
    [0o000, 'closed to you'],
    [0o555, 'read-only'],
  ]
  for (const [mode, words] of rows) {
    const dir = join(rig.aside, 'tree')
    mkdirSync(dir, { mode })
    const agent = ['--agent', 'custom', '--agent-cmd', 'touch "$ASIDE/ran"']
    const started = await rig.loop(['start', 'x', '-p', 'false', '--cwd', dir, ...agent], { wrap: ordinary })
    assert.deepEqual(
      [started.code, started.stderr.trim().split('\n').at(-1)],
      [4, `loop: ${dir} is ${words}: an agent could do nothing there. Check its permissions, or --cwd.`],
    )
    rmdirSync(dir)
  }
})

test('a configured socket is the only one used: another loopd is not asked, and nothing is queued', async t => {
  const rig = makeDaemonRig(t)
  const { pid } = await rig.startDaemon()
  for (const socket of ['/etc/passwd', join(rig.aside, 'other.sock')]) {
    const env = { LOOPD_SOCKET: socket }
    const words = `$LOOPD_SOCKET names ${socket}, but the loopd of this data directory (process ${pid}) serves ${rig.env['LOOPD_SOCKET']}. Unset LOOPD_SOCKET to reach that one.\n`
    for (const command of ['status', 'stop', 'start']) {
      const asked = await rig.loopd([command], { env })
      assert.deepEqual([asked.code, asked.stderr], [5, `loopd: ${words}`], command)
    }
    const started = await rig.loop([...startArgs('true', 'true'), '-b'], { env })
    assert.deepEqual([started.code, started.stderr], [5, `loop: ${words}`])
    assert.equal(seen(await checksIn(rig, env), 'loopd')?.[0], 'fail')
  }
  assert.equal((await rig.loopd(['status'], { env: { LOOPD_SOCKET: '' } })).code, 0)
  assert.equal((await rig.loopd(['status'])).code, 0)
})

test('a pack of checkpoints that is garbage, or has one wrong byte, is named', async t => {
  const rig = makeRig(t)
  rig.write('a', 'a\n')
  await rig.loop(startArgs('echo b > b', 'false', '-n', '1', '--no-baseline'))
  const sound = await rig.loop(['doctor'])
  assert.match(sound.stdout, /^ok +checkpoints +\d+ packs?, none damaged$/m)
  const packs = join(
    rig.paths.data,
    'trees',
    readdirSync(join(rig.paths.data, 'trees'))[0] ?? '',
    'git/objects/pack',
  )
  const pack = join(packs, readdirSync(packs).find(name => name.endsWith('.pack')) ?? '')
  const bytes = readFileSync(pack)
  const flipped = Buffer.from(bytes)
  flipped[30] = (flipped[30] ?? 0) ^ 1
  for (const damaged of [Buffer.from('garbage'), flipped]) {
    rmSync(pack)
    writeFileSync(pack, damaged)
    const { stdout } = await rig.loop(['doctor'])
    assert.match(
      stdout,
      /^warn +checkpoints +\S+\.pack is damaged\n +→ A rollback to a checkpoint in it is refused/m,
    )
  }
})
