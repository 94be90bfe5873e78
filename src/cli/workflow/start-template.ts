/** Runs a template: `loop template run <name>`, and `loop start <prompt> --template <name>`. */
import { invalid, ok, type Result } from '../../model/failure.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import { ofOneLoop } from '../../options/table/workflow.ts'
import { standardInput } from '../../wiring/stdin.ts'
import type { Input } from '../command-table.ts'
import { notice } from '../terminal.ts'
import { type LoadedToRun, launchWorkflow, loadWorkflow, lookAtWorkflow, soundWorkflow } from './load.ts'
import {
  declaredIn,
  firstVariable,
  isOwn,
  missingValues,
  shadowWords,
  type Template,
  templateNamed,
} from './places.ts'
import { workflowGroup } from './run.ts'

/** `more`: values in addition to those of --set. */
export async function runTemplate(name: string, input: Input, more: string[] = []): Promise<Result<number>> {
  const loaded = await loadTemplate(name, input, more)
  return loaded.ok ? launchWorkflow(loaded.value, loaded.value) : loaded
}

/** The group of a template, for callers that start it in another way; mistakes are in the failure. */
export async function templateGroup(name: string, input: Input): Promise<Result<GroupSpec>> {
  const loaded = await loadTemplate(name, input, [])
  if (!loaded.ok) return loaded
  const ready = soundWorkflow(loaded.value, loaded.value)
  return ready.ok ? ok(workflowGroup(ready.value.workflow, loaded.value.input)) : ready
}

async function loadTemplate(
  name: string,
  input: Input,
  more: string[],
): Promise<Result<LoadedToRun & { isOwn: boolean }>> {
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
  return loaded.ok ? ok({ ...loaded.value, isOwn: isOwn(found.value, input) }) : loaded
}

/** A command of the project that the template needs, and that was neither given nor found. */
function missingCommand({ name, path }: Template, input: Input): Result<null> {
  const looked = lookAtWorkflow(path, input)
  const unset = looked.ok && 'unset' in looked.value.read ? looked.value.read.unset : []
  const missing = declaredIn(path).find(one => one.detect !== null && unset.includes(one.name))
  if (!missing) return ok(null)
  return invalid({
    kind: 'template-command-missing',
    name,
    detect: missing.detect,
    variable: missing.name,
  })
}

/** Options of a single start that the template defines itself. */
const ofOneStart = [
  ...ofOneLoop,
  'best-of',
  'isolated',
  'best-of-metric',
  'best-of-manual',
  'best-of-judge',
  'first-wins',
]

export function startTemplate(name: string, input: Input): Promise<Result<number>> | Result<never> {
  const own = ofOneStart.find(flag => input.given(flag) || input.values(flag).length > 0)
  if (own !== undefined) return invalid({ kind: 'flag-with-template', flag: own })
  const found = templateNamed(name, input)
  if (!found.ok) return found
  const [prompt, ...rest] = input.positionals
  if (rest.length > 0) return invalid({ kind: 'one-argument', what: 'prompt' })
  const variable = firstVariable(declaredIn(found.value.path))
  if (prompt === undefined) return runTemplate(name, input)
  if (!variable) return invalid({ kind: 'template-without-prompt', name })
  const text = prompt === '-' ? (standardInput()?.trim() ?? '') : prompt
  return runTemplate(name, input, [`${variable.name}=${text}`])
}
