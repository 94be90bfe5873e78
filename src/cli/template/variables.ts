/**
 * The variables of a template, before it runs: those that need a value and have none are asked for on a terminal, and
 * named elsewhere. The file is judged as a whole by options/workflow afterwards.
 */
import { fail, ok, type Result } from '../../model/failure.ts'
import type { VarEntry } from '../../options/workflow/document.ts'
import { readDocument } from '../../options/workflow/read.ts'
import { notesOn } from '../../options/workflow/yaml.ts'
import { safeLine } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended } from '../foreground/question.ts'
import { readWorkflowFile } from '../workflow/file.ts'

/** Empty where the file declares none, or cannot be read: then what is wrong with it is said later. */
export function declaredIn(path: string): VarEntry[] {
  const file = readWorkflowFile(path)
  return file.ok ? (readDocument(file.value.text, notesOn(file.value.text, path))?.vars ?? []) : []
}

function namesIn(set: readonly string[]): string[] {
  return set.map(one => one.slice(0, one.indexOf('=')))
}

/** The variable that a prompt is the value of: the first that somebody has to give. */
export function firstVariable(vars: readonly VarEntry[]): VarEntry | null {
  return vars.find(({ isRequired, isCommand }) => isRequired && !isCommand) ?? null
}

/** Values for what is missing, as `name=value`; `given` are there already. */
export async function missingValues(
  vars: readonly VarEntry[],
  { name, given, input }: { name: string; given: readonly string[]; input: Input },
): Promise<Result<string[]>> {
  const there = namesIn([...input.values('set'), ...given])
  const missing = vars.filter(one => one.isRequired && one.detect === null && !there.includes(one.name))
  if (missing.length === 0) return ok([])
  const needs = missing.map(
    one => `--set ${one.name}=…${one.description === null ? '' : ` (${one.description})`}`,
  )
  const refused = fail('invalid-arguments', `The template ${name} needs a value: ${needs.join(', ')}`)
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
