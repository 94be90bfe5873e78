/** `--set name=value`: the values of the variables of a workflow, and which value each of them has in the end. */
import { problemOfValue } from '../../core/workflow/values.ts'
import { ok, type Result } from '../../model/failure.ts'
import { nearest } from '../nearest.ts'
import { invalid } from '../value.ts'
import type { WorkflowDocument } from './document.ts'
import type { Variable } from './scope.ts'
import { nameForm, nameRule } from './shapes.ts'

export function parseSet(typed: readonly string[]): Result<Map<string, string>> {
  const values = new Map<string, string>()
  for (const one of typed) {
    const at = one.indexOf('=')
    const name = one.slice(0, at)
    if (at < 1) return invalid(`--set is name=value; not "${one}".`)
    if (!nameForm.test(name)) return invalid(`--set ${name}: a name is ${nameRule}.`)
    if (values.has(name)) return invalid(`--set ${name} is given twice. Give it once.`)
    const value = one.slice(at + 1)
    const problem = problemOfValue(value)
    if (problem !== null)
      return invalid(`The value of --set ${name} ${problem}. Put it into a file and name that.`)
    values.set(name, value)
  }
  return ok(values)
}

/** All variables of a file; `used` are the names in it where it declares none. */
export function variablesFrom(
  { vars }: Pick<WorkflowDocument, 'vars'>,
  set: Map<string, string>,
  used: ReadonlySet<string>,
): Result<Map<string, Variable>> {
  const names = vars ? vars.map(({ name }) => name) : [...used]
  for (const name of set.keys()) {
    if (names.includes(name)) continue
    const near = nearest(name, names)
    const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'It has none.'
    return invalid(`The workflow has no variable ${name}. ${near ? `Did you mean --set ${near}=…?` : there}`)
  }
  const declared = vars ?? names.map(name => ({ name, default: null, isRequired: true, isCommand: false }))
  return ok(
    new Map(
      declared.map(({ name, isRequired, isCommand, default: otherwise }) => {
        const value = set.get(name) ?? otherwise?.text ?? (isRequired ? null : '')
        return [name, { value, isCommand }]
      }),
    ),
  )
}
