/** Measuring: interleaved runs, medians, a private home, and a table to print them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const loopProgram = join(root, 'bin', 'loop')
export const nodeProgram = join(root, 'node_modules', 'node', 'bin', 'node')

export type Place = { tree: string; env: NodeJS.ProcessEnv; dispose(): void }

export function makePlace(): Place {
  const base = mkdtempSync(join(tmpdir(), 'loop-bench-'))
  const tree = join(base, 'tree')
  mkdirSync(tree)
  mkdirSync(join(base, 'home'))
  return {
    tree,
    env: { PATH: process.env['PATH'], HOME: join(base, 'home') },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Runs each contender in turn, `rounds` times over, so that noise hits all alike; medians in ms. */
export function interleaved(rounds: number, contenders: Record<string, () => void>): Record<string, number> {
  const times = timesOf(rounds, contenders)
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

/** The same, with all times instead of their medians. */
export function timesOf(rounds: number, contenders: Record<string, () => void>): Record<string, number[]> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map(name => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const began = performance.now()
      run()
      times[name]?.push(performance.now() - began)
    }
  }
  return times
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function runOrThrow(argv: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): string {
  const [program = '', ...args] = argv
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

export function printTable(rows: Record<string, string | number>[]): void {
  console.table(Object.fromEntries(rows.map(({ what, ...rest }) => [what, rest])))
}

export function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}
