/**
 * Hard-links the packs of the user's repository into the store. Not through alternates: then a gc of the user could
 * delete objects that only a checkpoint needs.
 */
import { linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from '../errors.ts'
import { isWholePack } from '../objects/lookup.ts'
import type { Repository } from '../objects/repository.ts'
import type { UserRepository } from '../scan/outer-rules.ts'

/** False where no pack can be linked: another file system, another owner, no pack that is whole. */
export function linkPacks(user: UserRepository, repository: Repository): boolean {
  const from = join(user.gitDirectory, 'objects/pack')
  const to = join(repository.dir, 'objects/pack')
  try {
    const names = readdirSync(from)
    const bases = names
      .filter(name => /^pack-[0-9a-f]{40}\.idx$/.test(name))
      .map(name => name.slice(0, -4))
      .filter(base => names.includes(`${base}.pack`))
      // The objects of a damaged pack would count as saved.
      .filter(base => isWholePack(join(from, `${base}.pack`), join(from, `${base}.idx`)))
    for (const base of bases) {
      for (const end of ['.pack', '.idx']) {
        link(join(from, base + end), join(to, base + end))
        repository.batch.sync(join(to, base + end))
      }
    }
    return bases.length > 0
  } catch (error) {
    if (isMissing(error) || ['EXDEV', 'EPERM', 'EACCES', 'EMLINK'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
