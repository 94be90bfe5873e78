/**
 * Can a file of the work tree differ from its blob though both have the same size? That takes a conversion by an
 * attribute (filter, ident, working-tree-encoding) or a replaced object. Attribute files are only searched for these
 * words: a wrong yes means that files are read, and costs no more than time.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { UserRepository } from '../scan/outer-rules.ts'
import { mayConfigure, readSetting, userDirectories } from '../scan/user-config.ts'

const conversions = /filter|ident|working-tree-encoding|\[attr\]/

export function namesConversion(path: string | Buffer): boolean {
  return conversions.test(readSetting(path))
}

/** Do attribute files outside the tree, which the user's git would read, name a conversion? */
export function hasConversions(user: UserRepository): boolean {
  const attributes = [
    join(user.gitDirectory, 'info/attributes'),
    '/etc/gitattributes',
    ...userDirectories().map(path => join(path, 'attributes')),
    ...attributesAbove(user),
  ]
  return attributes.some(namesConversion) || mayConfigure(user, /attributesfile/i)
}

/** The attribute files above the tree, where the tree is a directory inside the repository. */
function attributesAbove({ root, prefix }: UserRepository): string[] {
  const names = Buffer.from(prefix, 'latin1').toString().split('/').slice(0, -1)
  return names.map((_, depth) => join(root, ...names.slice(0, depth), '.gitattributes'))
}

/** Does the repository use `git replace`? Then git may have checked out other content than the index names. */
export function hasReplacements({ gitDirectory }: UserRepository): boolean {
  return (
    // Refs in another format than files: assume that some replace objects.
    existsSync(join(gitDirectory, 'reftable')) ||
    existsSync(join(gitDirectory, 'refs/replace')) ||
    readSetting(join(gitDirectory, 'packed-refs')).includes(' refs/replace/')
  )
}
