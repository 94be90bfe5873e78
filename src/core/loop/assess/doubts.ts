/**
 * The reasons to look at a result before shipping it although its promise passed. They are derived from state
 * and not stored.
 */
import { type FewerTests, fewerTests, type RepositoryDoubt, repositoryDoubts } from '../parts/doubts.ts'
import type { State } from '../state.ts'
import { failedInPipe, type Soundness, secondLook } from './second-look.ts'

/**
 * The kinds of an end that let the loop complete, and are said. `not-alone`: mixed, where the work alone cannot be tried,
 * because a copy has the current tools. `unlooked`: the group looks if this result leads.
 */
type SteeredDoubt = {
  kind: 'steered'
  how: Exclude<Soundness, 'sound' | 'verified' | 'unclean'> | 'not-alone' | 'accepted' | 'unlooked'
  files: string[]
}

export type Doubt = RepositoryDoubt | FewerTests | SteeredDoubt

export function doubtsOf(state: State): Doubt[] {
  return [...repositoryDoubts(state.doubts), ...fewerTests(state.doubts), ...steered(state)]
}

function steered(state: State): SteeredDoubt[] {
  const { changed, accepted, looks } = state.trust
  if (accepted.length > 0) return [{ kind: 'steered', how: 'accepted', files: [...new Set(accepted)] }]
  const files = changed.map(({ path }) => path)
  const isPlain = files.length === 0 && looks.length === 0
  if (isPlain && state.trust.silenced.length === 0 && failedInPipe(state).length === 0) return []
  const seen = secondLook(state)
  if (state.spec.secondLook === 'by-group' && 'look' in seen)
    return files.length > 0 ? [{ kind: 'steered', how: 'unlooked', files }] : []
  if (!('is' in seen) || seen.is === 'sound' || seen.is === 'verified' || seen.is === 'unclean') return []
  if (seen.is === 'silenced') return [{ kind: 'steered', how: seen.is, files: state.trust.silenced }]
  if (seen.is === 'piped') return [{ kind: 'steered', how: seen.is, files: failedInPipe(state) }]
  const isTried = seen.is !== 'mixed' || looks.some(({ which }) => which === 'green')
  const how = isTried ? seen.is : 'not-alone'
  return [{ kind: 'steered', how, files: files.length > 0 ? files : state.tree.paths }]
}
