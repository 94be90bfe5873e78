/**
 * Maxims: rules of a project and of its user, loaded before any task is made. Those of a repository are used only after
 * the user has trusted them.
 */
import { maximsAt, trustAll } from '../../engine/learn/learnings.ts'
import type { PlanSpec } from '../../model/group/plan.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { notice } from '../terminal.ts'

export function maximsFor(tree: string, input: Input): PlanSpec['maxims'] {
  const place = { paths: pathsFrom(input.env), tree }
  if (input.given('trust') && !input.given('dry-run')) trustAll(place)
  const { usable, strange } = maximsAt(place)
  if (strange.length > 0)
    notice(
      input,
      `Not used as maxims, since they are not trusted: ${strange.join(', ')}. Trust them with --trust.`,
    )
  return usable.map(({ path, text }) => ({ name: path, text }))
}
