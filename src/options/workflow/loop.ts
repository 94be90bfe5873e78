/**
 * One loop of a workflow as a full spec: its own keys, then the options of the run, the file's `defaults`, and the
 * configuration. A limit among the options of the run is an upper bound of what the file says. Values are judged by the
 * table of options, so that a mistake is reported with its position in the file.
 */
import { writtenText } from '../../core/workflow.ts'
import { failureWords } from '../../failures/words.ts'
import type { Variables, WorkflowLoop } from '../../model/group/workflow.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { criteriaFrom, splitName } from '../criteria.ts'
import { isLimit, permitted } from '../limits.ts'
import { resolveStart } from '../resolve.ts'
import type { System } from '../system.ts'
import { startFlags } from '../table/start.ts'
import { workflowFlags } from '../table/workflow.ts'
import { type Values, valuesOf } from '../values.ts'
import { commandFrom } from './commands.ts'
import { hasReference, judgeOption, type OptionEntry } from './document.ts'
import type { Instance } from './expand.ts'
import { commandOptions, isOfTheRun } from './keys.ts'
import { knownText, type Scope, textFrom } from './scope.ts'
import type { ProblemNotes, SourceRange, TextNode } from './yaml.ts'

type LoopContext = {
  /** The options of the run, on top of the configuration. */
  values: Values
  defaults: Map<string, OptionEntry>
  areDefaultsSound: boolean
  /** The budget of a loop that names none. */
  budget: string
  system: System
  scope: Scope
  notes: ProblemNotes
  /** Refusals that were already reported for another loop. */
  said: Set<string>
}

type Resolved = Pick<WorkflowLoop, 'prompt' | 'spec' | 'injected' | 'confirm' | 'lowered'> & {
  variables: Variables
}

export function resolveLoop(instance: Instance, context: LoopContext): Resolved | null {
  const { entry } = instance
  const { scope, notes, system } = context
  const before = notes.problems.length
  const prompt = textFrom(entry.prompt, { ...scope, where: `the prompt of ${entry.id.text}` }, notes)
  const confirm =
    entry.confirm && textFrom(entry.confirm, { ...scope, where: `confirm of ${entry.id.text}` }, notes)
  const { given, written, variables, lowered } = optionsOf(instance, context)
  if (!given.has('promise') && !entry.options.has('promise') && !context.defaults.has('promise'))
    notes.mark(
      entry.id.range,
      `The loop ${entry.id.text} has no promise.`,
      'Add promise: a command that exits 0 when the work is done.',
    )
  if (notes.problems.length > before || !entry.isSound || !context.areDefaultsSound || !prompt) return null
  const asked = { prompt: writtenText(prompt), values: over(context.values, given) }
  const wish = resolveStart(asked, { ...system, readStdin: null })
  if (wish.ok) checkAgentCommand(wish.value.spec, instance, context)
  if (wish.ok)
    return {
      prompt,
      confirm,
      variables,
      injected: wish.value.injected,
      spec: asWritten(wish.value.spec, written),
      ...(lowered.length > 0 && { lowered }),
    }
  const message = failureWords(wish.failure)
  const place = placeOf(message, instance, context)
  if (place || !context.said.has(message)) notes.mark(place ?? entry.id.range, message)
  context.said.add(message)
  return null
}

type LoopOptions = {
  given: Map<string, string[]>
  written: Map<string, string>
  variables: Variables
  lowered: NonNullable<WorkflowLoop['lowered']>
}

/** The options that the file gives this loop, by flag; `written` has its commands as written. */
function optionsOf({ entry }: Instance, { values, defaults, budget, ...context }: LoopContext): LoopOptions {
  const given = new Map([['budget', [budget]]])
  const found: LoopOptions = { given, written: new Map(), variables: {}, lowered: [] }
  const isTyped = (name: string) =>
    values.flags.some(flag => flag.name === name) && values.origin(name)?.from === `--${name}`
  for (const [name, option] of defaults)
    if ((isLimit(name) || !isTyped(name)) && !entry.options.has(name)) take(option, found, context)
  for (const option of entry.options.values()) take(option, found, context)
  for (const name of [...given.keys()].filter(isLimit)) {
    const [typed, from] = [values.origin(name), given.get(name)?.at(-1) ?? '']
    if (!typed || !isTyped(name) || !(permitted(name, typed.text) < permitted(name, from))) continue
    given.set(name, [typed.text])
    found.lowered.push({ option: name, from, to: typed.text })
  }
  return found
}

function take(
  option: OptionEntry,
  found: LoopOptions,
  context: Pick<LoopContext, 'scope' | 'notes' | 'system'>,
): void {
  const { flag, items } = option
  const texts = items.flatMap(item => {
    const text = commandOptions.includes(flag.name)
      ? commandOf(option, item, { found, ...context })
      : plainOf(option, item, context)
    return text === null ? [] : [text]
  })
  if (texts.length > 0) found.given.set(flag.name, texts)
}

function plainOf(
  { flag }: OptionEntry,
  item: TextNode,
  { scope, notes }: Pick<LoopContext, 'scope' | 'notes'>,
): string | null {
  const key = flag.name.replaceAll('-', '_')
  const text = knownText(item, { ...scope, where: key }, notes)
  if (text !== null && hasReference(item)) judgeOption({ flag, key, text, range: item.range }, notes)
  return text
}

type CommandContext = Pick<LoopContext, 'scope' | 'notes' | 'system'> & { found: LoopOptions }

/** A promise can have a name before its command; the name is literal text. */
function commandOf({ flag }: OptionEntry, item: TextNode, context: CommandContext): string | null {
  const { scope, notes, system, found } = context
  const isCriterion = flag.name !== 'agent-cmd'
  const parts = isCriterion ? splitName(item.text, system.hasProgram) : null
  const from = parts ? item.text.trimEnd().length - parts.command.length : 0
  const name = { ...item, text: item.text.slice(0, from) }
  if (hasReference(name)) {
    notes.mark(item.within(0, from), 'The name of a criterion is text as it is: nothing is replaced in it.')
    return null
  }
  const key = flag.name.replaceAll('-', '_')
  const spliced = commandFrom(item, { ...scope, where: key }, { notes, from })
  if (!spliced) return null
  Object.assign(found.variables, spliced.variables)
  const text = name.text + spliced.command
  if (!isCriterion) return text
  found.written.set(spliced.command.trim(), spliced.written.trim())
  const values = valuesOf(
    startFlags,
    new Map([[flag.name, [text]], ...(flag.name === 'promise' ? [] : [promiseOfAnother])]),
    { env: {} },
  )
  const judged = criteriaFrom(values, system)
  const isSame = judged.ok && (splitName(text, system.hasProgram)?.name ?? null) === (parts?.name ?? null)
  if (isSame) return text
  const message = judged.ok
    ? 'It is not clear where the name of the criterion ends.'
    : failureWords(judged.failure)
  notes.mark(item.range, message, judged.ok ? 'Put the name into quotes: \'"tests pass"=npm test\'' : null)
  return null
}

const promiseOfAnother: [string, string[]] = ['promise', ['another']]

/** A criterion without a name is named by its command as written, without the names of variables. */
function asWritten(spec: Spec, written: Map<string, string>): Spec {
  const criteria = spec.criteria.map(criterion =>
    criterion.name === criterion.command
      ? { ...criterion, name: written.get(criterion.name) ?? criterion.name }
      : criterion,
  )
  return { ...spec, criteria }
}

/** The file's values on top of those of the run; options of the whole run do not apply to a loop. */
function over(values: Values, given: Map<string, string[]>): Values {
  const isOfALoop = (name: string) =>
    workflowFlags.some(flag => flag.name === name) &&
    (!isOfTheRun(name) || ['yes', 'dry-run', 'cwd', 'no-input'].includes(name))
  const rowOf = (name: string) => startFlags.find(flag => flag.name === name)
  const origin = (name: string) => {
    const text = given.get(name)?.at(-1)
    if (text !== undefined) return { text, from: 'workflow', subject: name.replaceAll('-', '_') }
    if (isOfALoop(name)) return values.origin(name)
    const otherwise = rowOf(name)?.default
    return otherwise === undefined ? null : { text: otherwise, from: 'default', subject: `--${name}` }
  }
  return {
    ...values,
    origin,
    value: name => origin(name)?.text ?? null,
    values: name => given.get(name) ?? values.values(name),
    given: name => {
      if (given.has(name)) return rowOf(name)?.takes !== undefined || given.get(name)?.at(-1) === 'true'
      return isOfALoop(name) && values.given(name)
    },
  }
}

/** For other agents it is the path of a program. */
function checkAgentCommand({ agent, fallbacks = [] }: Spec, { entry }: Instance, context: LoopContext): void {
  const [command] = (entry.options.get('agent-cmd') ?? context.defaults.get('agent-cmd'))?.items ?? []
  const isShell = [agent, ...fallbacks.map(other => other.agent)].some(name =>
    ['custom', 'acp'].includes(name),
  )
  if (command && hasReference(command) && !isShell)
    context.notes.mark(command.range, `agent_cmd of ${agent} is no shell command: nothing is replaced in it.`)
}

/** The part of the file that a refusal is about, by the option that it names. */
function placeOf(message: string, { entry }: Instance, { defaults }: LoopContext): SourceRange | null {
  const names = [...message.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name)
  const guessed = /^The promise|criteri/.test(message)
    ? ['promise']
    : /agent/i.test(message)
      ? ['agent', 'agent-cmd']
      : []
  for (const name of [...names, ...guessed]) {
    const option = entry.options.get(name) ?? defaults.get(name)
    if (option) return option.items[0]?.range ?? option.keyRange
  }
  return null
}
