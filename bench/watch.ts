/**
 * `loop watch` on 100 MB of output, in a pseudo-terminal: its memory, its CPU time while nothing changes, and the time
 * from a key to the screen. Bars of the specification: 120 MB, 5 % of a core, 50 ms.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { loopProgram, makePlace, median, ms, type Place, printTable, root, runOrThrow } from './measure.ts'

const megabytes = 100
const keys = 40

export async function watch(): Promise<void> {
  const place = makePlace()
  const id = await aLoop(place)
  const rows = []
  for (const what of ['first look', 'with its index'] as const)
    rows.push({ what, ...(await measure(place, id)) })
  printTable(rows)
  place.dispose()
}

/** A loop that has ended; 100 MB of output are then written straight into the file of its run. Returns its id. */
async function aLoop({ tree, env }: Place): Promise<string> {
  const at = { cwd: tree, env }
  const start = [
    'start',
    'work',
    '-p',
    'false',
    '--agent',
    'custom',
    '--agent-cmd',
    'echo x >> f; echo hi',
    '-n',
    '1',
  ]
  spawnSyncQuietly([loopProgram, ...start, '--no-baseline', '--no-input', '--plain'], at)
  const [row] = JSON.parse(runOrThrow([loopProgram, 'status', '--json'], at)) as { id: string }[]
  if (!row) throw new Error('no loop')
  const out = createWriteStream(
    join(env['HOME'] ?? '', '.local/share/daedalos/loop/loops', row.id, 'runs/1/out'),
  )
  const line = 'what a busy agent prints all night long, again and again.......\n'
  for (let i = 0; i < megabytes; i += 1)
    if (!out.write(line.repeat(Math.floor(1_000_000 / line.length))))
      await new Promise<void>(go => out.once('drain', () => go()))
  await new Promise<void>(done => out.end(done))
  return row.id
}

function spawnSyncQuietly(argv: string[], at: { cwd: string; env: NodeJS.ProcessEnv }): void {
  try {
    runOrThrow(argv, at)
  } catch {
    // `loop start` exits with 1, because the promise does not hold.
  }
}

type Measured = {
  'ready after': string
  'memory (bar: 120 MB)': string
  'idle (bar: 5 %)': string
  'key to screen (bar: 50 ms)': string
}

async function measure({ tree, env }: Place, id: string): Promise<Measured> {
  const begun = performance.now()
  const child = spawn('python3', [join(root, 'test/rig/in-pty.py'), '120', '40', loopProgram, 'watch', id], {
    cwd: tree,
    env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  })
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('no pipes')
  let heard = ''
  const seen = { bytes: 0 }
  stdout.on('data', (data: Buffer) => {
    seen.bytes += data.length
    heard = (heard + data.toString()).slice(-20_000)
  })
  const type = stdin as Writable
  while (!heard.includes('follows')) await delay(5)
  const ready = performance.now() - begun
  const pid = Number(
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0],
  )
  await delay(500)
  const [cpu, at] = [cpuMs(pid), performance.now()]
  await delay(5_000)
  const idle = (cpuMs(pid) - cpu) / (performance.now() - at)
  const times: number[] = []
  for (let i = 0; i < keys; i += 1) {
    const before = seen.bytes
    const pressed = performance.now()
    type.write(i % 2 === 0 ? 'k' : 'j')
    while (seen.bytes === before && performance.now() - pressed < 1_000) await delay(1)
    times.push(performance.now() - pressed)
    await delay(80)
  }
  const memory =
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
  type.write('q')
  await new Promise(resolve => child.once('close', resolve))
  return {
    'ready after': ms(ready),
    'memory (bar: 120 MB)': `${Math.round(memory)} MB`,
    'idle (bar: 5 %)': `${(idle * 100).toFixed(1)} %`,
    'key to screen (bar: 50 ms)': ms(median(times)),
  }
}

/** The CPU time of a process so far. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
