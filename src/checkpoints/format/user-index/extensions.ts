/**
 * The extensions of an index file, which follow its entries. `TREE` names the tree objects that git has written for
 * whole directories; `link` names the shared file of a split index.
 */
import { idLines } from './id-lines.ts'

export type Extensions = {
  trees(): Trees
  /** In a split index: the name of the shared file with most of the entries. This file has only the changes to it. */
  rest: string | null
}

/** Tree objects, numbered depth first: a tree is followed by all trees below it. */
type Trees = {
  count: number
  idOf(tree: number): string
  /** The ids of all, as input for git. */
  idLines(): Buffer
  /** The tree object of a directory. */
  at(path: string): number | null
  /** How many files are below it, at any depth; -1 where git does not know. */
  countOf(tree: number): number
  /** The number of the first tree entry after all the subtrees of this one. */
  after(tree: number): number
}

export const noTrees: Trees = {
  count: 0,
  idOf: () => '',
  idLines: () => Buffer.alloc(0),
  at: () => null,
  countOf: () => 0,
  after: () => 0,
}

const [newline, space, minus, zero] = [10, 32, 45, 48]
const none = -1
const zeros = /^0+$/

type ToRead = { bytes: Buffer; start: number; idSize: number; prefix: string }

export function extensionsOf({ bytes, start, idSize, prefix }: ToRead): Extensions {
  let treesAt: { start: number; end: number } | null = null
  let rest: string | null = null
  for (let at = start; at + 8 <= bytes.length - idSize; at += 8 + bytes.readUInt32BE(at + 4)) {
    const kind = bytes.toString('latin1', at, at + 4)
    const name = kind === 'link' ? bytes.toString('hex', at + 8, at + 8 + idSize) : ''
    // A name of zeros: there is no shared file, all entries are here.
    if (name !== '' && !zeros.test(name)) rest = name
    if (kind === 'TREE') treesAt = { start: at + 8, end: at + 8 + bytes.readUInt32BE(at + 4) }
  }
  let trees: Trees | null = null
  return {
    trees() {
      trees ??= treesAt
        ? readIfWhole({ bytes: bytes.subarray(0, treesAt.end), start: treesAt.start, idSize, prefix })
        : noTrees
      return trees
    },
    rest,
  }
}

function readIfWhole(request: ToRead): Trees {
  try {
    return readTrees(request)
  } catch (error) {
    if (error instanceof RangeError) return noTrees
    throw error
  }
}

function readTrees({ bytes, start, idSize, prefix }: ToRead): Trees {
  const names: number[] = []
  const counts: number[] = []
  const ids: number[] = []
  const afters: number[] = []

  /** `name NUL files SPACE subtrees NEWLINE id`, then the subtrees. With -1 files the tree is out of date and has no id. */
  function read(at: number): number {
    const tree = names.push(at) - 1
    const filesAt = bytes.indexOf(0, at) + 1
    const isKnown = bytes[filesAt] !== minus
    const belowAt = afterDigits(bytes, isKnown ? filesAt : filesAt + 1, space)
    let next = afterDigits(bytes, belowAt, newline)
    counts.push(isKnown ? numberAt(bytes, filesAt) : none)
    ids.push(isKnown ? next : -idSize)
    afters.push(0)
    if (isKnown) next += idSize
    for (let left = numberAt(bytes, belowAt); left > 0; left -= 1) next = read(next)
    afters[tree] = names.length
    return next
  }
  if (read(start) !== bytes.length) throw new RangeError('The trees of an index end elsewhere')
  const known = new Map<number, Map<string, number>>()

  function treesIn(tree: number): Map<string, number> {
    const found = known.get(tree)
    if (found) return found
    const inside = new Map<string, number>()
    for (let child = tree + 1; child < (afters[tree] as number); child = afters[child] as number) {
      const at = names[child] as number
      inside.set(bytes.toString('latin1', at, bytes.indexOf(0, at)), child)
    }
    known.set(tree, inside)
    return inside
  }

  return {
    count: names.length,
    idOf: tree => bytes.toString('hex', ids[tree], (ids[tree] as number) + idSize),
    idLines: () => idLines({ bytes, places: ids, shift: 0, idSize }),
    at(path) {
      let tree: number | undefined = 0
      for (const name of `${prefix}${path}`.split('/')) {
        if (name === '' || tree === undefined) continue
        tree = treesIn(tree).get(name)
      }
      return tree ?? null
    },
    countOf: tree => counts[tree] as number,
    after: tree => afters[tree] as number,
  }
}

/** Where the text after a number goes on. Throws where there is no number, or another byte than `end` follows. */
function afterDigits(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (isDigit(bytes[at])) at += 1
  if (at === start || bytes[at] !== end) throw new RangeError('The trees of an index have no such number')
  return at + 1
}

function numberAt(bytes: Buffer, start: number): number {
  let number = 0
  for (let at = start; isDigit(bytes[at]); at += 1) number = number * 10 + (bytes[at] as number) - zero
  return number
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9
}
