/**
 * The documents that `--json` prints for scripts, by name. Fields are added, never removed. Which command prints which
 * is in its definition (cli/table); docs/reference/json.md and json.schema.json are generated from both;
 * test/e2e/command/json-output.test.ts holds every form against real output.
 */
import * as z from 'zod'
import { string } from './fields.ts'
import { groupDocuments } from './group.ts'
import { logDocuments } from './log.ts'
import { loopDocuments } from './loop.ts'
import { machineDocuments } from './machine.ts'
import { reportSchema } from './report.ts'
import { treeDocuments } from './tree.ts'
import { workDocuments } from './work.ts'
import { problemsSchema, workflowDocuments } from './workflow.ts'

export function jsonDocuments() {
  return {
    ...loopDocuments(),
    ...groupDocuments(),
    report: reportSchema(),
    ...logDocuments(),
    ...treeDocuments(),
    ...workDocuments(),
    ...workflowDocuments(),
    ...machineDocuments(),
  }
}

type Documents = ReturnType<typeof jsonDocuments>
export type DocumentName = keyof Documents

export type JsonDocument<N extends DocumentName> = z.infer<Documents[N]>

/** On stderr, whatever the command: a failure, with the exit code of its reason; what a person should know besides. */
export function stderrDocuments() {
  return {
    error: z.strictObject({
      error: z.strictObject({
        reason: string('a word that stays the same'),
        message: string('for people; may change'),
        facts: z
          .looseObject({ kind: z.string() })
          .optional()
          .describe('the values that the message is made of'),
        problems: problemsSchema().optional().describe('every mistake in a file of a workflow'),
      }),
    }),
    notice: z.strictObject({ notice: z.strictObject({ message: string('for people; may change') }) }),
  }
}
