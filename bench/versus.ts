/**
 * `npm run bench:versus -- <checkout> [pairs]`: this checkout against another one of loop, in interleaved pairs, so
 * that the noise of the machine hits both alike. Each row prints the median of the ratios this/other and their
 * middle half. Run it first against a second checkout of the same commit: that range is noise, and only a ratio
 * outside of it is slower or faster. Both checkouts must be built (`sh scripts/install`).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type * as checkpointBench from './checkpoint.ts'
import type { fillStore } from './cli.ts'
import { memoryOf, type queueMany } from './many-loops.ts'
import { median, printTable, root, runOrThrow } from './measure.ts'

const [typed, pairsTyped = '30'] = process.argv.slice(2)
if (!typed) throw new Error('Say which other checkout: npm run bench:versus -- ../loop-before [pairs]')
const pairs = Number(pairsTyped)
const base = mkdtempSync(join(tmpdir(), 'loop-versus-'))

/** One of the two checkouts, with a home and work trees of its own. */
type Side = { root: string; dir: string; env: NodeJS.ProcessEnv }

const sides = [root, resolve(typed)].map((checkout, i): Side => {
  const dir = join(base, String(i))
  mkdirSync(join(dir, 'home'), { recursive: true })
  return {
    root: checkout,
    dir,
    env: { PATH: process.env['PATH'], HOME: join(dir, 'home'), LOOPD_SOCKET: join(dir, 's') },
  }
}) as [Side, Side]

try {
  const rows = [
    ...(await loopsOf(1, 41)),
    await compare('loop status, 10 000 loops', side => status(side)),
    await compare('stop hook, nothing to do', side => hook(side, 'idle')),
    await compare('stop hook, a loop under way', side => hook(side, 'held')),
    ...(await checkpoints(300)),
    ...(await checkpoints(10_000)),
    ...(await daemons()),
  ]
  printTable(rows)
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}

type Timed = () => unknown

/** Prepares both sides, then times them in turn; the side that goes first alternates. */
async function compare(what: string, prepare: (side: Side) => Promise<Timed>) {
  const works = [await prepare(sides[0]), await prepare(sides[1])] as const
  return row(what, await ratios(works))
}

async function ratios(works: readonly [Timed, Timed]): Promise<number[]> {
  return (await timesOfPairs(works)).map(([mine, other]) => mine / other)
}

async function timesOfPairs(works: readonly [Timed, Timed]): Promise<[number, number][]> {
  const found: [number, number][] = []
  for (const work of works) await work()
  for (let pair = 0; pair < pairs; pair += 1) {
    const times: [number, number] = [0, 0]
    for (const i of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const began = performance.now()
      await works[i]()
      times[i] = performance.now() - began
    }
    found.push(times)
  }
  return found
}

/** A short loop is mostly its start, so the difference to a long one is what an iteration takes. */
async function loopsOf(few: number, many: number) {
  const timed = async (wanted: number) =>
    timesOfPairs([await iterations(sides[0], wanted), await iterations(sides[1], wanted)])
  const [short, long] = [await timed(few), await timed(many)]
  const start = [0, 1].map(i => median(short.map(times => times[i] ?? 0)))
  const further = long.map(times => (times[0] - (start[0] ?? 0)) / (times[1] - (start[1] ?? 0)))
  const both = (found: [number, number][]) => found.map(([mine, other]) => mine / other)
  return [
    row(`a loop of ${few} iteration, 300 files`, both(short)),
    row(`a loop of ${many} iterations`, both(long)),
    row('each further iteration', further),
  ]
}

function row(what: string, found: number[]) {
  const sorted = found.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2)
  return { what, 'this / other': median(found).toFixed(3), 'middle half': `${at(0.25)} – ${at(0.75)}` }
}

function program(side: Side, name = 'loop'): string {
  return join(side.root, 'bin', name)
}

async function iterations(side: Side, wanted: number): Promise<Timed> {
  const cwd = join(side.dir, `iterations-${wanted}`)
  mkdirSync(cwd)
  for (let i = 0; i < 300; i += 1) writeFileSync(join(cwd, `file-${i}`), `content ${i}\n`)
  const promise = `N=$(wc -l < work); echo "# tests ${wanted}"; echo "# fail $((${wanted} - N))"; test "$N" -ge ${wanted}`
  const fixed = ['--agent', 'custom', '--agent-cmd', 'echo x >> work', '-n', '60', '--json', '--no-baseline']
  return () => {
    writeFileSync(join(cwd, 'work'), '')
    runOrThrow([program(side), 'start', 'x', '-p', promise, ...fixed], { cwd, env: side.env })
  }
}

async function status(side: Side): Promise<Timed> {
  const env = { ...side.env, HOME: join(side.dir, 'home-many') }
  const bench: { fillStore: typeof fillStore } = await import(join(side.root, 'bench', 'cli.ts'))
  bench.fillStore({ env })
  return () => runOrThrow([program(side), 'status'], { cwd: side.dir, env })
}

async function hook(side: Side, kind: 'idle' | 'held'): Promise<Timed> {
  const env = { ...side.env, HOME: join(side.dir, `home-hook-${kind}`) }
  const cwd = join(side.dir, `hook-${kind}`)
  for (const dir of [cwd, env.HOME]) mkdirSync(dir)
  const start = ['start', 'x', '--session', '-p', 'unit=false', '-n', 'unlimited', '--no-baseline']
  if (kind === 'held') runOrThrow([program(side), ...start], { cwd, env })
  const input = JSON.stringify({ session_id: 's1', cwd, hook_event_name: 'Stop', stop_hook_active: false })
  const script = join(side.root, 'plugins', 'claude-code', 'hooks', 'loop.sh')
  return () => {
    const { stdout } = spawnSync('sh', [script, 'stop'], { cwd, env, input, encoding: 'utf8' })
    if (kind === 'held' && JSON.parse(stdout).decision !== 'block') throw new Error(`Not held: ${stdout}`)
  }
}

async function checkpoints(size: number) {
  const opened = await Promise.all(sides.map(side => openTree(side, size)))
  const [mine, other] = opened as [Opened, Opened]
  const both = (work: (one: Opened) => Timed) => ratios([work(mine), work(other)])
  const name = (what: string) => `checkpoint of ${size} files: ${what}`
  return [
    row(name('first'), await both(one => () => one.first())),
    row(name('10 changed'), await both(one => () => one.change(10))),
    row(name('no change'), await both(one => () => one.save())),
    row(name('rollback of 10'), await both(one => () => one.rollback())),
  ]
}

type Opened = Awaited<ReturnType<typeof openTree>>

async function openTree(side: Side, size: number) {
  const bench: typeof checkpointBench = await import(join(side.root, 'bench', 'checkpoint.ts'))
  const place = { tree: join(side.dir, `tree-${size}`), env: side.env }
  mkdirSync(place.tree)
  bench.build(place, size)
  let stores = 0
  const open = () => {
    stores += 1
    return bench.ours({ tree: place.tree, store: join(side.dir, `store-${size}-${stores}`) })
  }
  let peer = open()
  let version = 0
  const edit = () => {
    version += 1
    for (let n = 0; n < 10; n += 1)
      writeFileSync(join(place.tree, bench.pathOf((n * 7) % size)), bench.contentOf(n, version))
  }
  return {
    async first() {
      peer = open()
      await peer.save()
    },
    async change(_count: number) {
      edit()
      await peer.save()
    },
    save: () => peer.save(),
    async rollback() {
      const before = await peer.save()
      edit()
      await peer.restore(before)
    },
  }
}

/** Both daemons at once, each with the same number of loops whose agents wait. */
async function daemons() {
  const count = Number(process.env['BENCH_LOOPS'] ?? 1_000)
  const started: { side: Side; loopd: ChildProcess }[] = []
  try {
    for (const side of sides) started.push({ side, loopd: await startDaemon(side, count) })
    const memory = started.map(({ loopd }) => memoryOf(loopd.pid ?? 0)) as [number, number]
    const ask = (side: Side) => () =>
      runOrThrow([program(side), 'status', '--json'], { cwd: side.dir, env: envOfDaemon(side) })
    return [
      row(`memory of loopd, ${count} loops`, [memory[0] / memory[1]]),
      row(`loop status beside ${count} loops`, await ratios([ask(sides[0]), ask(sides[1])])),
    ]
  } finally {
    for (const { side, loopd } of started) {
      writeFileSync(join(side.dir, 'aside', 'gate'), '')
      loopd.kill('SIGTERM')
      await new Promise(end => loopd.once('close', end))
    }
  }
}

function envOfDaemon(side: Side): NodeJS.ProcessEnv {
  return { ...side.env, HOME: join(side.dir, 'home-daemon'), ASIDE: join(side.dir, 'aside') }
}

async function startDaemon(side: Side, count: number): Promise<ChildProcess> {
  const env = envOfDaemon(side)
  for (const dir of [env['HOME'] ?? '', env['ASIDE'] ?? '']) mkdirSync(dir)
  execFileSync('mkfifo', [join(side.dir, 'aside', 'gate')])
  runOrThrow([program(side), 'config', 'set', 'max_concurrent_loops', String(count)], { cwd: side.dir, env })
  const rig: { queueMany: typeof queueMany } = await import(join(side.root, 'bench', 'many-loops.ts'))
  const ids = rig.queueMany(env, count)
  const loopd = spawn(program(side, 'loopd'), ['start', '--foreground'], {
    env,
    cwd: side.dir,
    stdio: 'ignore',
  })
  const loops = join(env['HOME'] ?? '', '.local/share/daedalos/loop/loops')
  while (!ids.every(id => existsSync(join(loops, id, 'runs/1/pid')))) await delay(50)
  return loopd
}
