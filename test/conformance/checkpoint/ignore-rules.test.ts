/** The rules of .gitignore as loop reads them, compared with `git check-ignore`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Arbitrary, array, constantFrom, assert as holds, property, record } from 'fast-check'
import { isIgnored, type Rules, rulesIn } from '../../../src/checkpoints/format/ignore-rules.ts'
import { openBox } from './work-tree.ts'

const numRuns = process.env['LOOP_LONG'] ? 1_500 : 150

const names = [
  'a',
  'b',
  'ab',
  'a.b',
  'a b',
  'a ',
  '#a',
  '!a',
  'b]',
  '[b',
  'a-b',
  'ä',
  '\\a',
  '*',
  'A',
  'b.log',
]
const directories = ['', 'a', 'a/b', 'ab', 'ab/a']
const paths = directories.flatMap(at => names.map(name => (at === '' ? name : `${at}/${name}`)))
const isDirectory = (path: string) => paths.some(other => other.startsWith(`${path}/`))

const plain = [
  'a',
  'b',
  'ab',
  '*',
  '**',
  '?',
  '/',
  '.',
  ' ',
  '\\ ',
  '\\a',
  '\\*',
  '\\\\',
  '!',
  '#',
  '-',
  'ä',
  'log',
  '\r',
]
const brackets = [
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-c]',
  '[]]',
  '[]-a]',
  '[[:alpha:]]',
  '[[:no:]]',
  '[a',
  '[\\]]',
  '[a-]',
  '[/]',
]
const piece = constantFrom(...plain, ...brackets)
const line: Arbitrary<string> = array(piece, { minLength: 1, maxLength: 5 }).map(pieces => pieces.join(''))
const file = array(line, { maxLength: 4 }).map(lines => `${lines.join('\n')}\n`)
const trees = record({ '': file, a: file, 'a/b': file })

/** As in a walk of the tree: nothing below an ignored directory is asked. */
function ignoredByUs(files: Record<string, string>): string[] {
  const rules = new Map<string, Rules>()
  for (const [at, text] of Object.entries(files)) {
    rules.set(at, rulesIn(at, Buffer.from(text).toString('latin1')))
  }
  return paths.filter(path => {
    const parts = path.split('/')
    const stack = ['']
    return parts.some((_, depth) => {
      const at = parts.slice(0, depth + 1).join('/')
      const known = stack.flatMap(one => rules.get(one) ?? [])
      stack.push(at)
      const isDir = depth + 1 < parts.length || isDirectory(at)
      return isIgnored(known, Buffer.from(at).toString('latin1'), isDir)
    })
  })
}

describe('rules that ignore', () => {
  it('any rules, any paths: the answer is that of git', () => {
    const box = openBox()
    // Exit code 1: none of the paths is ignored.
    const git = (args: string[], input = '') =>
      spawnSync('git', args, { cwd: box.tree, input, encoding: 'utf8' }).stdout
    git(['init', '-q'])
    for (const at of directories) mkdirSync(join(box.tree, at), { recursive: true })
    for (const path of paths) if (!isDirectory(path)) writeFileSync(join(box.tree, path), '')
    const ignoredByGit = (files: Record<string, string>) => {
      for (const [at, text] of Object.entries(files)) writeFileSync(join(box.tree, at, '.gitignore'), text)
      const input = paths.map(path => `./${path}\0`).join('')
      const answer = git(
        ['-c', 'core.quotePath=false', 'check-ignore', '--no-index', '-z', '-v', '-n', '--stdin'],
        input,
      )
      const fields = answer.split('\0')
      return paths.filter((_, n) => {
        const pattern = fields[n * 4 + 2] ?? ''
        return pattern !== '' && !pattern.startsWith('!')
      })
    }
    const same = property(trees, files => assert.deepEqual(ignoredByUs(files), ignoredByGit(files)))
    holds(same, { numRuns })
  })
})
