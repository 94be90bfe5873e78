/** Which forms of the commands print which document with `--json`, from the definitions of the commands. */
import type * as z from 'zod'
import { type CommandDefinition, commands } from '../src/cli/command-table.ts'
import { daemonCommands } from '../src/cli/table/loopd.ts'
import { type DocumentName, jsonDocuments } from '../src/documents/documents.ts'

/** `commands`: the forms that print one; `perLine`: those that print such documents one a line. */
export type PrintedDocument = { commands: string[]; perLine: string[]; schema: z.ZodType }

const forms = [...commands, ...daemonCommands].flatMap(({ json }: CommandDefinition) => Object.entries(json))

export const printedDocuments = Object.fromEntries(
  Object.entries<z.ZodType>(jsonDocuments()).map(([name, schema]) => [
    name,
    {
      commands: forms.flatMap(([form, prints]) => ([prints].flat().some(one => one === name) ? form : [])),
      perLine: forms.flatMap(([form, prints]) =>
        typeof prints === 'object' && 'lines' in prints && prints.lines === name ? form : [],
      ),
      schema,
    },
  ]),
) as Record<DocumentName, PrintedDocument>

/** Forms that print no document of loop's own, and why. */
export const withoutDocument: Record<string, string> = Object.fromEntries(
  forms.flatMap(([form, prints]) =>
    typeof prints === 'object' && 'none' in prints ? [[form, prints.none]] : [],
  ),
)
