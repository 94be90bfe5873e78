/**
 * Which files of an index are in which directory. Entries are sorted by path, so the files of one directory stand in a
 * few runs of consecutive entries, interrupted by its subdirectories.
 */
import type { Table } from './entries.ts'

type Runs = Pick<Table, 'runs' | 'nextRuns' | 'samples' | 'lengths' | 'firstRuns' | 'above' | 'inside'>

const none = -1
/** Names that git never writes. A hostile index could use them to name one directory in two ways. */
const impossible = new Set(['', '.', '..', '.git'])

export function openRuns() {
  const numbers = new Map<string, number>()
  const runs: number[] = []
  const nextRuns: number[] = []
  const samples: number[] = []
  const lengths: number[] = []
  const firstRuns: number[] = []
  const lastRuns: number[] = []
  const above: number[] = []
  const inside: number[] = []

  function numberOf(directory: string, file: number): number {
    const found = numbers.get(directory)
    if (found !== undefined) return found
    const end = Math.max(0, directory.lastIndexOf('/'))
    const name = directory.slice(directory.lastIndexOf('/') + 1)
    if (directory !== '' && impossible.has(name)) throw new RangeError(`The index has a directory "${name}"`)
    // The parent first: it must have the lower number.
    const outer = directory === '' ? none : numberOf(directory.slice(0, end), file)
    if (outer !== none) inside[outer] = (inside[outer] as number) + 1
    const number = numbers.size
    numbers.set(directory, number)
    samples.push(file)
    lengths.push(directory.length)
    firstRuns.push(none)
    lastRuns.push(none)
    above.push(outer)
    inside.push(0)
    return number
  }
  numberOf('', 0)

  return {
    /** A new run: from this file on, entries are in this directory. */
    begin(directory: string, file: number): void {
      const number = numberOf(directory, file)
      const run = runs.push(file) - 1
      nextRuns.push(none)
      const before = lastRuns[number] as number
      if (before === none) firstRuns[number] = run
      else nextRuns[before] = run
      lastRuns[number] = run
    },
    /** `count`: the number of all files. */
    end(count: number): Runs & { numbers: Map<string, number> } {
      return {
        numbers,
        runs: shared([...runs, count]),
        nextRuns: shared(nextRuns),
        samples: shared(samples),
        lengths: shared(lengths),
        firstRuns: shared(firstRuns),
        above: shared(above),
        inside: shared(inside),
      }
    },
  }
}

function shared(numbers: number[]): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(4 * numbers.length))
  copy.set(numbers)
  return copy
}
