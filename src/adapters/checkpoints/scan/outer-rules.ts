/**
 * Rules that ignore from outside the tree: .git/info/exclude, and where the tree is a directory inside a
 * repository, the .gitignore files above it. Read as files: nothing of the user's repository is run.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Repository, writeWhenDifferent } from '../git/repository.ts'
import { isMissing } from '../git/trouble.ts'
import { isIgnored, type Rules, rulesAbove } from './ignore.ts'

const maxBytes = 1024 * 1024

export type UserRepository = {
  root: string
  /** Where objects, configuration and rules are; a linked worktree has an index of its own elsewhere. */
  gitDirectory: string
  ownDirectory: string
  prefix: string
}

/** The user's repository the tree is in: `prefix` is where, with a slash at the end unless it is the root. */
export function userRepository(tree: string): UserRepository | null {
  for (let root = tree; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) {
      const prefix = Buffer.from(relative(root, tree)).toString('latin1')
      return { root, ...gitDirectories(root), prefix: prefix === '' ? '' : `${prefix}/` }
    }
    if (root === dirname(root)) return null
  }
}

/** The copy of `exclude` stays when the agent removes .git: what was ignored when the loop began stays ignored. */
export function copyExclude(repository: Repository): void {
  const user = userRepository(repository.rulesOf)
  const text = user && readText(join(user.gitDirectory, 'info/exclude'))
  if (text === null) return
  writeWhenDifferent(repository, 'info/exclude', Buffer.from(text, 'latin1'))
}

export function outerRules(repository: Repository): Rules[] {
  const user = userRepository(repository.rulesOf)
  const prefix = user?.prefix ?? ''
  const exclude = readText(join(repository.dir, 'info/exclude'))
  const own = exclude === null ? [] : [rulesAbove(prefix, exclude)]
  if (!user || prefix === '') return own
  const above = rulesOfAncestors(user)
  // A directory that its repository ignores as a whole (a home full of dotfiles) is no part of it.
  return hides([...own, ...above]) ? [] : [...own, ...above]
}

function rulesOfAncestors({ root, prefix }: UserRepository): Rules[] {
  const names = Buffer.from(prefix, 'latin1').toString().split('/').slice(0, -1)
  return names.flatMap((_, depth) => {
    const text = readText(join(root, ...names.slice(0, depth), '.gitignore'))
    const rest = `${names.slice(depth).join('/')}/`
    return text === null ? [] : [rulesAbove(Buffer.from(rest).toString('latin1'), text)]
  })
}

/** Asks about the tree itself and the directories down to it. */
function hides(rules: readonly Rules[]): boolean {
  return rules.some(one => {
    const names = one.place('').split('/').slice(0, -1)
    const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
    return paths.some(path => isIgnored([{ ...one, place: text => text }], path, true))
  })
}

function readText(path: string): string | null {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'latin1') : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export function gitDirectories(root: string): { gitDirectory: string; ownDirectory: string } {
  const path = join(root, '.git')
  if (statSync(path).isDirectory()) return { gitDirectory: path, ownDirectory: path }
  // A linked worktree or a submodule: a file that names the directory, which names the common one.
  const named = /^gitdir: (.*)$/m.exec(readName(path))?.[1]?.trim() ?? '.git'
  const ownDirectory = resolve(root, named)
  const common = join(ownDirectory, 'commondir')
  if (!existsSync(common)) return { gitDirectory: ownDirectory, ownDirectory }
  return { gitDirectory: resolve(ownDirectory, readName(common).trim()), ownDirectory }
}

/** Nothing of a pipe: it would be waited for for ever. */
function readName(path: string): string {
  return Buffer.from(readText(path) ?? '', 'latin1').toString()
}
