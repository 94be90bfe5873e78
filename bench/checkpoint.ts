/**
 * Saving and restoring a work tree of 300, 10 000 and 80 000 files, side by side with the git commands that other
 * programs run for it and with a bare lstat walk, interleaved in one run. The repository is packed, as after a clone.
 * LOOP_BENCH_FILES=300,10000 measures some of the sizes only.
 */

import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Checkpoints } from '../src/checkpoints/contract.ts'
import { gitCheckpoints } from '../src/checkpoints/git/backend.ts'
import { failureWords } from '../src/failures/words.ts'
import type { Result } from '../src/model/failure.ts'
import { makePlace, median, ms, nodeProgram, type Place, printTable, runOrThrow } from './measure.ts'
import { cline, gemini, opencode, type Peer, stash } from './peers.ts'

const sizes = (process.env['LOOP_BENCH_FILES'] ?? '300,10000,80000').split(',').map(Number)

/** A step that takes longer is measured once. */
const slowMs = 5_000
const firsts = 5

type Contender = Peer & { tree: string; store: string; last: string }

type Times = Record<string, Record<string, number[]>>

export async function checkpoint(): Promise<void> {
  for (const size of sizes) {
    const place = makePlace()
    console.log(`\n### ${size} files`)
    try {
      printTable(report(await measure(place, size), size))
    } finally {
      place.dispose()
    }
  }
}

/** A pause after loop was measured: it writes its cache of a large tree after it has answered. */
function afterwardsMs(size: number): number {
  return size < 2_000 ? 0 : 300 + size / 40
}

export function pathOf(n: number): string {
  return `src/part-${n % 10}/area-${Math.floor(n / 10) % 10}/module-${Math.floor(n / 1000)}/file-${n}.txt`
}

export function contentOf(n: number, version: number): string {
  return `version ${version} of file ${n}\n`.repeat(20 + (n % 100))
}

export function build({ tree, env }: Pick<Place, 'tree' | 'env'>, size: number): void {
  for (let n = 0; n < size; n += 1) {
    const path = join(tree, pathOf(n))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contentOf(n, 0))
  }
  writeFileSync(join(tree, '.gitignore'), 'node_modules/\n*.log\ndist\n.env\n')
  const run = (...args: string[]) => runOrThrow(['git', ...args], { cwd: tree, env })
  run('init', '-q')
  run('config', 'user.name', 'u')
  run('config', 'user.email', 'u@example.org')
  run('add', '-A')
  run('commit', '-qm', 'all')
  run('repack', '-adq')
  run('prune-packed')
  runOrThrow(['cp', '-r', tree, `${tree}-stash`], { cwd: tree, env })
  runOrThrow(['git', 'status'], { cwd: `${tree}-stash`, env })
}

async function measure(place: Place, size: number): Promise<Times> {
  build(place, size)
  const times: Times = {}
  const rounds = size > 20_000 ? 5 : 7
  const timed = async (step: string, name: string, work: () => unknown) => {
    const start = performance.now()
    await work()
    const of = (times[step] ??= {})
    ;(of[name] ??= []).push(performance.now() - start)
  }
  const contenders = openAll(place, 0)
  const isSlow = (step: string, name: string) => Math.max(0, ...(times[step]?.[name] ?? [])) > slowMs
  const each = async (step: string, work: (one: Contender, name: string) => Promise<unknown>) => {
    await timed(step, 'bare walk', () => walk(place.tree))
    for (const [name, one] of Object.entries(contenders)) {
      if (isSlow(step, name)) continue
      await timed(step, name, () => work(one, name))
      if (name === 'loop') await delay(afterwardsMs(size))
    }
  }
  const save = async (one: Contender) => {
    one.last = await one.save()
  }
  let version = 0
  const edit = (count: number, trees = [place.tree, `${place.tree}-stash`]) => {
    version += 1
    for (const tree of trees) {
      for (let n = 0; n < Math.min(count, size); n += 1)
        writeFileSync(join(tree, pathOf((n * 7) % size)), contentOf(n, version))
    }
  }
  edit(1)
  const newProcess: number[] = []
  for (let round = 0; round < firsts; round += 1) {
    const opened = Object.entries(openAll(place, round)).filter(([name]) => !isSlow('first', name))
    Object.assign(contenders, Object.fromEntries(opened))
    await each('first', save)
    newProcess.push(inNewProcess(place, round))
  }
  // The other programs run git, which is a new process every time.
  times['first, new process'] = { ...times['first'], loop: newProcess }
  for (let round = 0; round < rounds; round += 1) {
    edit(10)
    await each('10 changed', save)
    // Not measured: a save right after an edit may have to read the edited files once more.
    for (const one of Object.values(contenders)) await save(one)
    await each('no change', save)
  }
  const before = grown(contenders)
  edit(1_000)
  await each('1 000 changed', save)
  times['growth, kB'] = Object.fromEntries(
    Object.entries(grown(contenders)).map(([name, bytes]) => [name, [(bytes - (before[name] ?? 0)) / 1_000]]),
  )
  for (let round = 0; round < rounds; round += 1) {
    const quick = Object.entries(contenders).filter(([name]) => !isSlow('rollback of 10', name))
    await rollbacks({ contenders: Object.fromEntries(quick), edit, save, timed })
  }
  return times
}

/** Loop's first checkpoint in a new process, in ms: without the start of Node, but with the time to compile loop. */
function inNewProcess({ tree, env }: Place, round: number): number {
  const program = join(import.meta.dirname, 'first-checkpoint.ts')
  const store = join(dirname(tree), `store-new-${round}`)
  return Number(runOrThrow([nodeProgram, program, tree, store], { cwd: tree, env }))
}

/**
 * Each contender restores its own last state after ten files changed. Some rewrite every file, so each contender saves
 * the tree once more before it is measured.
 */
async function rollbacks(run: {
  contenders: Record<string, Contender>
  edit(count: number, trees: string[]): void
  save(one: Contender): Promise<void>
  timed(step: string, name: string, work: () => unknown): Promise<void>
}): Promise<void> {
  for (const [name, one] of Object.entries(run.contenders)) {
    await run.save(one)
    await run.timed('rollback of 10', 'bare walk', () => walk(one.tree))
    const before = readFileSync(join(one.tree, pathOf(7)), 'utf8')
    run.edit(10, [one.tree])
    await run.timed('rollback of 10', name, () => one.restore(one.last))
    if (readFileSync(join(one.tree, pathOf(7)), 'utf8') !== before) throw new Error(`${name} did not restore`)
  }
}

/** A store of its own for each round: git may still be at work in the one before. */
function openAll(place: Place, round: number): Record<string, Contender> {
  const { tree } = place
  // No garbage collection of git in the background: it would slow down the contenders measured after it.
  const env = { ...place.env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'gc.auto', GIT_CONFIG_VALUE_0: '0' }
  const open = (
    name: string,
    make: (at: { tree: string; store: string; env: NodeJS.ProcessEnv }) => Peer,
  ) => {
    const store = join(dirname(tree), `store-${name}-${round}`)
    const own = name === 'stash' ? `${tree}-stash` : tree
    return { ...make({ tree: own, store, env }), tree: own, store, last: '' }
  }
  return {
    loop: open('loop', ours),
    opencode: open('opencode', opencode),
    'gemini-cli': open('gemini', gemini),
    cline: open('cline', cline),
    'git stash -u': open('stash', stash),
  }
}

export function ours(at: { tree: string; store: string }): Peer {
  const checkpoints: Checkpoints = gitCheckpoints(at)
  const { signal } = new AbortController()
  let n = 0
  return {
    async save() {
      n += 1
      const taken = value(await checkpoints.take({ loop: 'bench', name: `c-${n}`, since: null, signal }))
      return taken.tree ?? ''
    },
    async restore(tree) {
      n += 1
      value(await checkpoints.restore({ loop: 'bench', tree, keepAs: `kept-${n}` }))
    },
  }
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(failureWords(result.failure))
  return result.value
}

function walk(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name === '.git') continue
    const path = `${directory}/${name}`
    if (lstatSync(path).isDirectory()) walk(path)
  }
}

function grown(contenders: Record<string, Contender>): Record<string, number> {
  const size = (one: Contender) => diskUse(one.store === '' ? one.tree : one.store)
  return Object.fromEntries(Object.entries(contenders).map(([name, one]) => [name, size(one)]))
}

function diskUse(directory: string): number {
  const stat = lstatSync(directory, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  return readdirSync(directory).reduce((sum, name) => sum + diskUse(join(directory, name)), 0)
}

function report(times: Times, size: number): Record<string, string>[] {
  return Object.entries(times).map(([what, of]) => {
    const medians = Object.fromEntries(Object.entries(of).map(([name, list]) => [name, median(list)]))
    if (what.startsWith('growth')) {
      return {
        what,
        ...Object.fromEntries(Object.entries(medians).map(([name, kb]) => [name, kb.toFixed(0)])),
      }
    }
    const mine = medians['loop'] ?? 0
    const peers = Object.entries(medians).filter(([name]) => name !== 'loop' && name !== 'bare walk')
    const best = Math.min(...peers.map(([, time]) => time))
    const walked = mine / (medians['bare walk'] ?? 1)
    const bar = size === 10_000 && what in bars ? ` (bar ${bars[what]})` : ''
    return {
      what,
      ...Object.fromEntries(Object.entries(medians).map(([name, time]) => [name, ms(time)])),
      'best peer / loop': (best / mine).toFixed(2),
      'loop / walk': walked.toFixed(2) + bar,
    }
  })
}

const bars: Record<string, string> = { 'no change': '2.5', '10 changed': '3' }
