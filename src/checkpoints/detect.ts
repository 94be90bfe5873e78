/** Chooses the backend of a work tree, with the reason: btrfs where the tree is a subvolume, else git. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { platform } from '../platform/platform.ts'

type Choice = { backend: 'btrfs' | 'git'; why: string }

export function detect(tree: string, env: NodeJS.ProcessEnv): Choice {
  if (!platform.files.isSubvolume(tree))
    return { backend: 'git', why: 'the work tree is not a btrfs subvolume' }
  const places = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  if (!places.some(place => existsSync(join(place, 'btrfs')))) {
    return { backend: 'git', why: 'the tree is a btrfs subvolume, but the program btrfs is not installed' }
  }
  return { backend: 'btrfs', why: 'the tree is a btrfs subvolume' }
}
