/**
 * Plays one case of the public sets: a fresh git repository, an agent that copies its prepared files over it, a real
 * `loop start`, and what came of it by `--json`. Nothing is judged here but whether the end is one of those wanted.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loopProgram, makePlace, type Place, root, runOrThrow } from '../measure.ts'

/** `idle`: the promise held before any agent ran, so that the case shows nothing. */
export type Ended = 'SHIP' | 'MONITOR' | 'asked' | 'failed' | 'idle'

export type Case = {
  /** The row of the table it counts for. */
  row: string
  what: string
  prompt: string
  promise: string
  /** Writes the project as it is at the start. */
  lay(tree: string): void
  /** What the agent writes, by path. */
  work: Record<string, string>
  wanted: Ended[]
  /** A file that the reason has to name. */
  names?: string
}

export type Played = { case: Case; ended: Ended; asWanted: boolean; why: string }

export async function playAll(cases: Case[]): Promise<Played[]> {
  const queue = [...cases]
  const played: Played[] = []
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      played.push(await play(next))
      if (played.length % 20 === 0) console.log(`${played.length} of ${cases.length} played`)
    }
  }
  await Promise.all([worker(), worker()])
  return played
}

async function play(one: Case): Promise<Played> {
  const place = makePlace()
  const env = { ...place.env, PATH: `${join(root, 'node_modules', '.bin')}:${place.env['PATH']}` }
  one.lay(place.tree)
  commitAll(place)
  const work = join(dirname(place.tree), 'work')
  writeFiles(work, one.work)
  const agent = ['--agent', 'custom', '--agent-cmd', `cp -R '${work}/.' .`]
  const args = ['start', one.prompt, '-p', one.promise, ...agent, '-n', '2', '--no-input', '--json']
  const said = await outputOf(args, { cwd: place.tree, env })
  place.dispose()
  const { ended, why } = endOf(said)
  const named = !one.names || why.includes(one.names)
  return { case: one, ended, asWanted: one.wanted.includes(ended) && named, why }
}

function commitAll({ tree, env }: Place): void {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...who, 'commit', '-qm', 'start'],
  ]) {
    runOrThrow(['git', ...args], { cwd: tree, env })
  }
}

export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

function outputOf(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<string> {
  const child = spawn(loopProgram, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', part => (stdout += part))
  child.stderr.on('data', part => (stderr += part))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(stdout.trim() || JSON.stringify({ status: 'refused', reason: stderr })))
  })
}

type Document = {
  status: string
  iteration?: number
  reason: string
  question?: string | null
  ship?: { verdict: string; against: string[] }
  doubts?: { words: string; files: string[] }[]
}

function endOf(said: string): { ended: Ended; why: string } {
  const { status, iteration = 0, reason, ship, doubts = [], question } = JSON.parse(said) as Document
  const doubted = doubts.map(({ words, files }) => `${words} [${files.join(', ')}]`)
  const why = [`${status}: ${reason}`, ...(ship?.against ?? []), ...doubted].join('; ')
  if (status === 'completed' && iteration === 0) return { ended: 'idle', why }
  if (status === 'completed') return { ended: ship?.verdict === 'SHIP' ? 'SHIP' : 'MONITOR', why }
  return { ended: question ? 'asked' : 'failed', why }
}
