/**
 * Rules that ignore from outside the tree: those the user has for every repository (core.excludesFile),
 * .git/info/exclude, and where the tree is a directory inside a repository, the .gitignore files above it.
 * A later one of these counts for more. Read as files: nothing of the user's repository is run.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Repository, writeWhenDifferent } from '../git/repository.ts'
import { isMissing } from '../git/trouble.ts'
import { isIgnored, type Rules, rulesAbove } from './ignore.ts'
import { userRules } from './user-config.ts'

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

/** `mark`: the same as long as these rules are; empty where there are none. */
type Outer = { rules: readonly Rules[]; mark: string }

type Text = { prefix: string; text: string }

/**
 * Once for each process that works on the tree: what was ignored when it began stays ignored, also when the agent
 * removes .git or changes the configuration. The user's rules hold outside of a repository too, as a .gitignore
 * does: to leave a file alone that somebody always ignores is safe, to delete it is not.
 */
export async function copyRules(repository: Repository): Promise<void> {
  const user = userRepository(repository.rulesOf)
  const exclude = user && readText(join(user.gitDirectory, 'info/exclude'))
  if (exclude !== null) writeWhenDifferent(repository, excludeFile, Buffer.from(exclude, 'latin1'))
  const own = await userRules(user)
  const isPart = user && !hides([{ prefix: user.prefix, text: own }, ...ownTexts(repository, user)])
  // A repository the tree is no part of has no say in it.
  const text = isPart || !user ? own : await userRules(null)
  if (text !== '' || readText(join(repository.dir, userFile)))
    writeWhenDifferent(repository, userFile, Buffer.from(text, 'latin1'))
}

const excludeFile = 'info/exclude'
/** Beside it, and nothing git would look for. */
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

/** From the outermost on. */
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
 * Whether the tree itself, or a directory down to it, is ignored: one that its repository ignores as a whole (a home
 * full of dotfiles) is no part of it.
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
