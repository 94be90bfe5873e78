/**
 * Ignore rules from outside the tree, from weakest to strongest: those the user has for every repository
 * (core.excludesFile), .git/info/exclude, and, where the tree is a directory inside a repository, the .gitignore
 * files above it. Also finds the user's repository. All of it is read as files: nothing of the repository is run.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isMissing } from '../errors.ts'
import { isIgnored, type Rules, rulesAbove } from '../format/ignore-rules.ts'
import { type Repository, writeWhenDifferent } from '../objects/repository.ts'
import { userRules } from './user-config.ts'

const maxBytes = 1024 * 1024

export type UserRepository = {
  root: string
  /** The git directory with objects, configuration and rules. */
  gitDirectory: string
  /** The git directory with HEAD and index: another one in a linked worktree. */
  ownDirectory: string
  /** The path of the tree in the repository, with a slash at its end; empty where the tree is the root. */
  prefix: string
}

/** The user's repository that the tree is in; null outside of any. */
export function userRepository(tree: string): UserRepository | null {
  for (let root = tree; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) {
      const prefix = Buffer.from(relative(root, tree)).toString('latin1')
      return { root, ...gitDirectories(root), prefix: prefix === '' ? '' : `${prefix}/` }
    }
    if (root === dirname(root)) return null
  }
}

/** `mark`: a hash of the rules, to see whether they changed; empty where there are none. */
type Outer = { rules: readonly Rules[]; mark: string }

type Text = { prefix: string; text: string }

/**
 * Copies the rules into the store, once for each process that works on the tree: what was ignored at its start stays
 * ignored, even if the agent removes .git or changes the configuration. The user's own rules also apply outside of
 * a repository, as a .gitignore does: leaving a file alone that the user always ignores is safe, deleting it is not.
 */
export async function copyRules(repository: Repository): Promise<void> {
  const user = userRepository(repository.rulesOf)
  const exclude = user && readText(join(user.gitDirectory, 'info/exclude'))
  if (exclude !== null) writeWhenDifferent(repository, excludeFile, Buffer.from(exclude, 'latin1'))
  const own = await userRules(user)
  const isPart = user && !hides([{ prefix: user.prefix, text: own }, ...ownTexts(repository, user)])
  // The configuration of a repository counts only for a tree that is part of it.
  const text = isPart || !user ? own : await userRules(null)
  if (text !== '' || readText(join(repository.dir, userFile)))
    writeWhenDifferent(repository, userFile, Buffer.from(text, 'latin1'))
}

const excludeFile = 'info/exclude'
/** A name of our own: git does not read it. */
const userFile = 'info/user-exclude'

export function outerRules(repository: Repository): Outer {
  const user = userRepository(repository.rulesOf)
  const text = readText(join(repository.dir, userFile)) ?? ''
  const own = ownTexts(repository, user)
  const all = [{ prefix: user?.prefix ?? '', text }, ...own]
  const texts = hides(all) ? [{ prefix: '', text }] : all
  return outerOf(texts)
}

function outerOf(texts: readonly Text[]): Outer {
  const all = texts.map(one => ({ ...one, rules: rulesAbove(one.prefix, one.text) }))
  const real = all.filter(({ rules }) => rules.rules.length > 0)
  const mark = real.length === 0 ? '' : hash('sha1', JSON.stringify(real.map(one => [one.prefix, one.text])))
  return { rules: real.map(({ rules }) => rules), mark }
}

/** The rules of the repository the tree is in, outermost first. */
function ownTexts(repository: Repository, user: UserRepository | null): Text[] {
  const exclude = readText(join(repository.dir, excludeFile))
  const own = exclude === null ? [] : [{ prefix: user?.prefix ?? '', text: exclude }]
  return user ? [...own, ...textsAbove(user)] : own
}

function textsAbove({ root, prefix }: UserRepository): Text[] {
  const names = Buffer.from(prefix, 'latin1').toString().split('/').slice(0, -1)
  return names.flatMap((_, depth) => {
    const text = readText(join(root, ...names.slice(0, depth), '.gitignore'))
    const rest = `${names.slice(depth).join('/')}/`
    return text === null ? [] : [{ prefix: Buffer.from(rest).toString('latin1'), text }]
  })
}

/**
 * Do these rules ignore the tree itself, or a directory above it? Then the tree is no part of the repository: for
 * example a project below a home directory that is a repository of dotfiles.
 */
function hides(texts: readonly Text[]): boolean {
  return texts.some(({ prefix, text }) => {
    const names = prefix.split('/').slice(0, -1)
    const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
    return paths.some(path => isIgnored([rulesAbove('', text)], path, true))
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
  // A linked worktree or a submodule: .git is a file that names its git directory, where `commondir` may name another.
  const named = /^gitdir: (.*)$/m.exec(readName(path))?.[1]?.trim() ?? '.git'
  const ownDirectory = resolve(root, named)
  const common = join(ownDirectory, 'commondir')
  if (!existsSync(common)) return { gitDirectory: ownDirectory, ownDirectory }
  return { gitDirectory: resolve(ownDirectory, readName(common).trim()), ownDirectory }
}

/** Empty for anything but a plain file: reading a pipe would block for ever. */
function readName(path: string): string {
  return Buffer.from(readText(path) ?? '', 'latin1').toString()
}
