/**
 * Which backend saves a work tree, with the reason: btrfs where the tree is a subvolume, else git; and the one that saves
 * nothing.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, ok } from '../model/failure.ts'
import { platform } from '../platform/platform.ts'
import type { Checkpoints } from './contract.ts'

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

/** The backend of `--checkpoint none`: it saves nothing, and nothing can be compared or restored. */
export const noCheckpoints: Checkpoints = {
  async take() {
    return ok({ tree: null, durationMs: 0, skipped: [], changes: null, changed: null })
  },
  async changed() {
    return ok([])
  },
  async changedSince() {
    return fail('not-allowed', { kind: 'nothing-to-compare-with' })
  },
  async diff() {
    return fail('not-allowed', { kind: 'nothing-to-compare-with' })
  },
  async preview() {
    return fail('not-allowed', { kind: 'nothing-to-restore' })
  },
  async restore() {
    return fail('not-allowed', { kind: 'nothing-to-restore' })
  },
}
