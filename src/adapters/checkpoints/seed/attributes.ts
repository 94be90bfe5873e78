/**
 * Whether git may have changed the bytes of files on their way into its objects, other than by their number:
 * whether any attributes it reads name a filter, ident or an encoding. Only looks for the words: a wrong yes
 * costs the reading of files, and no more.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { UserRepository } from '../scan/outer-rules.ts'

/** As deep as git goes. */
const deepestInclude = 10
const conversions = /filter|ident|working-tree-encoding|\[attr\]/

export function namesConversion(path: string | Buffer): boolean {
  return conversions.test(read(path))
}

/** Outside the tree: as the user's git would find them. */
export function hasConversions(user: UserRepository): boolean {
  const home = homedir()
  const own = [join(home, '.config'), process.env['XDG_CONFIG_HOME'] ?? ''].map(path => join(path, 'git'))
  const attributes = [
    join(user.gitDirectory, 'info/attributes'),
    '/etc/gitattributes',
    ...own.map(path => join(path, 'attributes')),
    ...attributesAbove(user),
  ]
  const configs = [
    join(user.gitDirectory, 'config'),
    join(user.ownDirectory, 'config.worktree'),
    '/etc/gitconfig',
    join(home, '.gitconfig'),
    ...own.map(path => join(path, 'config')),
  ]
  return attributes.some(namesConversion) || configs.some(path => namesAttributes(path))
}

/** Other files of attributes, here or in what it includes; whether that counts now makes no difference. */
function namesAttributes(config: string, depth = 0): boolean {
  const text = read(config)
  if (/attributesfile/i.test(text) || depth > deepestInclude) return true
  if (!/\[\s*include/i.test(text)) return false
  const paths = [...text.matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gim)].map(([, path = '']) => path)
  return paths.some(path =>
    namesAttributes(resolve(dirname(config), path.replace(/^~/, homedir())), depth + 1),
  )
}

/** Where the tree is a directory inside the repository. */
function attributesAbove({ root, prefix }: UserRepository): string[] {
  const names = Buffer.from(prefix, 'latin1').toString().split('/').slice(0, -1)
  return names.map((_, depth) => join(root, ...names.slice(0, depth), '.gitattributes'))
}

/** Whether git may have written to the tree what is not of the id in the index: `git replace`. */
export function hasReplacements({ gitDirectory }: UserRepository): boolean {
  return (
    // Where refs are not files.
    existsSync(join(gitDirectory, 'reftable')) ||
    existsSync(join(gitDirectory, 'refs/replace')) ||
    read(join(gitDirectory, 'packed-refs')).includes(' refs/replace/')
  )
}

/** Empty for what is not there or not to be read: git would not read it either. A pipe would be waited for for ever. */
export function read(path: string | Buffer): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : ''
  } catch {
    return ''
  }
}
