/** The backend of `--checkpoint none`: it saves nothing, and nothing can be compared or restored. */
import { fail, ok } from '../model/failure.ts'
import type { Checkpoints } from './contract.ts'

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
