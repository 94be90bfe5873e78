/** All programs by name. A new program is a file and a row here. */
import type { GroupSpec } from '../../model/group/spec.ts'
import { planProgram } from '../plan/program.ts'
import { bestOf } from './best-of.ts'
import type { Program } from './program.ts'
import { workflow } from './workflow.ts'

export const programs: Record<GroupSpec['program'], Program> = {
  'best-of': bestOf,
  workflow,
  plan: planProgram,
}
