/** Gives a member that wanted advice the answer of the panel; afterwards the group lets it continue. */
import type { GroupStep } from '../../../core/group/decide.ts'
import { adviceWords } from '../../../core/programs/counsel.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import { ask } from '../../ask.ts'
import { type GroupTask, nodeFailed } from './steps.ts'

export async function advise(
  { node, attempt, member, by }: Extract<GroupStep, { kind: 'advise' }>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const text = adviceWords(state, by)
  if (!isTold(world.store.journals.read(member), text)) {
    const told = await ask(world, member, { kind: 'inject', text, by: 'panel' })
    if (signal.aborted) return []
    if (!told.ok) return [nodeFailed(`advice for ${node}`, told.failure.facts)]
  }
  world.fault('advised')
  return [{ kind: 'node.advised', data: { node, attempt, by } }]
}

type Journal = ReturnType<GroupTask['world']['store']['journals']['read']>

/** A host that died may have given it without recording that. */
function isTold(journal: Journal, text: string): boolean {
  return (
    journal.ok && journal.value.some(({ kind, data }) => kind === 'context.injected' && data.text === text)
  )
}
