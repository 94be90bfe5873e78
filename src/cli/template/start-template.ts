/** Runs a template: `loop template run <name>`, and `loop start <prompt> --template <name>`. */
import { fail, ok, type Result } from '../../model/failure.ts'
import { ofOneLoop } from '../../options/table/workflow.ts'
import { standardInput } from '../../wiring/stdin.ts'
import type { Input } from '../command-table.ts'
import { notice } from '../terminal.ts'
import { launchWorkflow, loadWorkflow, lookAtWorkflow } from '../workflow/load.ts'
import { isOwn, shadowWords, type Template, templateNamed } from './places.ts'
import { declaredIn, firstVariable, missingValues } from './variables.ts'

/** `more`: values beside those of --set. */
export async function runTemplate(name: string, input: Input, more: string[] = []): Promise<Result<number>> {
  const found = templateNamed(name, input)
  if (!found.ok) return found
  const shadowed = shadowWords(found.value)
  if (shadowed !== null) notice(input, shadowed)
  const { path } = found.value
  const asked = await missingValues(declaredIn(path), { name, given: more, input })
  if (!asked.ok) return asked
  const lacks = missingCommand(found.value, input)
  if (!lacks.ok) return lacks
  const loaded = await loadWorkflow(path, input, [...more, ...asked.value])
  return loaded.ok ? launchWorkflow(loaded.value, { isOwn: isOwn(found.value, input) }) : loaded
}

/** A command of the project that the template cannot do without, and that nobody gave and loop did not find. */
function missingCommand({ name, path }: Template, input: Input): Result<null> {
  const looked = lookAtWorkflow(path, input)
  const unset = looked.ok && 'unset' in looked.value.read ? looked.value.read.unset : []
  const missing = declaredIn(path).find(one => one.detect !== null && unset.includes(one.name))
  if (!missing) return ok(null)
  return fail(
    'invalid-arguments',
    `The template ${name} needs a ${missing.detect} command, and loop found none in this project. Give it: --set ${missing.name}="…"`,
  )
}

/** What a single start says of itself has no place where a template says it. */
const ofOneStart = [...ofOneLoop, 'best-of', 'isolated', 'best-of-metric', 'best-of-manual', 'first-wins']

export function startTemplate(name: string, input: Input): Promise<Result<number>> | Result<never> {
  const own = ofOneStart.find(flag => input.given(flag) || input.values(flag).length > 0)
  if (own !== undefined)
    return fail(
      'invalid-arguments',
      `--${own} does not go with --template: each step of the template has its own promise and options.`,
    )
  const found = templateNamed(name, input)
  if (!found.ok) return found
  const [prompt, ...rest] = input.positionals
  if (rest.length > 0) return fail('invalid-arguments', 'The prompt is one argument: put it in quotes.')
  const variable = firstVariable(declaredIn(found.value.path))
  if (prompt === undefined) return runTemplate(name, input)
  if (!variable)
    return fail('invalid-arguments', `The template ${name} needs no prompt: loop template run ${name}`)
  const text = prompt === '-' ? (standardInput()?.trim() ?? '') : prompt
  return runTemplate(name, input, [`${variable.name}=${text}`])
}
