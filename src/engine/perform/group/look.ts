/**
 * A second look by a group: the questions that a loop asks by itself (core/loop/assess/second-look), about the result of
 * a member that has ended, or about the whole of a plan. What comes of it is recorded with the node of the group; the
 * journal of a member stays as it is. A look that was lost is taken again from the beginning.
 */
import { checkpointOf } from '../../../core/group/state.ts'
import { creation } from '../../../core/loop/assess/assess.ts'
import { secondLook } from '../../../core/loop/assess/second-look.ts'
import { type LoopKinds, loopMachine } from '../../../core/loop/machine.ts'
import type { State } from '../../../core/loop/state.ts'
import { planOf, shapeIn } from '../../../core/plan/read.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent, NodeEnd } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Event } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { verifiedName } from '../../../model/units.ts'
import { readState } from '../../machine.ts'
import { inEnvelopes } from '../../recorded.ts'
import { endLooks, takeLook } from '../loop/look.ts'
import { lookForSteering } from '../loop/steering.ts'
import { fileName } from './copy.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

type Look = Pick<NodeOf<'command'>, 'id' | 'of'>

export async function lookAgain(look: Look, attempt: number, task: GroupTask): Promise<GroupEvent[]> {
  const { world, signal } = task
  const subject = look.of === null ? await wholeNow(look, task) : memberOf(look.of, task)
  if (signal.aborted) return []
  if (!subject.ok) return [nodeFailed(`look ${look.id}`, subject.failure.facts)]
  const began = performance.now()
  let state = subject.value
  for (;;) {
    const seen = secondLook(state)
    if (!('look' in seen)) {
      const durationMs = Math.round(performance.now() - began)
      return [{ kind: 'node.ended', data: { node: look.id, attempt, ...endOf(state, seen), durationMs } }]
    }
    const { iteration } = state.work
    const events = await takeLook({ kind: 'look', iteration, ...seen.look }, { world, state, signal })
    if (events.length === 0) return [] // aborted
    state = after(state, events, world.now())
  }
}

/** In memory alone. */
function after(state: State, events: Event[], at: number): State {
  const of = { loop: state.id, after: state.seq, epoch: state.epoch, at, cause: null }
  return inEnvelopes<LoopKinds>(loopMachine, events, of).reduce(loopMachine.evolve, state)
}

type Seen = Exclude<ReturnType<typeof secondLook>, { look: unknown }>

function endOf({ trust }: State, seen: Seen): Pick<NodeEnd, 'how' | 'looked'> {
  if ('suspect' in seen) return { how: 'failed', looked: { is: 'suspect', files: seen.suspect.files } }
  const files = trust.changed.map(({ path }) => path)
  const is = seen.is === 'verified' || seen.is === 'unclean' ? 'sound' : seen.is
  return { how: 'completed', looked: { is, files } }
}

/** Ends what a killed host has left of it. */
export async function endLookAgain({ of }: Look, task: GroupTask): Promise<void> {
  const { world, signal } = task
  const subject = of === null ? ok(whole(task)) : memberOf(of, task)
  if (subject.ok) await endLooks({ world, state: subject.value, signal })
}

function memberOf(of: string, { world, state }: GroupTask): Result<State> {
  const { member } = nodeOf(state, of)
  if (member === null) throw new Error(`Internal error: ${of} has no member to look at`)
  return readState(world.store, member, 'loop')
}

/** A plan as one loop of a single iteration: its criteria, between the tree that it found and the tree of now. */
function whole({ world, state }: GroupTask): State {
  const shape = shapeIn(state)
  const criteria = (shape?.criteria ?? []).filter(({ command }) => command !== null)
  const spec: Spec = { ...planOf(state).loop, cwd: state.spec.cwd, checkpoint: 'git', criteria }
  const of = { loop: state.id, after: 0, epoch: state.epoch, at: world.now(), cause: null }
  const [created] = inEnvelopes<LoopKinds>(loopMachine, [creation(spec)], of)
  if (!created) throw new Error('Internal error: a loop without a first event')
  const begun = loopMachine.begin(created)
  const tree = { ...begun.tree, reference: checkpointOf(state, 'initial') }
  return { ...begun, tree, work: { ...begun.work, iteration: 1 } }
}

async function wholeNow({ id }: Look, task: GroupTask): Promise<Result<State>> {
  const { world, signal } = task
  const state = whole(task)
  const name = fileName(id)
  const saved = await world.checkpoints(state.spec).take({ loop: state.id, name, since: null, signal })
  if (!saved.ok) return saved
  const { tree } = saved.value
  if (tree === null) return ok(state)
  const verifiedAtMs = world.now()
  const found = await lookForSteering({ tree, verifiedAtMs }, { world, state, signal })
  if (!found.ok) return found
  const { steered: changed, allowed, product } = found.value
  const checkpoints = { name: verifiedName(1), tree, earlier: null }
  return ok({
    ...state,
    tree: { ...state.tree, checkpoints },
    trust: { ...state.trust, changed, allowed, product },
  })
}
