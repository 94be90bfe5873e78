/**
 * The variables of a template before it runs: missing values are asked for on a terminal, and listed elsewhere.
 * options/workflow judges the file as a whole afterwards.
 */

import { safeLine } from '../../core/text/plain-text.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { VarEntry } from '../../options/workflow/document.ts'
import { readDocument } from '../../options/workflow/document.ts'
import { notesOn } from '../../options/workflow/yaml.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended } from '../foreground/question.ts'
import { readWorkflowFile } from '../workflow/file.ts'

/** Empty if the file declares none or cannot be read; its mistakes are reported later. */
export function declaredIn(path: string): VarEntry[] {
  const file = readWorkflowFile(path)
  return file.ok ? (readDocument(file.value.text, notesOn(file.value.text, path))?.vars ?? []) : []
}

function namesIn(set: readonly string[]): string[] {
  return set.map(one => one.slice(0, one.indexOf('=')))
}

/** The variable whose value is the prompt: the first one without a default. */
export function firstVariable(vars: readonly VarEntry[]): VarEntry | null {
  return vars.find(({ isRequired, isCommand }) => isRequired && !isCommand) ?? null
}

/** The missing values as `name=value`; `given` are present already. */
export async function missingValues(
  vars: readonly VarEntry[],
  { name, given, input }: { name: string; given: readonly string[]; input: Input },
): Promise<Result<string[]>> {
  const there = namesIn([...input.values('set'), ...given])
  const missing = vars.filter(one => one.isRequired && one.detect === null && !there.includes(one.name))
  if (missing.length === 0) return ok([])
  const refused = fail('invalid-arguments', {
    kind: 'template-values-missing',
    name,
    missing: missing.map(({ name: variable, description }) => ({ name: variable, description })),
  })
  if (!isAttended(input)) return refused
  const values: string[] = []
  for (const one of missing) {
    const { signal } = new AbortController()
    const asked = one.description === null ? one.name : `${one.name}, ${one.description}`
    const line = (await askLine(`${safeLine(asked)}: `, signal))?.trim() ?? ''
    if (line === '') return refused
    values.push(`${one.name}=${line}`)
  }
  return ok(values)
}
