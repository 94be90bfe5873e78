/**
 * The cost of checking that a promise passes because of the work: the time from the end of the agent to the end of the
 * loop, divided by the promise's own time. The look at the tree as it was before the loop (calibration) happens once in
 * a loop, however often a result is suspect, and has a column of its own. A green check is repeated only if it fails in
 * another way than the promise did before the first agent ran.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventOf, Recorded } from '../src/model/loop/event.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { openStoreToRead } from '../src/store/sqlite/open.ts'
import { loopProgram, makePlace, median, ms, type Place, printTable } from './measure.ts'

const rounds = 3
const promise = 'sleep 3 && node --test'
const short = 'sleep 1 && node --test'
const test = (sum: number) =>
  `require('node:test')('sum', () => require('node:assert').equal(require('../cart.js').total(), ${sum}))\n`
const mend = "echo 'exports.total = () => 10' > cart.js"
const weaken = `cat > test/cart.test.js <<'END'\n${test(9)}END`
const stricter = `echo '// more' >> test/cart.test.js`
const show = "echo '// cart' >> cart.js"

/** The work of the agent, and the most that its verification may cost, as a multiple of the promise. */
const rows: [what: string, agent: string, bar: string, promise: string][] = [
  ['only the work, a long promise', mend, '1.05', promise],
  ['only the work, a short promise', mend, '2.2 and 0.5 s', short],
  ['green only', `${mend}; ${stricter}`, '2.2 and 0.5 s', promise],
  ['nothing of the work', weaken, '1.05', promise],
  ['green and red', `${show}; ${weaken}`, '3.3', promise],
]

export async function trust(): Promise<void> {
  const measured = rows.map(([what, agent, bar, command]) => ({
    what: `${what} (bar: ${bar})`,
    ...medians(Array.from({ length: rounds }, () => measure(agent, command))),
  }))
  printTable(
    measured.map(({ what, own, all, calibration, calibrations }) => ({
      what,
      promise: ms(own),
      verification: ms(all),
      ratio: (all / own).toFixed(2),
      calibration: ms(calibration),
      calibrations,
    })),
  )
  printTable([{ what: 'a look beside 10 000 files and 50 000 of dependencies (bar: 3 s)', ...largeTree() }])
}

/** The time of the first green look and of a later one, without that of the promise. */
function largeTree(): { first: string; later: string } {
  const { tree, env, dispose } = makePlace()
  const fill = (directory: string, files: number) => {
    for (let i = 0; i < files; i += 1) {
      const place = join(tree, directory, String(i % 250))
      if (i < 250) mkdirSync(place, { recursive: true })
      writeFileSync(join(place, `f${i}.js`), `exports.n = ${i}\n`)
    }
  }
  fill('lib', 10_000)
  fill('node_modules', 50_000)
  layShop(tree)
  writeFileSync(join(tree, '.gitignore'), 'node_modules\n')
  const looks = [`${mend}; ${stricter}`, `${mend}; ${stricter}; echo '// again' >> cart.js`].map(agent => {
    layShop(tree)
    start({ tree, env }, agent, 'node --test test/cart.test.js')
    const events = eventsIn(env)
    const look = events.find(({ kind }) => kind === 'look.taken')
    const verified = events.findLast(event => event.kind === 'promise.verified')
    if (look?.kind !== 'look.taken' || !verified) throw new Error('There was no look')
    return look.data.durationMs - durationOf(verified)
  })
  dispose()
  return { first: ms(looks[0] ?? 0), later: ms(looks[1] ?? 0) }
}

type Cost = { own: number; all: number; calibration: number; calibrations: number }

function medians(costs: Cost[]): Cost {
  const of = (name: keyof Cost) => median(costs.map(cost => cost[name]))
  return { own: of('own'), all: of('all'), calibration: of('calibration'), calibrations: of('calibrations') }
}

function measure(agent: string, command: string): Cost {
  const { tree, env, dispose } = makePlace()
  for (let i = 0; i < 300; i += 1) writeFileSync(join(tree, `file-${i}`), `content ${i}\n`)
  layShop(tree)
  start({ tree, env }, agent, command)
  const cost = costOf(eventsIn(env))
  dispose()
  return cost
}

function layShop(tree: string): void {
  mkdirSync(join(tree, 'test'), { recursive: true })
  writeFileSync(join(tree, 'cart.js'), 'exports.total = () => 9\n')
  writeFileSync(join(tree, 'test', 'cart.test.js'), test(10))
}

function start({ tree, env }: Pick<Place, 'tree' | 'env'>, agent: string, command: string): void {
  const fixed = ['--agent', 'custom', '--agent-cmd', agent, '-n', '2', '--no-input']
  spawnSync(loopProgram, ['start', 'x', '-p', command, ...fixed], { cwd: tree, env })
}

function costOf(events: Recorded[]): Cost {
  const looks = events.flatMap(event => (event.kind === 'look.taken' ? event.data : []))
  const calibrations = looks.filter(({ which }) => which === 'calibrate')
  const calibration = calibrations.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const verified = events
    .filter(event => event.kind === 'promise.verified')
    .find(({ data }) => data.iteration === 1)
  const from = events.find(({ kind }) => kind === 'run.cleared')?.at ?? 0
  const to = events.find(({ kind }) => kind === 'loop.completed' || kind === 'suspicion.raised')?.at
  if (!verified || to === undefined) throw new Error('The loop did not come to a verdict')
  const own = durationOf(verified)
  return { own, all: to - from - calibration, calibration, calibrations: calibrations.length }
}

function durationOf({ data }: EventOf<'promise.verified'>): number {
  return data.results.reduce((sum, { durationMs }) => sum + durationMs, 0)
}

function eventsIn(env: NodeJS.ProcessEnv): Recorded[] {
  const store = openStoreToRead(pathsFrom(env))
  if (!store.ok || !store.value) throw new Error('There is no store')
  const [summary] = store.value.heads.list({ all: {}, members: true }).summaries
  const events = store.value.journals.read(summary?.id ?? '')
  store.value.close()
  if (!events.ok) throw new Error('The journal cannot be read')
  return events.value
}
