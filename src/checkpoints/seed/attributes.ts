/**
 * Whether git may have changed the bytes of files on their way into its objects, other than by their number:
 * whether any attributes it reads name a filter, ident or an encoding. Only looks for the words: a wrong yes
 * costs the reading of files, and no more.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { UserRepository } from '../scan/outer-rules.ts'
import { mayConfigure, readSetting, userDirectories } from '../scan/user-config.ts'

const conversions = /filter|ident|working-tree-encoding|\[attr\]/

export function namesConversion(path: string | Buffer): boolean {
  return conversions.test(readSetting(path))
}

/** Outside the tree: as the user's git would find them. */
export function hasConversions(user: UserRepository): boolean {
  const attributes = [
    join(user.gitDirectory, 'info/attributes'),
    '/etc/gitattributes',
    ...userDirectories().map(path => join(path, 'attributes')),
    ...attributesAbove(user),
  ]
  return attributes.some(namesConversion) || mayConfigure(user, /attributesfile/i)
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
    readSetting(join(gitDirectory, 'packed-refs')).includes(' refs/replace/')
  )
}
