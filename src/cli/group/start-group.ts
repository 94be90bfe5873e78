/** `loop start --best-of` and `--isolated`: a group in the foreground, or under loopd. */
import { createGroup, queueGroup } from '../../engine/host.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Priority } from '../../model/loop/spec.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { withWorld } from '../../wiring/world.ts'
import type { Input } from '../command-table.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { runGroup } from './run.ts'

export function startGroup(spec: GroupSpec, input: Input): Promise<Result<number>> {
  return withWorld(input.env, async world => {
    const group = createGroup(world, spec)
    return group.ok ? runGroup(group.value, input) : group
  })
}

export async function startGroupInBackground(
  spec: GroupSpec,
  priority: Priority,
  input: Input,
): Promise<Result<number>> {
  const id = queueTheGroup(spec, priority, input.env)
  return id.ok ? underDaemon(id.value, input, 'group') : id
}

/** The group is recorded first and waits, whatever happens to loopd. Returns its id. */
export function queueTheGroup(spec: GroupSpec, priority: Priority, env: NodeJS.ProcessEnv): Result<string> {
  const meant = mayHandOver(env)
  if (!meant.ok) return meant
  const store = openStore(pathsFrom(env))
  if (!store.ok) return store
  const world = { store: store.value, now: Date.now }
  const id = queueGroup(world, { spec: { ...spec, attended: false }, env }, priority)
  store.value.close()
  return ok(id)
}
