/** `loop doctor`: finds what is wrong and says the way out, also if nearly everything is broken. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { backupsIn } from '../../../src/store/sqlite/backup.ts'
import { type Ended, makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const agent = 'echo working; echo x >> work'
const promise = 'test "$(wc -l < work)" -ge 2'

function checksOf(ended: Ended): Record<string, Check> {
  const { checks } = JSON.parse(ended.stdout) as { checks: Check[] }
  return Object.fromEntries(checks.map(check => [check.name, check]))
}

async function diagnosis(
  rig: Rig,
  env?: NodeJS.ProcessEnv,
): Promise<Ended & { checks: Record<string, Check> }> {
  const ended = await rig.loop(['doctor', '--json'], env ? { env } : {})
  return { ...ended, checks: checksOf(ended) }
}

/** Changes the store behind loop's back, as only a broken disk would. */
function tamper(rig: Rig, statement: string): void {
  const store = new DatabaseSync(rig.paths.database)
  store.exec(statement)
  store.close()
}

test('on a machine in order nothing fails, before the first loop and after it', async t => {
  const rig = makeRig(t)
  const before = await diagnosis(rig)
  assert.deepEqual([before.code, before.stderr], [0, ''])
  assert.equal(existsSync(rig.paths.data), false, 'looking makes nothing')
  await rig.loop(startArgs(agent, promise))
  const { code, checks } = await diagnosis(rig)
  assert.equal(code, 0)
  const names = ['node', 'git', 'programs', 'data directory', 'disk space', 'hosts', 'store', 'journals']
  for (const name of [...names, 'summaries', 'orphaned loops', 'backups', 'checkpoints', 'containment'])
    assert.equal(typeof checks[name]?.found, 'string', name)
  for (const name of [
    'data directory',
    'hosts',
    'store',
    'journals',
    'summaries',
    'orphaned loops',
    'backups',
  ])
    assert.equal(checks[name]?.status, 'ok', name)
  assert.match(checks['store']?.found ?? '', /is sound, with 1 loop$/)
  assert.match(checks['backups']?.found ?? '', /^1, the newest [\d.]+m?s old$/)
  const human = await rig.loop(['doctor'])
  assert.match(human.stdout, /^ok {4}node {12}24\.\d+\.\d+ \(/m)
})

test('with no git, no util-linux, no home and no place to write it still says what is wrong, and exits 1', async t => {
  const rig = makeRig(t)
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  writeFileSync(join(rig.aside, 'file'), '')
  const env = { PATH: bin, HOME: undefined, XDG_DATA_HOME: join(rig.aside, 'file') }
  const { code, checks, stderr } = await diagnosis(rig, env)
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stderr).error, {
    reason: 'unhealthy',
    message: '3 checks failed: git, programs, data directory.',
    facts: { kind: 'unhealthy', checks: ['git', 'programs', 'data directory'] },
  })
  assert.deepEqual(
    [checks['git']?.found, checks['git']?.next],
    ['not on the PATH', 'Install git; until then only --checkpoint none works.'],
  )
  assert.match(checks['programs']?.found ?? '', /^not on the PATH: setsid, ln, mv, sleep$/)
  assert.match(checks['data directory']?.found ?? '', /cannot be written: ENOTDIR/)
  assert.equal(checks['containment']?.status, process.env['LOOP_CONTAIN'] ? 'ok' : 'warn')
})

test('a configuration that cannot be read is named with its file', async t => {
  const rig = makeRig(t)
  mkdirSync(dirname(rig.paths.config), { recursive: true })
  writeFileSync(rig.paths.config, 'max_iterations: [')
  const { code, checks } = await diagnosis(rig)
  assert.equal(code, 1)
  assert.ok(checks['configuration']?.found.includes(rig.paths.config), checks['configuration']?.found)
  assert.equal(checks['configuration']?.next, `Mend or remove ${rig.paths.config}.`)
})

test('agents on the PATH are named with their version, and how to update one that is too old', async t => {
  const rig = makeRig(t)
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.7 (Claude Code)"\n', { mode: 0o755 })
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho codex-cli 0.200.1\n', { mode: 0o755 })
  writeFileSync(join(bin, 'cursor-agent'), '#!/bin/sh\necho sorry >&2; exit 3\n', { mode: 0o755 })
  writeFileSync(join(bin, 'aider'), 'not executable', { mode: 0o644 })
  const PATH = [bin, '/usr/bin', '/bin'].join(delimiter)
  const { checks } = await diagnosis(rig, { PATH })
  const claude = join(bin, 'claude')
  assert.equal(checks['agent claude']?.found, `2.1.7 (${claude}), older than 2.1.197, which loop supports`)
  assert.equal(
    checks['agent claude']?.next,
    'Update it with: npm install -g @anthropic-ai/claude-code@latest',
  )
  const codex = join(bin, 'codex')
  assert.equal(checks['agent codex']?.found, `0.200.1 (${codex}), from 0.166.0 on supported`)
  assert.equal(checks['agent cursor']?.found, `sorry (${join(bin, 'cursor-agent')})`)
  assert.equal(checks['agent aider'], undefined)
})

test('a damaged event is named with its loop, a wrong summary is rebuilt, and a directory open to others is seen', async t => {
  const rig = makeRig(t)
  for (const promiseOf of [promise, 'false']) await rig.loop(startArgs(agent, promiseOf, '-n', '2'))
  const [one = '', two = ''] = rig.loops()
  tamper(rig, `update events set data = '{}' where loop = '${one}' and seq = 3`)
  tamper(rig, `update summary set body = replace(body, '"failed"', '"completed"') where loop = '${two}'`)
  chmodSync(rig.paths.data, 0o755)
  const { code, checks } = await diagnosis(rig)
  assert.equal(code, 1)
  assert.equal(checks['data directory']?.next, `chmod 700 ${rig.paths.data}`)
  assert.equal(checks['journals']?.found, `damaged, and not driven any further: ${one} (event 3)`)
  assert.equal(checks['summaries']?.found, `were wrong and are rebuilt from their journals: ${two}`)
  assert.equal((await diagnosis(rig)).checks['summaries']?.status, 'ok')
  const restored = await rig.loop(['doctor', '--restore', '--json'])
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual(JSON.parse(restored.stdout).missing, [], 'the backup has the damaged event')
  assert.equal((await diagnosis(rig)).code, 0)
  assert.deepEqual(rig.loops(), [one, two])
  assert.equal(rig.events(two).at(-1)?.kind, 'loop.failed')
})

test('the list shows a loop whose row is damaged by its journal; of a damaged journal it names the loop', async t => {
  const rig = makeRig(t)
  for (const promiseOf of [promise, 'false']) await rig.loop(startArgs(agent, promiseOf, '-n', '2'))
  const [one = '', two = ''] = rig.loops()
  const listed = async () => {
    const [json, words] = [await rig.loop(['status', '--json']), await rig.loop(['status'])]
    const rows = JSON.parse(json.stdout).map((row: { id: string; status: string }) => [row.id, row.status])
    const [table = ''] = words.stdout.split('\n\n')
    const shown = table.trimEnd().split('\n').slice(1)
    return {
      codes: [json.code, words.code],
      rows,
      ids: shown.map(line => line.split(' ')[0]),
      said: words.stderr,
    }
  }
  const all = [
    [two, 'failed'],
    [one, 'completed'],
  ]
  const before = { codes: [0, 0], rows: all, ids: [two, one], said: '' }
  assert.deepEqual(await listed(), before)
  tamper(rig, `update summary set body = replace(body, '"failed"', '"completed"') where loop = '${two}'`)
  tamper(rig, `update brief set copy = 'x' where loop = '${two}'`)
  assert.deepEqual(await listed(), before)
  tamper(rig, `update events set data = '{}' where loop = '${two}' and seq = 3`)
  const { codes, rows, ids, said } = await listed()
  assert.deepEqual([codes, rows, ids], [[3, 3], [[one, 'completed']], [one]])
  assert.match(said, new RegExp(two))
})

test('a loop whose host died is named with the way to take it up; a living host is not taken for one', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs('echo here; exec sleep 60', 'false', '--no-baseline'))
  const id = await until('the agent', () => {
    const [loop = ''] = existsSync(rig.paths.database) ? rig.loops() : []
    return loop && rig.events(loop).some(({ kind }) => kind === 'run.launched') && loop
  })
  const { checks } = await diagnosis(rig)
  assert.deepEqual(
    [checks['orphaned loops']?.status, checks['hosts']?.found],
    ['ok', `1 process running: ${running.pid}`],
  )
  const hosted = await rig.loop(['doctor', '--restore'])
  assert.deepEqual(
    [hosted.code, hosted.stderr],
    [4, 'loop: The store is sound: there is nothing to restore.\n'],
  )
  running.child.kill('SIGKILL')
  await running.ended
  const orphaned = await diagnosis(rig)
  assert.equal(orphaned.code, 0, 'nothing is broken')
  assert.equal(
    orphaned.checks['orphaned loops']?.next,
    `Take it up with: loop resume ${id}; or end it with: loop cancel ${id}`,
  )
  for (const end of ['-wal', '-shm']) rmSync(`${rig.paths.database}${end}`, { force: true })
  writeFileSync(rig.paths.database, 'no database\n'.repeat(500))
  const working = await rig.loop(['doctor', '--restore'])
  assert.equal(working.code, 4)
  assert.match(
    working.stderr,
    /^loop: Agents are still at work: process [\d, ]+\. End them first, then restore\.\n$/,
  )
  for (const pid of working.stderr.match(/\d+/g) ?? []) {
    if (existsSync(`/proc/${pid}`)) process.kill(Number(pid), 'SIGKILL')
  }
})

test('a damaged store stops with a message; the doctor restores it, keeps the damaged file and says what is missing', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, promise))
  const [one = ''] = rig.loops()
  assert.equal(backupsIn(rig.paths, Date.now()).length, 1)
  await rig.loop(startArgs(agent, 'false', '-n', '2', '--no-baseline'))
  const two = rig.loops()[1] ?? ''
  const journal = rig.events(one)
  const garbage = 'no database\n'.repeat(500)
  writeFileSync(rig.paths.database, garbage)
  const status = await rig.loop(['status'])
  assert.equal(status.code, 3)
  assert.match(status.stderr, /is damaged \(file is not a database\).*: loop doctor --restore\. /)
  const { code, checks } = await diagnosis(rig)
  assert.equal(code, 1)
  assert.match(checks['store']?.next ?? '', /: loop doctor --restore$/)
  const restored = await rig.loop(['doctor', '--restore'])
  assert.equal(restored.code, 0, restored.stderr)
  const [aside = ''] = readdirSync(rig.paths.damaged)
  const lines = restored.stdout.split('\n')
  assert.match(lines[0] ?? '', /^The store is restored from its backup of 2.*Z \(.* old\)\.$/)
  assert.equal(lines[1], `  the damaged files are kept in ${join(rig.paths.damaged, aside)}`)
  assert.equal(lines[2], `  missing: the journal of loop ${two}; its files are in ${rig.dir(two)}`)
  assert.equal(readFileSync(join(rig.paths.damaged, aside, 'loop.db'), 'utf8'), garbage)
  assert.deepEqual(rig.events(one), journal)
  const after = await diagnosis(rig)
  assert.equal(after.code, 0)
  const keptIn = `outputs and checkpoints are kept in ${rig.paths.data}`
  assert.equal(after.checks['lost journals']?.found, `the store does not know ${two}; ${keptIn}`)
  const again = await rig.loop(startArgs(agent, promise))
  assert.equal(again.code, 0, 'and loops run as before')
})

test('a loop that lost its newest events and is resumed writes over no checkpoint of that time', async t => {
  const rig = makeRig(t)
  const changing = 'echo "$LOOP_ITERATION" >> work; date +%N >> work'
  await rig.loop(startArgs(changing, 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  assert.equal(backupsIn(rig.paths, Date.now()).length, 1)
  assert.equal((await rig.loop(['resume', id, '-n', '2'])).code, 1)
  const refs = join(rig.paths.trees, readdirSync(rig.paths.trees)[0] ?? '', 'git/refs/loop', id)
  const saved = (name: string) => readFileSync(join(refs, name), 'utf8')
  const lost = saved('iter-002-after')
  writeFileSync(rig.paths.database, 'no database')
  const { stdout } = await rig.loop(['doctor', '--restore'])
  for (const name of ['iter-002', 'iter-002-after'])
    assert.ok(stdout.includes(`  not in the journal, and kept: ${join(refs, name)}.unrecorded\n`), stdout)
  assert.ok(existsSync(join(refs, 'iter-001-after')), 'what the journal knows keeps its name')
  await rig.loop(['resume', id, '-n', '2'])
  assert.notEqual(saved('iter-002-after'), lost)
  assert.equal(saved('iter-002-after.unrecorded'), lost)
})

test('an older store that somebody put back: a resumed loop replaces no run and no checkpoint since then', async t => {
  const rig = makeRig(t)
  const changing = 'echo "$LOOP_ITERATION" >> work; date +%N | tee -a work'
  await rig.loop(startArgs(changing, 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  const older = readFileSync(rig.paths.database)
  const goOn = async () => {
    assert.equal((await rig.loop(['resume', id, '-n', '2'])).code, 1)
    assert.equal((await rig.loop(['checkpoint', id, 'good'])).code, 0)
    assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  }
  await goOn()
  const refs = join(rig.paths.trees, readdirSync(rig.paths.trees)[0] ?? '', 'git/refs/loop', id)
  const places = [
    ...['iter-002', 'iter-002-after', 'good', 'before-rollback-1'].map(name => join(refs, name)),
    join(rig.dir(id), 'runs/2'),
  ]
  const read = (path: string) => readFileSync(path.includes('/runs/') ? join(path, 'out') : path, 'utf8')
  const since = places.map(read)
  for (const end of ['-wal', '-shm']) rmSync(`${rig.paths.database}${end}`, { force: true })
  writeFileSync(rig.paths.database, older)
  rig.write('work', 'another state\n')
  await goOn()
  assert.deepEqual(
    places.map(path => read(`${path}.unrecorded`)),
    since,
  )
  for (const [n, path] of places.entries()) assert.notEqual(read(path), since[n], path)
})

test('a backup that cannot be taken is no failure of the loop, and the doctor says why', async t => {
  const rig = makeRig(t)
  mkdirSync(rig.paths.data, { recursive: true, mode: 0o700 })
  symlinkSync('/proc/nowhere', rig.paths.backups)
  const ended = await rig.loop(startArgs(agent, promise))
  assert.deepEqual([ended.code, /ENOENT/.test(ended.stderr)], [0, false])
  const { checks } = await diagnosis(rig)
  assert.deepEqual(
    [checks['backups']?.status, checks['backups']?.found],
    ['warn', 'none newer than the loops there are'],
  )
})

test('the journal and the row of a group are judged as those of a loop; readable parts are still shown', async t => {
  const rig = makeRig(t)
  const bestOf = (of: string) => startArgs(`echo x > ${of}`, `test -f ${of}`, '--best-of', '2')
  await rig.loop(bestOf('one'))
  const [one = ''] = rig.loops()
  await rig.loop(bestOf('two'))
  const two = rig.loops().find(id => rig.events(id)[0]?.kind.startsWith('group') && id !== one) ?? ''
  assert.equal((await diagnosis(rig)).code, 0)
  tamper(rig, `update summary set body = replace(body, '"completed"', '"failed"') where loop = '${two}'`)
  const { checks } = await diagnosis(rig)
  assert.equal(checks['summaries']?.found, `were wrong and are rebuilt from their journals: ${two}`)
  tamper(rig, `update events set data = '{}' where loop = '${one}' and seq = 3`)
  const damaged = await diagnosis(rig)
  assert.equal(damaged.code, 1)
  assert.equal(damaged.checks['journals']?.found, `damaged, and not driven any further: ${one} (event 3)`)
  const listed = await rig.loop(['list', '--json'])
  assert.deepEqual(
    JSON.parse(listed.stdout).map((row: { id: string; members: unknown[] }) => [row.id, row.members.length]),
    [
      [two, 2],
      [one, 2],
    ],
  )
})

test('files that others could read or change are named, with the way back', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'true'))
  await rig.loop(['config', 'set', 'budget', '5'])
  const well = await rig.loop(['doctor', '--json'])
  assert.doesNotMatch(well.stdout, /permissions/)
  chmodSync(rig.paths.database, 0o644)
  chmodSync(rig.paths.config, 0o666)
  const { stdout } = await rig.loop(['doctor'])
  assert.match(stdout, /permissions .*loop\.db: open to others, or not yours/)
  assert.match(stdout, /chmod go-rwx \S*loop\.db/)
  assert.match(stdout, /permissions .*config\.yaml: for others to change, or not yours/)
})
