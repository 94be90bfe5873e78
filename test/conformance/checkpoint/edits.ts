/** Random edits of a tree for the properties: few names, so that files, links and directories collide. */
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Arbitrary, array, boolean, constant, constantFrom, oneof, record, subarray } from 'fast-check'

export type Edit =
  | { do: 'write'; path: string; content: string; exec: boolean }
  | { do: 'link'; path: string; content: string }
  | { do: 'delete'; path: string }

const name = constantFrom('a', 'b', 'c', 'd e', 'é\n')
const anyPath = array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
const content = constantFrom('', 'a', 'b', '../a', 'one\r\ntwo\n', '$Id$', 'x'.repeat(5000))

const edit: Arbitrary<Edit> = oneof(
  {
    weight: 4,
    arbitrary: record({ do: constant('write' as const), path: anyPath, content, exec: boolean() }),
  },
  {
    weight: 1,
    arbitrary: record({
      do: constant('link' as const),
      path: anyPath,
      content: constantFrom('a', 'b/c', '..'),
    }),
  },
  { weight: 2, arbitrary: record({ do: constant('delete' as const), path: anyPath }) },
)

const rules = subarray(['a', 'b/', '/c', 'b/c', '!a', 'd e', '*'], { maxLength: 2 })

const rule: Arbitrary<Edit> = record({
  do: constant('write' as const),
  path: constantFrom('.gitignore', 'b/.gitignore'),
  content: rules.map(lines => `${lines.join('\n')}\n`),
  exec: constant(false),
})

const unrule: Arbitrary<Edit> = record({
  do: constant('delete' as const),
  path: constantFrom('.gitignore', 'b/.gitignore'),
})

export const edits = array(edit, { maxLength: 8 })

export const ignoringEdits = array(
  oneof({ weight: 4, arbitrary: edit }, { weight: 2, arbitrary: rule }, { weight: 1, arbitrary: unrule }),
  { maxLength: 8 },
)

export function apply(tree: string, list: readonly Edit[]): void {
  for (const step of list) {
    const at = join(tree, step.path)
    if (step.do === 'delete') {
      if (parentsAreDirectories(tree, step.path)) rmSync(at, { recursive: true, force: true })
      continue
    }
    makeRoom(tree, step)
    if (step.do === 'link') symlinkSync(step.content, at)
    else {
      writeFileSync(at, step.content)
      chmodSync(at, step.exec ? 0o755 : 0o644)
    }
  }
}

function makeRoom(tree: string, step: Edit): void {
  const parts = step.path.split('/')
  for (let count = 1; count < parts.length; count += 1) {
    const at = join(tree, ...parts.slice(0, count))
    if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(at)
  }
  const at = join(tree, step.path)
  mkdirSync(dirname(at), { recursive: true })
  // A regular file is written in place: that is the change that is hardest to detect.
  const isFile = lstatSync(at, { throwIfNoEntry: false })?.isFile() ?? false
  if (step.do !== 'write' || !isFile) rmSync(at, { recursive: true, force: true })
}

function parentsAreDirectories(tree: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1)
  return parts.every((_, at) =>
    lstatSync(join(tree, ...parts.slice(0, at + 1)), { throwIfNoEntry: false })?.isDirectory(),
  )
}
