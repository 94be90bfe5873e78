/** `--set name=value`: the values of a workflow's variables, and the final value of each. */
import { problemOfValue } from '../../core/workflow.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { ProjectCommands } from '../../model/project.ts'
import { nearest } from '../nearest.ts'
import { invalid } from '../value.ts'
import type { WorkflowDocument } from './document.ts'
import { nameForm, nameRule } from './keys.ts'
import type { Variable } from './scope.ts'

export function parseSet(typed: readonly string[]): Result<Map<string, string>> {
  const values = new Map<string, string>()
  for (const one of typed) {
    const at = one.indexOf('=')
    const name = one.slice(0, at)
    if (at < 1) return invalid({ kind: 'bad-set', typed: one })
    if (!nameForm.test(name)) return invalid({ kind: 'bad-set-name', name, rule: nameRule })
    if (values.has(name)) return invalid({ kind: 'set-twice', name })
    const value = one.slice(at + 1)
    const problem = problemOfValue(value)
    if (problem !== null) return invalid({ kind: 'bad-set-value', name, why: problem })
    values.set(name, value)
  }
  return ok(values)
}

type Declared = Pick<WorkflowDocument, 'vars'>

/** What is wrong with the names that got a value; `used` are the names in a file that declares none. */
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
  /** The commands of the project; called only if a variable needs one. */
  project(): ProjectCommands
}

/** All variables of a file with their values; null for one without a value. */
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
