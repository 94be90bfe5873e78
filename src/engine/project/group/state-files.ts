/**
 * Keeps the state files of the work tree up to date with a group, as those of a loop are: its members in copies have
 * their own there, and members that work in the tree itself write none. Only a mirror: nothing reads it back.
 */
import type { GroupState } from '../../../core/group/state.ts'
import type { GroupEvent, GroupRecorded } from '../../../model/group/event.ts'
import { groupStateJson } from '../../../views/json/group-state-file.ts'
import { redactText } from '../../../views/secrets/redact.ts'
import { groupProgressPage } from '../../../views/text/group/progress.ts'
import { removeStateFiles, writeStateFiles } from '../files.ts'

const shownBy: ReadonlySet<GroupEvent['kind']> = new Set([
  'group.created',
  'nodes.planned',
  'node.started',
  'node.ended',
  'node.skipped',
  'node.rested',
  'node.continued',
  'tree.applied',
  'tree.unapplied',
  'tree.restored',
  'group.held',
  'group.resumed',
  'group.completed',
  'group.failed',
  'group.cancelled',
])

type Mirror = (event: GroupRecorded, state: GroupState, now: number) => void

type Around = {
  /** Told once, in words, if the files cannot be written. */
  complain(why: string): void
  /** Another journal holds the tree: the files are its own. A group may work beside it, in copies. */
  isTakenFor(tree: string, group: string): boolean
}

export function mirrorGroup({ complain, isTakenFor }: Around): Mirror {
  let silent = false
  const written = new Map<string, string>()
  return (event, state, now) => {
    if (!shownBy.has(event.kind)) return
    const { cwd, deleteState } = state.spec
    try {
      if (isTakenFor(cwd, state.id)) return
      if (state.outcome && deleteState) return removeStateFiles(cwd)
      const files = {
        'state.json': redactText(groupStateJson(state), []),
        'PROGRESS.md': redactText(groupProgressPage(state, now), []),
      }
      writeStateFiles(cwd, files, written)
    } catch (error) {
      if (!silent) complain(`.loop/state.json cannot be written: ${(error as Error).message}`)
      silent = true
    }
  }
}
