/** What the linked packs have of that which the user's index names: git is asked once, while the tree is looked at. */
import type { Repository } from '../git/repository.ts'
import type { UserIndex } from './user-index.ts'

export type Stored = {
  /** By file: the size of its blob, NaN where that is not there. */
  sizes: Float64Array
  treeOf: TreeOf
}

/** The tree object of a directory that has so many files, if it is there with all that are in it. */
export type TreeOf = (directory: string, count: number) => string | null

const newline = 10
const zero = 48

export async function askStored(repository: Repository, index: UserIndex): Promise<Stored> {
  const trees = index.trees()
  const input = Buffer.concat([index.idLines(), trees.idLines()])
  // With %(rest) a line is no longer than its first word.
  const args = ['cat-file', '--batch-check=%(objectsize)%(rest)', '--buffer']
  const answer = await repository.git({ args, input })
  const files = index.table.places.length
  const numbers = numbersIn(answer.ok ? answer.value.stdout : Buffer.alloc(0), files + trees.count)
  // One without files, as some programs write it: git itself writes none, and a directory is not made for it.
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

/** A line for each; NaN for what is none. */
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

/** Before each, and in all. */
function countBefore(count: number, is: (n: number) => boolean): Int32Array {
  const before = new Int32Array(count + 1)
  for (let n = 0; n < count; n += 1) before[n + 1] = (before[n] as number) + (is(n) ? 1 : 0)
  return before
}
