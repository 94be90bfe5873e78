/** The directory of a run and its agent. Only the journal is used: no part of the path comes from the caller. */
import { join } from 'node:path'
import type { AgentName } from '../../model/agent.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import { loopDir } from '../../store/files/paths.ts'

type RunPlace = { run: number; iteration: number; agent: AgentName; dir: string }

export function runPlace(store: Store, loop: string, run: number): Result<RunPlace> {
  const known = store.heads.get(loop)
  if (!known.ok) return known
  const events = store.journals.ofKinds(loop, ['loop.created', 'run.started'], 0)
  const started = events.flatMap(({ data }) => (isStart(data) && data.run === run ? data : []))[0]
  if (!started) return fail('unknown-loop', { kind: 'unknown-run', id: loop, run })
  const [created] = events.flatMap(({ data }) => ('spec' in data ? data.spec.agent : []))
  const dir = join(loopDir(store.paths, loop), started.dir)
  return ok({ run, iteration: started.iteration, agent: started.agent ?? created ?? 'custom', dir })
}

function isStart(data: Recorded['data']): data is EventOf<'run.started'>['data'] {
  return 'run' in data && 'dir' in data && 'boot' in data && 'iteration' in data
}
