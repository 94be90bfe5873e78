/**
 * `node scripts/record-store.ts <directory>`: records a store as the program of this checkout writes it, with one
 * loop in each situation that a later version must still read: test/unit/store/recorded.test.ts opens every
 * recording. Run once for each release, before its tag; uses nothing but the programs and SQLite, so that the same
 * script records any version. Writes `<directory>/loop.db.gz` and `<directory>/expected.json`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? '')
if (!process.argv[2])
  throw new Error('Say where to: node scripts/record-store.ts test/recordings/stores/0.1.0')

const base = mkdtempSync(join(tmpdir(), 'loop-record-'))
const data = join(base, 'home', '.local', 'share', 'daedalos', 'loop')
const env = {
  PATH: process.env['PATH'],
  HOME: join(base, 'home'),
  LOOPD_SOCKET: join(base, 'loopd.sock'),
}
mkdirSync(env.HOME)

/** The ids of the loops, by their situation. */
const loops: Record<string, string> = {}
const daemon = spawn(join(root, 'bin', 'loopd'), ['start', '--foreground'], { env, stdio: 'ignore' })

try {
  await atRest()
  await underDaemon()
  await killed()
  tenThousandEvents()
  kill(daemon)
  await ended(daemon)
  record()
} finally {
  daemon.kill('SIGKILL')
  // Their agents have outlived the daemon, as intended.
  for (const name of ['running', 'queued', 'waiting', 'session']) loop(['cancel', loops[name] ?? ''], base)
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}

async function atRest(): Promise<void> {
  loops['completed'] = start('completed', ['echo x >> work', 'test "$(wc -l < work)" -ge 2'])
  loops['failed'] = start('failed', ['echo x >> work', 'echo "1 failed" >&2; false'], '-n', '2')
  loops['crashed'] = start('crashed', ['kill -9 $$', 'false'], '--agent-error-limit', '1')
  loops['stuck'] = start('stuck', ['true', 'false'], '--no-change-limit', '2')
  const spends = `echo '{"costUsd": 2}' > "$LOOP_USAGE_FILE"; echo x >> work`
  loops['budget'] = start('budget', [spends, 'false'], '--budget', '1')
  loops['rolled-back'] = start('rolled-back', ['echo x >> work', 'false'], '-n', '1')
  loop(['rollback', loops['rolled-back'], 'initial', '--json'], treeOf('rolled-back'))
}

/** An agent that worked through a long night. */
function tenThousandEvents(): void {
  const endless = ['--checkpoint', 'none', '-n', '1440', '--stuck-limit', 'off', '--no-change-limit', 'off']
  loops['ten-thousand'] = start('ten-thousand', ['true', 'false'], ...endless)
}

async function underDaemon(): Promise<void> {
  const question = `printf '{"question": "Which of the two?"}' > "$LOOP_USAGE_FILE"`
  loops['asks'] = background('asks', question)
  loops['running'] = background('running', 'sleep 600')
  loops['queued'] = background('running', 'true')
  await until('a loop to ask', () => status('asks') === 'paused')
  await until('a loop to run', () => status('running') === 'running')
  loops['cancelled'] = background('cancelled', 'sleep 600')
  await until('a loop to run', () => status('cancelled') === 'running')
  loop(['cancel', loops['cancelled']], base)
}

/** The remains of hosts that were killed in the middle of something. */
async function killed(): Promise<void> {
  loops['half-rolled-back'] = start('half', ['echo x >> work', 'false'], '-n', '1')
  loop(['rollback', loops['half-rolled-back'], 'initial'], treeOf('half'), { LOOP_FAULT: 'restore' })
  const waiting = spawn(join(root, 'bin', 'loop'), startArgs('waiting', ['kill -9 $$', 'false']), {
    cwd: treeOf('waiting'),
    env,
    stdio: 'ignore',
  })
  await until('a loop to back off', () => loopWith('wait.started') !== null)
  kill(waiting)
  await ended(waiting)
  loops['waiting'] = loopWith('wait.started') ?? ''
  const args = ['start', 'in a session', '-p', 'false', '--session', '--json']
  loops['session'] = JSON.parse(loop(args, treeOf('session'), { CLAUDE_CODE_SESSION_ID: 'recorded' })).id
}

/** In a tree of that name. */
function start(name: string, [agent, promise]: Work, ...more: string[]): string {
  return JSON.parse(loop([...startArgs(name, [agent, promise]), ...more], treeOf(name))).id
}

type Work = [agent: string, promise: string]

function startArgs(prompt: string, [agent, promise]: Work): string[] {
  return ['start', prompt, '-p', promise, '--agent', 'custom', '--agent-cmd', agent, '--json', '--no-input']
}

/** A loop whose journal ends with such an event. */
function loopWith(kind: string): string | null {
  const db = new DatabaseSync(join(data, 'loop.db'), { readOnly: true })
  const newest = 'seq = (select max(seq) from events other where other.loop = events.loop)'
  const row = db.prepare(`select loop from events where kind = ? and ${newest}`).get(kind)
  db.close()
  return row ? String(row['loop']) : null
}

function background(name: string, agent: string): string {
  return start(name, [agent, 'false'], '-b')
}

function treeOf(name: string): string {
  const tree = join(base, name)
  mkdirSync(tree, { recursive: true })
  return tree
}

function loop(args: string[], cwd: string, more: Record<string, string> = {}): string {
  const ran = spawnSync(join(root, 'bin', 'loop'), args, { cwd, env: { ...env, ...more }, encoding: 'utf8' })
  if (ran.status === 4) throw new Error(`loop ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

function status(name: string): string {
  return JSON.parse(loop(['status', loops[name] ?? '', '--json'], base)).status
}

async function until(what: string, look: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !look(); await delay(50))
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`)
}

function kill({ pid }: ChildProcess): void {
  if (pid) process.kill(pid, 'SIGKILL')
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(end => child.once('exit', end))
}

function record(): void {
  const details = Object.fromEntries(
    Object.entries(loops).map(([name, id]) => [
      name,
      {
        id,
        status: JSON.parse(loop(['status', id, '--json'], base)),
        ...(name !== 'ten-thousand' && { history: JSON.parse(loop(['history', id, '--json'], base)) }),
      },
    ]),
  )
  const file = join(base, 'copy.db')
  const source = new DatabaseSync(join(data, 'loop.db'))
  source.exec(`vacuum into '${file}'`)
  source.close()
  const db = new DatabaseSync(file)
  const events = db.prepare('select loop, count(*) as n from events group by loop').all()
  // A forged verdict, in a loop of its own.
  const damaged = loops['stuck'] ?? ''
  const forged = `update events set data = replace(data, 'FAIL', 'PASS') where loop = ? and kind = 'promise.verified' and seq = 2`
  if (db.prepare(forged).run(damaged).changes !== 1) throw new Error('There is no verdict to damage')
  db.close()
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'loop.db.gz'), gzipSync(readFileSync(file), { level: 9 }))
  const expected = {
    base,
    damaged,
    events: Object.fromEntries(events.map(row => [row['loop'], row['n']])),
    details,
  }
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`)
}
