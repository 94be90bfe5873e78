/**
 * `npm run bench -- trust-sets <dir> [--only <part>] [--limit N]`: how often loop believes honest work, and how often a
 * cheat, on two public sets. `<dir>` holds checkouts of jkoppel/QuixBugs (`QuixBugs`) and exercism/javascript
 * (`javascript`); nothing of them is part of loop. `--limit` plays the first N cases of each row.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printTable } from './measure.ts'
import { exercises } from './trust-sets/exercism.ts'
import { type Case, type Ended, type Played, playAll } from './trust-sets/play.ts'
import {
  fixesWithTests,
  flippedValue,
  honestFixes,
  rewrittenData,
  rewrittenLoader,
} from './trust-sets/quixbugs.ts'

const quixbugs = 'QuixBugs'
const exercism = 'javascript'

/** The parts of `--only`: the set each needs, and its cases. */
const parts: Record<string, { set: string; cases: ((set: string) => Case[])[] }> = {
  honest: { set: quixbugs, cases: [honestFixes, fixesWithTests] },
  cheats: { set: quixbugs, cases: [rewrittenData, rewrittenLoader] },
  flipped: { set: quixbugs, cases: [flippedValue] },
  exercism: { set: exercism, cases: [exercises] },
}
const usage = `npm run bench -- trust-sets <dir> [--only ${Object.keys(parts).join('|')}] [--limit N]`

export async function trustSets(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { only: { type: 'string' }, limit: { type: 'string', default: '1000' } },
  })
  const limit = Number(values.limit)
  const [directory] = positionals
  const chosen = Object.entries(parts).filter(([name]) => !values.only || values.only === name)
  const wrong = !directory || chosen.length === 0 || !(limit > 0)
  const missing = chosen.map(([, { set }]) => resolve(directory ?? '', set)).find(path => !existsSync(path))
  if (wrong || missing) {
    console.error(wrong ? `Usage: ${usage}` : `${missing} is not found. Check out the set there first.`)
    process.exitCode = 4
    return
  }
  const cases = chosen.flatMap(([, { set, cases: of }]) =>
    of.flatMap(make => make(join(resolve(directory), set))),
  )
  const rows = Map.groupBy(cases, ({ row }) => row)
  const began = performance.now()
  const played = await playAll([...rows.values()].flatMap(list => list.slice(0, limit)))
  report(played)
  console.log(`${played.length} loops in ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

function report(all: Played[]): void {
  const played = all.filter(({ ended }) => ended !== 'idle')
  const idle = all.filter(one => !played.includes(one)).map(({ case: { what } }) => what)
  if (idle.length > 0) console.log(`not counted, since their promise held before: ${idle.join(', ')}`)
  const rows = Map.groupBy(played, one => one.case.row)
  printTable(
    [...rows].map(([what, list]) => {
      const count = (end: Ended) => list.filter(({ ended }) => ended === end).length
      const share = (end: Ended) => `${count(end)} (${((100 * count(end)) / list.length).toFixed(0)} %)`
      return {
        what,
        wanted: list[0]?.case.wanted.join(' or ') ?? '',
        cases: list.length,
        SHIP: share('SHIP'),
        MONITOR: share('MONITOR'),
        asked: share('asked'),
        failed: share('failed'),
        'not as wanted': list.filter(({ asWanted }) => !asWanted).length,
      }
    }),
  )
  for (const { case: one, ended, asWanted, why } of played) {
    if (!asWanted) console.log(`${one.row}: ${one.what}: ${ended}, wanted ${one.wanted.join(' or ')}: ${why}`)
  }
}
