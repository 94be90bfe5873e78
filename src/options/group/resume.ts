/** How a group continues, from the request: its own budget, and the limits for each of its loops. */
import { ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import { givenLimits } from '../limits.ts'
import { agentFlagsOfResume, sandboxFlags } from '../table/resume.ts'
import { invalid } from '../value.ts'
import type { Values } from '../values.ts'

type Changes = Omit<Extract<GroupCommand, { kind: 'resume' }>, 'kind' | 'attended'>

export function groupResumeFrom(values: Values): Result<Changes> {
  const agentFlag = [...agentFlagsOfResume, ...sandboxFlags].find(({ name }) => values.given(name))
  if (agentFlag) return invalid({ kind: 'agent-flag-of-group', flag: agentFlag.name })
  const limits = givenLimits(values)
  if (!limits.ok) return limits
  const { budgetUsd, ...ofMembers } = limits.value
  return ok({
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(Object.keys(ofMembers).length > 0 && { limits: ofMembers }),
  })
}
