/**
 * The assessment of a loop when it is requested: its shape, the type of work, and how hard it is to undo. It is
 * recorded with the first event. A loop with a promise has the shape tool, whatever its prompt. A caller with
 * better knowledge, such as a scored plan, passes it in `given`.
 */
import type { Assessment } from '../../../model/loop/assessment.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { reversibility } from '../../reversibility.ts'
import { workflowType } from '../../score.ts'

export function assess({ prompt }: Spec): Assessment {
  return { shape: 'tool', workflow: workflowType(prompt), reversibility: reversibility(prompt) }
}

/** The first event of a loop. */
export function creation(spec: Spec, given: Partial<Assessment> = {}): EventOf<'loop.created'> {
  return { kind: 'loop.created', data: { spec, assessed: { ...assess(spec), ...given } } }
}
