/**
 * Which of the blobs and trees that the user's index names are in the linked packs, and how large the blobs are. Git
 * is asked once for all of them, while the tree is being compared.
 */

import type { UserIndex } from '../format/user-index/index-file.ts'
import type { Repository } from '../objects/repository.ts'

export type Stored = {
  /** For each file of the index the size of its blob, NaN where the blob is missing. */
  sizes: Float64Array
  treeOf: TreeOf
}

/** The tree object of a directory with so many files, if it is in the packs with all trees below it; else null. */
export type TreeOf = (directory: string, count: number) => string | null

const newline = 10
const zero = 48

export async function askStored(repository: Repository, index: UserIndex): Promise<Stored> {
  const trees = index.trees()
  const input = Buffer.concat([index.idLines(), trees.idLines()])
  // %(rest) makes git end its answer for a missing object after the first word, which is no number.
  const args = ['cat-file', '--batch-check=%(objectsize)%(rest)', '--buffer']
  const answer = await repository.git({ args, input })
  const files = index.table.places.length
  const numbers = numbersIn(answer.ok ? answer.value.stdout : Buffer.alloc(0), files + trees.count)
  // Other programs write tree objects for empty directories. Git does not, and neither does loop.
  const isUnusable = (tree: number) => trees.countOf(tree) === 0 || Number.isNaN(numbers[files + tree])
  const unusable = countBefore(trees.count, isUnusable)
  return {
    sizes: numbers.subarray(0, files),
    treeOf(directory, count) {
      const tree = trees.at(directory)
      if (tree === null || trees.countOf(tree) !== count) return null
      return unusable[tree] === unusable[trees.after(tree)] ? trees.idOf(tree) : null
    },
  }
}

/** A number for each line; NaN for a line that is none. */
function numbersIn(lines: Buffer, count: number): Float64Array {
  const numbers = new Float64Array(count).fill(Number.NaN)
  let at = 0
  for (let n = 0; n < count && at < lines.length; n += 1) {
    let number = 0
    for (; at < lines.length && lines[at] !== newline; at += 1) {
      const digit = (lines[at] as number) - zero
      number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
    }
    numbers[n] = number
    at += 1
  }
  return numbers
}

/** For each n how many before it fulfil `is`; the last is the total. */
function countBefore(count: number, is: (n: number) => boolean): Int32Array {
  const before = new Int32Array(count + 1)
  for (let n = 0; n < count; n += 1) before[n + 1] = (before[n] as number) + (is(n) ? 1 : 0)
  return before
}
