/**
 * The cost of a work copy, which each attempt of a group gets: a work tree of 10 000 files with 700 MB of dependencies
 * in many small files. Side by side with what people do instead: `git worktree add` with `npm ci` (from its cache,
 * offline) or with a copy of node_modules, and `cp -a`. LOOP_BENCH_PACKAGES=60 gives a tenth of the dependencies,
 * LOOP_BENCH_ROUNDS=1 one round. After five minutes no new round begins: a slow disk gives fewer rounds, but an end.
 */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { WorkCopies } from '../src/adapters/workcopies/contract.ts'
import { localCopies } from '../src/adapters/workcopies/local.ts'
import { failureWords } from '../src/failures/words.ts'
import { build } from './checkpoint.ts'
import { manyAtOnce } from './many-at-once.ts'
import { makePlace, median, ms, type Place, printTable, runOrThrow } from './measure.ts'

const packages = Number(process.env['LOOP_BENCH_PACKAGES'] ?? 600)
const filesEach = 88
const rounds = Number(process.env['LOOP_BENCH_ROUNDS'] ?? 3)
const patienceMs = 300_000
const never = new AbortController().signal
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-update-notifier', '--loglevel=error']

export async function groups(): Promise<void> {
  manyAtOnce()
  const place = makePlace()
  try {
    build(place, 10_000)
    await install(place)
    const size = runOrThrow(['du', '-sm', 'node_modules'], { cwd: place.tree, env: place.env }).split('\t')[0]
    console.log(`\n### 10000 files, ${packages * filesEach} files of dependencies (${size} MB)`)
    const times = await measure(place)
    printTable(report(times))
    console.log(`medians of ${Object.values(times)[0]?.length ?? 0} rounds`)
  } finally {
    place.dispose()
  }
}

/** Serves generated packages as a registry does, and installs them once, so that the cache of npm is warm. */
async function install({ tree, env }: Place): Promise<void> {
  const registry = join(dirname(tree), 'registry')
  for (let n = 0; n < packages; n += 1) pack(join(registry, 'package'), { registry, n, env })
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    if (/^p\d+\.tgz$/.test(name)) response.end(readFileSync(join(registry, name)))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = Array.from({ length: packages }, (_, n) => `p${n}`)
  const dependencies = Object.fromEntries(names.map(name => [name, '1.0.0']))
  const root = { name: 'bench', version: '1.0.0', dependencies }
  const locked = names.map(name => [
    `node_modules/${name}`,
    lockOf(join(registry, `${name}.tgz`), `${from}/${name}.tgz`),
  ])
  const lock = { ...root, lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(locked) } }
  writeFileSync(join(tree, 'package.json'), JSON.stringify(root))
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify(lock))
  runOrThrow(['git', 'add', '-A'], { cwd: tree, env })
  runOrThrow(['git', 'commit', '-qm', 'dependencies'], { cwd: tree, env })
  await npm(tree, env, ['ci', `--registry=${from}`, ...quiet])
  server.close()
  rmSync(registry, { recursive: true })
}

type Packing = { registry: string; n: number; env: NodeJS.ProcessEnv }

function pack(directory: string, { registry, n, env }: Packing): void {
  for (let file = 0; file < filesEach; file += 1) {
    const path = join(directory, `lib/part-${file % 8}/file-${file}.js`)
    mkdirSync(dirname(path), { recursive: true })
    // Most files are small, some are not: 13 kB in the middle.
    const lines = 8 + Math.round(((n * 31 + file * 7) % 100) ** 3 / 1_150)
    writeFileSync(path, `export const v${n}_${file} = ${n * file}; // ${'x'.repeat(20)}\n`.repeat(lines))
  }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: `p${n}`, version: '1.0.0' }))
  runOrThrow(['tar', 'czf', `p${n}.tgz`, 'package'], { cwd: registry, env })
}

function lockOf(file: string, resolved: string) {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  return { version: '1.0.0', resolved, integrity }
}

/** Asynchronous, because the registry that npm asks runs in this thread. */
function npm(cwd: string, env: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`npm ended with ${code}`))))
  })
}

type Times = Record<string, number[]>

async function measure(place: Place): Promise<Times> {
  const { tree, env } = place
  const base = dirname(tree)
  const paths = {
    store: join(base, 'store'),
    copies: join(base, 'copies'),
    templates: join(base, 'templates'),
  }
  const copies = localCopies({ tree, ...paths, env })
  const run = (...argv: string[]) => runOrThrow(argv, { cwd: tree, env })
  const times: Times = {}
  const timed = async (name: string, work: () => unknown) => {
    run('sync')
    const began = performance.now()
    await work()
    const took = performance.now() - began
    ;(times[name] ??= []).push(took)
    console.error(`${name}: ${ms(took)}`)
  }
  const other = join(base, 'other')
  const beganAll = performance.now()
  const isPatient = () => performance.now() - beganAll < patienceMs
  for (let round = 0; round < rounds && (round === 0 || isPatient()); round += 1) {
    await timed('loop, the first copy', () => make(copies, 'one'))
    await timed('loop, the next copy', () => make(copies, 'two'))
    await clear(copies, paths.templates)
    await timed('loop, three copies, from nothing', () =>
      Promise.all(['one', 'two', 'three'].map(name => make(copies, name))),
    )
    await clear(copies, paths.templates)
    await timed('cp -a', () => run('cp', '-a', tree, other))
    run('rm', '-rf', other)
    await timed('git worktree add, cp -a node_modules', () => {
      run('git', 'worktree', 'add', '-q', '--detach', other)
      run('cp', '-a', 'node_modules', other)
    })
    run('git', 'worktree', 'remove', '--force', other)
    await timed('git worktree add, npm ci --offline', () => {
      run('git', 'worktree', 'add', '-q', '--detach', other)
      runOrThrow(['npm', 'ci', '--offline', ...quiet], { cwd: other, env })
    })
    if (statSync(join(other, 'node_modules')).nlink < packages) throw new Error('npm ci has not installed it')
    run('git', 'worktree', 'remove', '--force', other)
  }
  return times
}

async function make(copies: WorkCopies, name: string): Promise<void> {
  const made = await copies.make({ loop: 'bench', name, base: null, signal: never })
  if (!made.ok) throw new Error(failureWords(made.failure))
}

/** Removes the copies and the templates they share, so that the next round begins without them. */
async function clear(copies: WorkCopies, templates: string): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const removed = await copies.remove({ path: copies.pathOf({ loop: 'bench', name }) })
    if (!removed.ok) throw new Error(failureWords(removed.failure))
  }
  runOrThrow(['rm', '-rf', templates], { cwd: '/', env: process.env })
}

function report(times: Times) {
  const own = median(times['loop, the first copy'] ?? [])
  return Object.entries(times).map(([what, list]) => {
    const took = median(list)
    return { what, took: ms(took), 'of the first copy': `${(took / own).toFixed(2)} x` }
  })
}
