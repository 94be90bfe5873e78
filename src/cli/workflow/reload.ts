/**
 * A resume is bound to the file that was started: where that has changed, it is refused with what differs, unless the
 * person accepts it. A file that is gone is not needed: the journal holds what it said.
 */
import { existsSync } from 'node:fs'
import { workflowDifference } from '../../core/workflow/difference.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { commonFlags } from '../../options/table/command.ts'
import { workflowFlags } from '../../options/table/workflow.ts'
import { valuesOf } from '../../options/values.ts'
import { safeLine, spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { notice } from '../terminal.ts'
import { trustedWorkflow } from './file.ts'
import { loadWorkflow, sayProblems } from './load.ts'

type Started = { workflow: WorkflowSpec; options: Record<string, string[]> }

/** The workflow to go on with; null: the one that was started. */
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
    return fail(
      'invalid-config',
      `${spelledOut(file)} has changed, and has mistakes. Put it back, or mend it.`,
    )
  }
  const now = read.workflow
  if (now.hash === hash) return ok(null)
  const differs = workflowDifference(started, now)
  if (differs.length === 0) return ok(null)
  if (!input.given('accept-changes')) {
    const lines = differs.map(line => `  ${safeLine(line)}`)
    return fail(
      'invalid-config',
      [
        `${spelledOut(file)} has changed since group ${id} was started:`,
        ...lines,
        `Put it back, or go on with it as it is: loop resume ${id} --accept-changes`,
      ].join('\n'),
    )
  }
  const trusted = trustedWorkflow(loaded.value.file, { input, lines: differs, workflow: now })
  return trusted.ok ? ok(now) : trusted
}
