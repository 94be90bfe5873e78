/** `loop plan <spec>`: from a text to verified work; the same as `loop start` without a promise. */

import { invalid } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { configured } from '../config.ts'
import { startPlan } from '../plan/start-plan.ts'
import { systemHere } from '../system.ts'

const plan: CommandRun = async typed => {
  if (typed.positionals.length > 1) return invalid({ kind: 'one-text-to-plan' })
  const system = systemHere(typed)
  const read = await configured(typed, system)
  return read.ok ? startPlan(read.value, system) : read
}

export default plan
