/** The backend that saves nothing: for trees where rollback is somebody else's business. */
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
    return fail('not-allowed', 'This loop was started with --checkpoint none: there is nothing to compare.')
  },
  async diff() {
    return fail('not-allowed', 'This loop was started with --checkpoint none: there is nothing to compare.')
  },
  async preview() {
    return fail('not-allowed', 'This loop was started with --checkpoint none: there is nothing to restore.')
  },
  async restore() {
    return fail('not-allowed', 'This loop was started with --checkpoint none: there is nothing to restore.')
  },
}
