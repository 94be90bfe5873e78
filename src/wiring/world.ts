/** Wires the real parts together: the store, this process as a host, the adapters. */

import { agents } from '../adapters/agents/agent.ts'
import type { WorkCopies } from '../adapters/workcopies/contract.ts'
import { localCopies } from '../adapters/workcopies/local.ts'
import { noCheckpoints } from '../checkpoints/backend-choice.ts'
import { btrfsCheckpoints } from '../checkpoints/btrfs.ts'
import type { Checkpoints } from '../checkpoints/contract.ts'
import { gitCheckpoints } from '../checkpoints/git/backend.ts'
import { copyCache } from '../checkpoints/objects/repository.ts'
import { err } from '../cli/terminal.ts'
import type { JournalKind } from '../core/folds.ts'
import { groupMachine } from '../core/group/machine.ts'
import { loopMachine } from '../core/loop/machine.ts'
import { faultFrom } from '../engine/fault.ts'
import { feedOf } from '../engine/feed.ts'
import { performGroup } from '../engine/perform/group/steps.ts'
import { perform } from '../engine/perform/loop/steps.ts'
import { mirrorGroup } from '../engine/project/group.ts'
import { mirrorInto } from '../engine/project/loop.ts'
import { interventionsIn } from '../engine/project/plan-files.ts'
import { hostName, type World } from '../engine/world.ts'
import type { Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { platform } from '../platform/platform.ts'
import { checkpointStore, type Paths, pathsFrom } from '../store/files/paths.ts'
import { becomeHost } from '../store/sqlite/lock.ts'
import { openStore } from '../store/sqlite/open.ts'
import { withoutStateFiles } from '../views/words/message.ts'

/** Opens the store, runs `work` as a host, and releases both afterwards, whatever happens. */
export async function withWorld<T>(
  env: NodeJS.ProcessEnv,
  work: (world: World) => Promise<Result<T>>,
): Promise<Result<T>> {
  const paths = pathsFrom(env)
  const store = openStore(paths)
  if (!store.ok) return store
  const host = becomeHost(store.value, hostName())
  try {
    const complain = (why: string) => err(withoutStateFiles(why))
    return await work(worldOf({ store: store.value, feed: feedOf(store.value), host, env, complain }))
  } finally {
    host.release()
    store.value.close()
  }
}

type Parts = Pick<World, 'store' | 'feed' | 'host' | 'env'> & { complain(why: string): void }

export function worldOf({ store, feed, host, env, complain }: Parts): World {
  const fault = faultFrom(env)
  const isTakenFor = (tree: string, id: string) => store.heads.holder(tree, { id, group: null }) !== null
  return {
    store,
    feed,
    host,
    here: platform.processes.here(),
    env,
    now: Date.now,
    agents,
    checkpoints: checkpointsIn(store.paths),
    copies: copiesIn(store.paths, env, fault),
    machines: {
      loop: { ...loopMachine, perform, project: mirrorInto(complain, store.paths) },
      group: {
        ...groupMachine,
        perform: performGroup,
        project: mirrorGroup({
          complain,
          isTakenFor,
          interventions: state => interventionsIn(store, state),
          env,
        }),
      },
    } satisfies Record<JournalKind, unknown>,
    fault,
  }
}

/** One backend per work tree for the life of this program: its cache makes later checkpoints fast. */
function checkpointsIn(paths: Paths): World['checkpoints'] {
  const known = new Map<string, Checkpoints>()
  return spec => {
    if (spec.checkpoint === 'none') return noCheckpoints
    const backend = known.get(spec.cwd) ?? checkpointsOf(paths, spec)
    known.set(spec.cwd, backend)
    return backend
  }
}

function copiesIn(paths: Paths, env: NodeJS.ProcessEnv, fault: World['fault']): World['copies'] {
  const known = new Map<string, WorkCopies>()
  return tree => {
    const store = checkpointStore(paths, { cwd: tree })
    const { copies: place, templates } = paths
    const copies = known.get(tree) ?? localCopies({ tree, store, copies: place, templates, env, fault })
    known.set(tree, copies)
    return copies
  }
}

export function checkpointsOf(
  paths: Paths,
  spec: Pick<Spec, 'cwd' | 'checkpoint' | 'checkpointIgnored' | 'copy'>,
): Checkpoints {
  const { checkpoint, cwd: tree, copy, checkpointIgnored: ignoredToo = false } = spec
  const options = { tree, store: checkpointStore(paths, spec), ignoredToo }
  if (copy) return gitCheckpoints({ ...options, cache: copyCache(tree), rulesOf: copy.tree })
  return checkpoint === 'btrfs' ? btrfsCheckpoints(options) : gitCheckpoints(options)
}
