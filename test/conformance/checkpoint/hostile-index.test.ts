/**
 * An index of the user that git would never write, with a valid checksum: whatever its entries are, the first
 * checkpoint saves the real files, and terminates.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseIndex } from '../../../src/checkpoints/format/user-index.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { readByGit, savedAs, take } from './calls.ts'
import { type Box, openBox, sh } from './work-tree.ts'

/** The path of an index entry, and the file that gives its other fields. */
type Entry = [path: string, file: string]

/** Every file is committed; `u` and `d/u`, which some cases add, are not. */
const tree = `git init -q; mkdir -p d/e; for name in d/1 d/2 d/e/3 z; do echo "of $name" > $name; done
  ln -s z l; head -c $(stat -c %s d) /dev/zero > zeros; commit all; git gc -q; sleep 0.03`
const whole: Entry[] = ['d/1', 'd/2', 'd/e/3', 'l', 'z', 'zeros'].map(path => [path, path])

const indexes: Record<string, { script: string; entries: Entry[] }> = {
  'as git writes it': { script: 'rm .git/index', entries: whole },
  'a file named twice, beside one that is not': {
    script: 'echo u > d/u',
    entries: [['d/1', 'd/1'], ...whole],
  },
  'not sorted': { script: 'echo u > u', entries: whole.toReversed() },
  'a path that begins with a slash': { script: 'echo u > u', entries: [['/z', 'z'], ...whole] },
  'a path that begins with two slashes': { script: 'echo u > u', entries: [['//z', 'z'], ...whole] },
  'a path with two slashes': { script: 'echo u > d/u', entries: [['d//1', 'd/1'], ...whole] },
  'a path that ends with a slash': { script: 'echo u > u', entries: [...whole, ['z/', 'z']] },
  'no path at all': { script: 'echo u > u', entries: [['', 'z'], ...whole] },
  'a directory named as a file': { script: 'echo u > u', entries: [['d', 'd'], ...whole] },
  'the directory above named as a file': { script: 'echo u > d/u', entries: [['d/..', '.'], ...whole] },
  'a path through the directory above': { script: 'echo u > d/u', entries: [['d/../z', 'z'], ...whole] },
  'a path through the same directory': { script: 'echo u > d/u', entries: [['d/./1', 'd/1'], ...whole] },
  'a path with a NUL': { script: 'echo u > u', entries: [['d\0', 'z'], ...whole] },
  'a path through a file': { script: 'echo u > u', entries: [...whole, ['z/z', 'z']] },
  'a file of a repository in it': {
    script: 'mkdir d/.git; cp z d/.git/secret; sleep 0.03',
    entries: [['d/.git/secret', 'd/.git/secret'], ...whole],
  },
}

describe('the first checkpoint of an index', () => {
  for (const [name, { script, entries }] of Object.entries(indexes)) {
    it(name, async () => {
      const at = openBox()
      sh(at, `${tree}; ${script}`)
      writeFileSync(join(at.tree, '.git/index'), indexOf(entriesOf(at, entries), entries.length))
      await take(gitCheckpoints(at), 'iter-001')
      assert.equal(savedAs(at), readByGit(at, at.tree))
    })
  }
})

/** Changes to the cached tree of `d`, which has three files and one directory. */
const trees: Record<string, [from: string, to: string]> = {
  'a line of trees that does not end': ['d\x003 1\n', 'd\x003 1\b'],
  'a number of files with more after it': ['d\x003 1\n', 'd\x003-1\n'],
  'a number of files that is none': ['d\x003 1\n', 'd\x00: 1\n'],
  'more trees in a tree than there are': ['d\x003 1\n', 'd\x003 9\n'],
  'fewer trees in a tree than there are': ['d\x003 1\n', 'd\x003 0\n'],
}

describe('the first checkpoint of an index with', () => {
  for (const [name, [from, to]] of Object.entries(trees)) {
    it(name, async () => {
      const at = openBox()
      sh(at, `${tree}; echo u > u; git update-index -q --refresh; sleep 0.03`)
      const path = join(at.tree, '.git/index')
      const bytes = Buffer.from(readFileSync(path, 'latin1').replace(from, to), 'latin1').subarray(0, -20)
      writeFileSync(path, Buffer.concat([bytes, Buffer.from(hash('sha1', bytes), 'hex')]))
      await take(gitCheckpoints(at), 'iter-001')
      assert.equal(savedAs(at), readByGit(at, at.tree))
    })
  }
})

it('an index whose paths are far larger than itself is not read', () => {
  const head = Buffer.alloc(62)
  head.writeUInt16BE(0xfff, 60)
  const first = Buffer.from(`\0${'a'.repeat(1_000_000)}\0`)
  // Each entry repeats the path before it and adds one byte.
  const rest = Array.from({ length: 300 }, () => Buffer.concat([head, Buffer.from('\0a\0')]))
  const bytes = indexOf(Buffer.concat([head, first, ...rest]), 301, 4)
  const content = new SharedArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(content))
  assert.throws(() => parseIndex({ content, ids: 'sha1', prefix: '', writtenMs: 0 }), RangeError)
})

function entriesOf(at: Box, entries: readonly Entry[]): Buffer {
  return Buffer.concat(
    entries.map(([path, file]) => {
      const name = Buffer.from(path, 'latin1')
      const head = headOf(at, file, name.length)
      return Buffer.concat([head, name, Buffer.alloc(8 - ((head.length + name.length) % 8))])
    }),
  )
}

/** An index entry without its path. */
function headOf(at: Box, file: string, length: number): Buffer {
  const stat = lstatSync(join(at.tree, file), { bigint: true })
  const head = Buffer.alloc(62)
  const billion = 1_000_000_000n
  const words = [
    stat.ctimeNs / billion,
    stat.ctimeNs % billion,
    stat.mtimeNs / billion,
    stat.mtimeNs % billion,
  ]
  const mode = stat.isSymbolicLink() ? 0o120000n : stat.isDirectory() ? 0o100755n : 0o100644n
  words.push(stat.dev, stat.ino, mode, stat.uid, stat.gid, stat.size)
  for (const [n, word] of words.entries()) head.writeUInt32BE(Number(word & 0xffffffffn), 4 * n)
  // An entry for a directory gets the id of a file of the same size.
  const bytes = stat.isSymbolicLink()
    ? Buffer.from(readlinkSync(join(at.tree, file)))
    : readFileSync(join(at.tree, stat.isDirectory() ? 'zeros' : file))
  head.write(hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes])), 40, 'hex')
  head.writeUInt16BE(Math.min(length, 0xfff), 60)
  return head
}

function indexOf(entries: Buffer, count: number, version = 2): Buffer {
  const start = Buffer.alloc(12)
  start.write('DIRC')
  start.writeUInt32BE(version, 4)
  start.writeUInt32BE(count, 8)
  const bytes = Buffer.concat([start, entries])
  return Buffer.concat([bytes, Buffer.from(hash('sha1', bytes), 'hex')])
}
