/** `--set name=value`: the values of the variables of a workflow, and which value each of them has in the end. */
import { problemOfValue } from '../../core/workflow/values.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { ProjectCommands } from '../../model/project.ts'
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

type Declared = Pick<WorkflowDocument, 'vars'>

/** What is wrong with the names that were given a value; `used` are the names in a file that declares none. */
export function unknownVariable(
  { vars }: Declared,
  set: Map<string, string>,
  used: ReadonlySet<string>,
): string | null {
  const names = vars ? vars.map(({ name }) => name) : [...used]
  const unknown = [...set.keys()].find(name => !names.includes(name))
  if (unknown === undefined) return null
  const near = nearest(unknown, names)
  const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'It has none.'
  return `The workflow has no variable ${unknown}. ${near ? `Did you mean --set ${near}=…?` : there}`
}

type Sources = {
  set: Map<string, string>
  used: ReadonlySet<string>
  /** The commands of the project; asked only where a variable needs one. */
  project(): ProjectCommands
}

/** All variables of a file, with the value that each has; null where it has none. */
export function variablesFrom({ vars }: Declared, { set, used, project }: Sources): Map<string, Variable> {
  const plain = { default: null, isRequired: true, isCommand: false, detect: null }
  const declared = vars ?? [...used].map(name => ({ name, ...plain }))
  return new Map(
    declared.map(({ name, isRequired, isCommand, detect, default: otherwise }) => {
      const given = set.get(name) ?? otherwise?.text ?? null
      const found = given === null && detect !== null ? project()[detect] : null
      const value = given ?? found?.command ?? (isRequired ? null : '')
      return [name, { value, isCommand, ...(detect && { detect, because: found?.because ?? null }) }]
    }),
  )
}
