/** `loop workflow run`: runs a trusted workflow as a group, in the foreground or under loopd. */

import { safeLine } from '../../core/text/plain-text.ts'
import type { Result } from '../../model/failure.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { priorities } from '../../model/loop/spec.ts'
import type { Flag } from '../../options/table/flag.ts'
import { startFlags } from '../../options/table/start.ts'
import { readWord } from '../../options/values.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { workflowPlan } from '../../views/text/workflow.ts'
import type { Input } from '../command-table.ts'
import { hasFace } from '../foreground/face.ts'
import { startGroup, startGroupInBackground } from '../foreground/group.ts'
import { isAttended } from '../foreground/question.ts'
import { err } from '../terminal.ts'

export async function runWorkflow(workflow: WorkflowSpec, input: Input): Promise<Result<number>> {
  const spec = workflowGroup(workflow, input)
  if (!input.given('json') && (input.given('background') || !hasFace(input)))
    err(workflowPlan(workflow).map(safeLine).join('\n'))
  if (!input.given('background')) return startGroup(spec, input)
  const priority = readWord(input, 'priority', priorities)
  return priority.ok ? startGroupInBackground(spec, priority.value, input) : priority
}

/** The typed values; for a switch, that it was given. */
function typedFor({ name, takes }: Flag, input: Input): string[] {
  return takes === undefined ? ['true'] : input.values(name)
}

/** The recorded spec of the group. */
export function workflowGroup(workflow: WorkflowSpec, input: Input): GroupSpec {
  const [first] = workflow.loops
  if (!first) throw new Error('Internal error: a workflow has a loop')
  return {
    program: 'workflow',
    name: workflow.name,
    cwd: first.spec.cwd,
    budgetUsd: workflow.budgetUsd,
    parallel: liveSettings(pathsFrom(input.env)).now().limit,
    workflow,
    options: Object.fromEntries(
      startFlags.filter(({ name }) => input.given(name)).map(flag => [flag.name, typedFor(flag, input)]),
    ),
    attended: isAttended(input),
    ...(input.given('notify') && { notify: true }),
  }
}
