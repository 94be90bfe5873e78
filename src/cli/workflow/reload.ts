/**
 * A resume uses the file that was started: if the file has changed, the resume is refused with the differences,
 * unless the person accepts them. A file that is gone is not needed, because the journal has its content.
 */
import { existsSync } from 'node:fs'
import { workflowDifference } from '../../core/workflow.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { commonFlags } from '../../options/table/command.ts'
import { workflowFlags } from '../../options/table/workflow.ts'
import { valuesOf } from '../../options/values.ts'
import type { Input } from '../command-table.ts'
import { notice } from '../terminal.ts'
import { loadWorkflow, sayProblems, trustedWorkflow } from './load.ts'

type Started = { workflow: WorkflowSpec; options: Record<string, string[]> }

/** The workflow to continue with; null: the one that was started. */
export async function reloaded(
  id: string,
  { workflow: started, options }: Started,
  input: Input,
): Promise<Result<WorkflowSpec | null>> {
  const { file, vars, hash } = started
  if (!existsSync(file)) {
    notice(input, `${file} is gone; the group goes on with what it said.`)
    return ok(null)
  }
  const set = Object.entries(vars).map(([name, value]) => `${name}=${value}`)
  const { env } = input
  const typed = new Map([...Object.entries(options), ['set', set] as const])
  const asked = valuesOf([...workflowFlags, ...commonFlags], typed, { env })
  const loaded = await loadWorkflow(file, { ...input, ...asked })
  if (!loaded.ok) return loaded
  const { read } = loaded.value
  if ('problems' in read) {
    sayProblems(read.problems, input)
    return fail('invalid-config', { kind: 'workflow-broken', path: file })
  }
  const now = read.workflow
  if (now.hash === hash) return ok(null)
  const differs = workflowDifference(started, now)
  if (differs.length === 0) return ok(null)
  if (!input.given('accept-changes')) {
    return fail('invalid-config', { kind: 'workflow-changed', path: file, id, differences: differs })
  }
  const trusted = trustedWorkflow(loaded.value.file, { input, lines: differs, workflow: now })
  return trusted.ok ? ok(now) : trusted
}
