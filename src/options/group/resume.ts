/** From what was asked to how a group goes on: its own budget, and limits that each of its loops goes on with. */
import { ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import { givenLimits } from '../limits.ts'
import { agentFlagsOfResume } from '../table/resume.ts'
import { invalid } from '../value.ts'
import type { Values } from '../values.ts'

type Changes = Omit<Extract<GroupCommand, { kind: 'resume' }>, 'kind' | 'attended'>

export function groupResumeFrom(values: Values): Result<Changes> {
  const agentFlag = agentFlagsOfResume.find(({ name }) => values.given(name))
  if (agentFlag) return invalid(`--${agentFlag.name} is for one loop: resume a member of the group with it.`)
  const limits = givenLimits(values)
  if (!limits.ok) return limits
  const { budgetUsd, ...ofMembers } = limits.value
  return ok({
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(Object.keys(ofMembers).length > 0 && { limits: ofMembers }),
  })
}
