/** Resolves how the work tree is saved: which backend, and whether it works here. */
import { ok, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { System } from '../system.ts'
import { invalid, readWord, subjectOf } from '../value.ts'
import type { Values } from '../values.ts'

type Saving = Pick<Spec, 'checkpoint' | 'checkpointWhy' | 'checkpointIgnored'>

export function checkpointFrom(values: Values, system: System, cwd: string): Result<Saving> {
  const name = readWord(values, 'checkpoint', ['auto', 'btrfs', 'git', 'none'])
  if (!name.ok) return name
  if (name.value === 'none') return ok({ checkpoint: 'none' })
  const data = system.realpath(pathsFrom(system.env).data)
  if (`${data}/`.startsWith(cwd === '/' ? cwd : `${cwd}/`)) {
    return invalid({ kind: 'data-in-tree', cwd, data })
  }
  const found = system.detectCheckpoint(cwd)
  if (name.value === 'btrfs' && found.backend !== 'btrfs') {
    return invalid({ kind: 'no-btrfs', subject: subjectOf(values, 'checkpoint'), cwd, why: found.why })
  }
  const ignored = values.given('checkpoint-ignored') && { checkpointIgnored: true }
  if (name.value !== 'auto') return ok({ checkpoint: name.value, ...ignored })
  return ok({ checkpoint: found.backend, checkpointWhy: found.why, ...ignored })
}
