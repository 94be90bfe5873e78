/**
 * Turns the text of a workflow file into the data of a group: all mistakes at once, each with its position, or the
 * whole workflow with full specs. It reads only its arguments and runs nothing.
 */
import { createHash } from 'node:crypto'
import { resolve as resolvePath } from 'node:path'
import { findReferences } from '../../core/text/references.ts'
import { filledEnvironment, placesOf, problemOfValue } from '../../core/workflow.ts'
import type {
  Problem,
  Reference,
  ShellCommand,
  Variables,
  WorkflowLoop,
  WorkflowSpec,
} from '../../model/group/workflow.ts'
import type { ProjectCommands } from '../../model/project.ts'
import { parseMoney } from '../../model/units.ts'
import { detectProject, listingOf } from '../detect/project.ts'
import type { System } from '../system.ts'
import type { Values } from '../values.ts'
import { commandFrom } from './commands.ts'
import { readDocument, type WorkflowDocument } from './document.ts'
import { expand, type Instance, outputProblem } from './expand.ts'
import { builtIn } from './keys.ts'
import { resolveLoop } from './loop.ts'
import { knownText, type Scope, unknownVariable, type Variable, variablesFrom } from './scope.ts'
import { notesOn, type ProblemNotes, type TextNode } from './yaml.ts'

type WorkflowRequest = {
  text: string
  /** Its absolute path. */
  file: string
  /** The values of --set. */
  set: Map<string, string>
  /** Options of a start that apply to all loops, on top of the configuration. */
  values: Values
  system: System
  /** The workflow is to be run, so every variable must have a value; otherwise the file is only validated. */
  isComplete: boolean
}

/** `unset`: variables that need a value before it can run. */
export type ReadWorkflow =
  | { workflow: WorkflowSpec; unset: string[]; commands: ChosenCommand[] }
  | { problems: Problem[] }

/** The command that a variable stands for. `because` is null if a person or the file gave it. Empty: there is none. */
type ChosenCommand = { name: string; command: string; because: string | null }

export function readWorkflow(request: WorkflowRequest): ReadWorkflow {
  const notes = notesOn(request.text, request.file)
  const document = readDocument(request.text, notes)
  const workflow = document && resolve(document, request, notes)
  return workflow && notes.problems.length === 0 ? workflow : { problems: sorted(notes.problems) }
}

function sorted(problems: Problem[]): Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function resolve(document: WorkflowDocument, request: WorkflowRequest, notes: ProblemNotes): ReadWorkflow {
  const instances = expand(document.loops, notes)
  const used = usedNames(request.text)
  const unknown = unknownVariable(document, request.set, used)
  if (unknown !== null) notes.mark(document.name.range, unknown)
  const vars = variablesFrom(document, { set: request.set, used, project: () => projectAt(request) })
  const outer = outerScope(document, { ...request, vars })
  const env = envFrom(document, outer, notes)
  const budget = budgetFrom(document, request.values, notes)
  const hook = (nodes: TextNode[], scope: Scope) =>
    nodes.flatMap(node => commandFrom(node, scope, { notes }) ?? [])
  const ended = { ...outer, later: new Map([...outer.later, ...outputsOf(instances, null)]) }
  const failed = new Map<string, Reference>([...outer.later, ['failed_loop', { of: 'failed-loop' }]])
  const onComplete = hook(document.onComplete, {
    ...ended,
    where: 'on_complete',
    explain: path => explainHook(path, instances),
  })
  const onFailure = hook(document.onFailure, {
    ...outer,
    where: 'on_failure',
    later: failed,
    explain: explainFailure,
  })
  const copySetup =
    document.copySetup && commandFrom(document.copySetup, { ...outer, where: 'copy_setup' }, { notes })
  const loops = loopsFrom(instances, { document, request, notes, outer, env, budget })
  return {
    workflow: {
      name: document.name.text,
      description: document.description?.text ?? null,
      file: request.file,
      hash: hashOf(request.text, vars),
      vars: Object.fromEntries([...vars].map(([name, { value }]) => [name, value ?? ''])),
      budgetUsd: parseMoney(budget)?.limit ?? null,
      env,
      copySetup: copySetup satisfies ShellCommand | null,
      loops,
      onComplete,
      onFailure,
    },
    unset: [...outer.unset],
    commands: [...vars].flatMap(([name, { value, isCommand, because = null }]) =>
      isCommand && value !== null ? [{ name, command: value, because }] : [],
    ),
  }
}

/** The root of the loops' work tree. */
function projectAt({ values, system }: WorkflowRequest): ProjectCommands {
  const asked = resolvePath(system.cwd, values.value('cwd') ?? '.')
  const found = system.directory(asked)
  return detectProject(listingOf('real' in found ? found.real : asked, system))
}

/** All names in the file that could be variables, if it declares none. */
function usedNames(text: string): Set<string> {
  const paths = findReferences(text).flatMap(({ kind, path }) => (kind === 'reference' ? [path] : []))
  return new Set(paths.filter(path => !path.includes('.') && !builtIn.includes(path)))
}

function outerScope(
  document: WorkflowDocument,
  { vars, isComplete }: { vars: Map<string, Variable>; isComplete: boolean },
): Scope {
  return {
    where: 'the workflow',
    vars,
    isOpen: document.vars === null,
    known: new Map([['workflow.name', document.name.text]]),
    later: new Map<string, Reference>([['workflow.id', { of: 'group-id' }]]),
    explain: explainOuter,
    unset: new Set(),
    isComplete,
  }
}

const ofALoop: [string, string] = ['It is known in a loop only.', 'Use it in a prompt or a promise.']

function explainOuter(path: string): [string, string] | null {
  if (path === 'failed_loop') return ['failed_loop is known in on_failure only.', 'Use it there.']
  return /^(matrix|loop|outputs)\./.test(path) ? ofALoop : null
}

function explainFailure(path: string): [string, string] | null {
  if (path.startsWith('outputs.'))
    return ['A workflow that failed may not have this output.', 'Use it in a loop, or in on_complete.']
  return explainOuter(path)
}

function explainHook(path: string, instances: Instance[]): [string, string] | null {
  return path.startsWith('outputs.') ? explainOutput(path, instances, null) : explainOuter(path)
}

/** The outputs of loops by path: of those before `instance`, or of all. */
function outputsOf(instances: Instance[], instance: Instance | null): [string, Reference][] {
  return instances
    .filter(({ id }) => !instance || instance.ancestors.has(id))
    .flatMap(({ id, entry }) =>
      entry.outputs.map(({ name }): [string, Reference] => [
        `outputs.${id}.${name.text}`,
        { of: 'output', loop: id, field: name.text },
      ]),
    )
}

function explainOutput(
  path: string,
  instances: Instance[],
  instance: Instance | null,
): [string, string] | null {
  const [, loop = '', field = ''] = path.split('.')
  const found = instances.filter(({ id, entry }) => id === loop || entry.id.text === loop)
  const [first] = found
  if (!first) return null
  if (found.length > 1)
    return [`${loop} is ${found.length} loops.`, `Name one of them: ${found.map(({ id }) => id).join(', ')}.`]
  if (instance && !instance.ancestors.has(first.id)) {
    return [
      `${instance.entry.id.text} does not depend on ${loop}, so its outputs may not be there yet.`,
      `Add it: depends_on: [${loop}]`,
    ]
  }
  return outputProblem(first.entry, field)
}

function envFrom({ env }: WorkflowDocument, outer: Scope, notes: ProblemNotes): Record<string, string> {
  const scope = { ...outer, where: 'env', later: new Map<string, Reference>() }
  return Object.fromEntries(
    env.flatMap(({ name, value }) => {
      const text = knownText(value, scope, notes)
      const problem = text === null ? null : problemOfValue(text)
      if (problem !== null) notes.mark(value.range, `The value of ${name} ${problem}.`)
      return text === null ? [] : [[name, text]]
    }),
  )
}

/** A typed value applies to the whole run; otherwise the file's, otherwise the configuration's. */
function budgetFrom({ budget }: WorkflowDocument, values: Values, notes: ProblemNotes): string {
  const isTyped = values.origin('budget')?.from === '--budget'
  if (budget && parseMoney(budget.text) === null) {
    notes.mark(budget.range, `budget is an amount in dollars like 25 or 2.50, or none; not "${budget.text}".`)
    return 'none'
  }
  return (isTyped ? null : budget?.text) ?? values.value('budget') ?? 'none'
}

type All = {
  document: WorkflowDocument
  request: WorkflowRequest
  notes: ProblemNotes
  outer: Scope
  env: Record<string, string>
  budget: string
}

function loopsFrom(
  instances: Instance[],
  { document, request, notes, outer, env, budget }: All,
): WorkflowLoop[] {
  const places = placesOf(instances)
  const said = new Set<string>()
  const shellProblem = remembered(request.system.shellProblem)
  const system = { ...request.system, shellProblem }
  return instances.flatMap(instance => {
    const { entry, id, name, matrix, needs, when } = instance
    const scope = loopScope(instance, instances, outer)
    const context = {
      values: request.values,
      defaults: document.defaults,
      areDefaultsSound: document.areDefaultsSound,
      budget,
      system,
      scope,
      notes,
      said,
    }
    const resolved = resolveLoop(instance, context)
    if (!resolved) return []
    const { variables, ...rest } = resolved
    const texts = Object.entries(env).map(([key, value]) => [key, [value]])
    const environment: Variables = { ...Object.fromEntries(texts), ...variables }
    const filled = filledEnvironment(environment, () => '')
    if ('unfit' in filled) notes.mark(entry.id.range, `${filled.unfit} of ${entry.id.text} ${filled.why}.`)
    return [
      {
        ...rest,
        id,
        name,
        of: entry.id.text,
        matrix,
        needs,
        when,
        retry: entry.retry as WorkflowLoop['retry'],
        outputs: entry.outputs.map(output => ({ name: output.name.text, description: output.description })),
        env: environment,
        bestOf: entry.bestOf,
        place: places.get(id) ?? 'copy',
      },
    ]
  })
}

function loopScope(instance: Instance, instances: Instance[], outer: Scope): Scope {
  const { id, matrix, entry } = instance
  const values = Object.entries(matrix).map(([key, value]): [string, string] => [`matrix.${key}`, value])
  return {
    ...outer,
    where: `the loop ${entry.id.text}`,
    known: new Map([...outer.known, ['loop.id', id], ...values]),
    later: new Map([...outer.later, ...outputsOf(instances, instance)]),
    explain: path => {
      if (path.startsWith('outputs.')) return explainOutput(path, instances, instance)
      if (path.startsWith('matrix.') && values.length === 0)
        return [`The loop ${entry.id.text} has no matrix.`, 'Add matrix: to it.']
      return path === 'failed_loop' ? explainOuter(path) : null
    },
  }
}

function remembered(ask: (command: string) => string | null): (command: string) => string | null {
  const answers = new Map<string, string | null>()
  return command => {
    const answer = answers.has(command) ? (answers.get(command) ?? null) : ask(command)
    answers.set(command, answer)
    return answer
  }
}

function hashOf(text: string, vars: Map<string, Variable>): string {
  const values = [...vars].map(([name, { value }]) => [name, value]).toSorted()
  return createHash('sha256').update(text).update('\0').update(JSON.stringify(values)).digest('hex')
}
