/**
 * The reasons to look at a result before shipping it although its promise passed. They are derived from state
 * and not stored.
 */
import { type FewerTests, fewerTests, type RepositoryDoubt, repositoryDoubts } from '../parts/doubts.ts'
import type { State } from '../state.ts'
import { secondLook } from './second-look.ts'

/**
 * `mixed`: neither the sources alone nor the steering files alone make the promise pass. `not-alone`: the steering files
 * alone do not, and the sources alone cannot be tried, because a copy has the current tools. `unlooked`: nobody has
 * looked yet; the group does if this result leads.
 */
type SteeredDoubt = {
  kind: 'steered'
  how: 'mixed' | 'not-alone' | 'not-checkable' | 'accepted' | 'unlooked'
  files: string[]
}

export type Doubt = RepositoryDoubt | FewerTests | SteeredDoubt

export function doubtsOf(state: State): Doubt[] {
  return [...repositoryDoubts(state.doubts), ...fewerTests(state.doubts), ...steered(state)]
}

function steered(state: State): SteeredDoubt[] {
  const { changed, accepted, looks, calibration } = state.trust
  if (accepted.length > 0) return [{ kind: 'steered', how: 'accepted', files: [...new Set(accepted)] }]
  const files = changed.map(({ path }) => path)
  if (files.length === 0) return []
  const seen = secondLook(state)
  if (state.spec.secondLook === 'by-group' && 'look' in seen)
    return [{ kind: 'steered', how: 'unlooked', files }]
  if (looks.length + calibration.length === 0) return []
  if (!('is' in seen) || seen.is === 'sound') return []
  const isTried = seen.is !== 'mixed' || looks.some(({ which }) => which === 'green')
  return [{ kind: 'steered', how: isTried ? seen.is : 'not-alone', files }]
}
