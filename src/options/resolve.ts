/**
 * Turns a request into a fully resolved start. The command line, the API and MCP all use it. Each mistake has its
 * own sentence, which names the option as it is typed. It reads nothing itself: questions about the system go to
 * `System`.
 */
import { resolve } from 'node:path'
import { namedByWords } from '../core/trust/words.ts'
import { all, allOf, fail, invalid, ok, type Result } from '../model/failure.ts'
import { type Priority, priorities, type Spec } from '../model/loop/spec.ts'
import { parseDuration } from '../model/units.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { agentFrom, agreedToHosted, environmentFrom, sessionAgent } from './agent.ts'
import { attemptsFrom } from './best-of.ts'
import { criteriaFrom, wholeCommand } from './criteria.ts'
import { limitsFrom } from './limits.ts'
import { sandboxFrom } from './sandbox.ts'
import type { System } from './system.ts'
import { hookFlags } from './table/flag.ts'
import { groupFlags } from './table/group.ts'
import { fitting, readAs, readWord, subjectOf, type Values } from './values.ts'

/** `injected`: extra texts for the agent's first iteration, besides the files of `inject`. */
export type StartRequest = {
  prompt: string | undefined
  values: Values
  injected?: string[]
  /** The deciding criteria are found later: a plan has no promise yet. */
  planned?: true
}

export type StartWish = {
  spec: Spec
  injected: string[]
  /** What happens to the state files at the end; null: not specified. */
  state: 'keep' | 'delete' | null
  /** The priority of a background loop; null in the foreground. */
  priority: Priority | null
}

/** Not options: the same for every loop, until somebody needs to change them. */
const fixed = { graceMs: 5_000, backoffMs: 2_000 }

export function resolveStart(request: StartRequest, system: System): Result<StartWish> {
  const { values } = request
  const spec = specFrom(request, system)
  if (!spec.ok) return spec
  const state = values.value('state') === null ? ok(null) : readWord(values, 'state', ['keep', 'delete'])
  if (!state.ok) return state
  // A dry run injects nothing.
  const files = values.given('dry-run') ? [] : values.values('inject')
  const injected = all(files.map(file => textOfFile(file, '--inject', system)))
  if (!injected.ok) return injected
  if (values.given('priority') && !values.given('background'))
    return invalid({ kind: 'priority-without-background' })
  const priority = values.given('background') ? readWord(values, 'priority', priorities) : ok(null)
  if (!priority.ok) return priority
  // The last check: nobody is asked about a start that is refused anyway.
  const agreed = agreedToHosted(spec.value, values, system)
  if (!agreed.ok) return agreed
  return ok({
    spec: spec.value,
    injected: [...injected.value, ...(request.injected ?? [])],
    state: state.value,
    priority: priority.value,
  })
}

type QueuedWish = Pick<StartWish, 'spec' | 'injected'> & { priority: Priority }

/** A start in the background: nobody is there to be asked. */
export function inBackground({ spec, injected, state, priority }: StartWish): QueuedWish {
  if (!priority) throw new Error('Internal error: a start of the foreground has no turn')
  return { spec: { ...spec, attended: false, deleteState: state === 'delete' }, injected, priority }
}

function specFrom({ prompt: asked, values, planned }: StartRequest, system: System): Result<Spec> {
  const prompt = promptFrom(asked, system)
  if (!prompt.ok) return prompt
  const fit = valuesFit(values, planned === true)
  if (!fit.ok) return fit
  const criteria = criteriaFrom(values, system, planned)
  if (!criteria.ok) return criteria
  const cwd = treeFrom(values, system)
  if (!cwd.ok) return cwd
  const closed = system.workProblem(cwd.value)
  if (closed) {
    return invalid({ kind: 'tree-closed', cwd: cwd.value, why: closed })
  }
  const session = values.given('session')
  if (session && values.given('counsel'))
    return invalid({ kind: 'exclusive', one: 'session', other: 'counsel' })
  const agent = session ? ok(sessionAgent(system.env)) : agentFrom(values, system, cwd.value)
  if (!agent.ok) return agent
  const checkpoint = checkpointFrom(values, system, cwd.value)
  if (!checkpoint.ok) return checkpoint
  const tool = missingTool(values, system)
  if (tool) {
    return fail('system', { kind: 'tool-missing', tool })
  }
  const limits = limitsFrom(values)
  if (!limits.ok) return limits
  const hooks = hooksFrom(values, system)
  if (!hooks.ok) return hooks
  const sandbox = sandboxFrom(values, system, { ...criteria.value, isSession: session })
  if (!sandbox.ok) return sandbox
  const environment = environmentFrom(values, system, { ...agent.value, ...criteria.value })
  if (!environment.ok) return environment
  const named = namedByWords(prompt.value)
  return ok({
    prompt: prompt.value,
    ...criteria.value,
    ...(named.length > 0 && { namedByWords: named }),
    cwd: cwd.value,
    ...agent.value,
    ...checkpoint.value,
    ...limits.value,
    ...hooks.value,
    // None that nobody asked for is not worth a word.
    ...(values.value('sandbox') !== 'off' && { sandbox: sandbox.value }),
    ...environment.value,
    ...fixed,
    baseline: !values.given('no-baseline'),
    failFast: values.given('fail-fast'),
    attended: !session && system.isAttended,
    ...(session && { session: { run: null } }),
    ...(values.given('counsel') && { counsel: true }),
    ...(values.given('notify') && { notify: true }),
  })
}

/** Mistakes in the values alone are told before anything that is missing on this machine. */
function valuesFit(values: Values, isPlanned: boolean): Result<unknown> {
  const formed = values.flags.filter(flag => !groupFlags.includes(flag))
  const fit = all(formed.map(flag => fitting(values, flag)))
  return !fit.ok || isPlanned ? fit : attemptsFrom(values)
}

const mostPrompt = 10_000_000

function promptFrom(asked: string | undefined, { readStdin }: System): Result<string> {
  if (!readStdin && asked?.trim() === '-') return invalid({ kind: 'prompt-from-stdin' })
  const text = asked === '-' ? readStdin?.() : asked
  if ((text?.length ?? 0) > mostPrompt) {
    return invalid({ kind: 'prompt-too-long' })
  }
  if (text?.includes('\0')) return invalid({ kind: 'nul-in-prompt' })
  if (text?.trim()) return ok(text)
  return invalid({ kind: 'no-prompt' })
}

const mostBytes = 100_000

/** The text of a file for the agent. */
export function textOfFile(file: string, flag: string, system: System): Result<string> {
  const text = system.readText(resolve(system.cwd, file), mostBytes)
  if (text === null) {
    return invalid({ kind: 'text-file-unusable', file, most: mostBytes, flag })
  }
  return text.trim() === '' ? invalid({ kind: 'text-file-empty', file, flag }) : ok(text.trim())
}

/** The work tree: `--cwd`, otherwise the directory of the request. */
export function treeFrom(values: Values, { cwd, directory }: System): Result<string> {
  const given = values.value('cwd')
  if (given === '') return invalid({ kind: 'empty-cwd' })
  const path = resolve(cwd, given ?? '.')
  const found = directory(path)
  return 'real' in found ? ok(found.real) : invalid({ kind: 'bad-cwd', path, why: found.problem })
}

/** A program that loop itself needs: without it, the agent or the promise would appear to fail. */
function missingTool(values: Values, { hasProgram, neededPrograms }: System): string | null {
  const git = values.value('checkpoint') === 'none' ? [] : ['git']
  return [...neededPrograms, ...git].find(tool => !hasProgram(tool)) ?? null
}

/** The hooks of a loop, from the request: `--on-complete`, `--on-failure` and their time limit. */
function hooksFrom(values: Values, system: System): Result<Pick<Spec, 'hooks'>> {
  const asked = hookFlags.filter(name => values.value(name) !== null)
  const [first] = asked
  if (first === undefined) return ok({})
  if (values.given('session')) return invalid({ kind: 'hook-in-session', flag: first })
  const read = allOf({
    complete: wholeCommand(values, 'on-complete', system),
    failure: wholeCommand(values, 'on-failure', system),
    timeoutMs: readAs(values, 'hook-timeout', parseDuration),
  })
  if (!read.ok) return read
  const { complete, failure, timeoutMs } = read.value
  return ok({
    hooks: { ...(complete !== null && { complete }), ...(failure !== null && { failure }), timeoutMs },
  })
}

type Saving = Pick<Spec, 'checkpoint' | 'checkpointWhy' | 'checkpointIgnored'>

/** Resolves how the work tree is saved: which backend, and whether it works here. */
function checkpointFrom(values: Values, system: System, cwd: string): Result<Saving> {
  const name = readWord(values, 'checkpoint', ['auto', 'btrfs', 'git', 'none'])
  if (!name.ok) return name
  if (name.value === 'none') return ok({ checkpoint: 'none' })
  const data = system.realpath(pathsFrom(system.env).data)
  if (`${data}/`.startsWith(cwd === '/' ? cwd : `${cwd}/`)) {
    return invalid({ kind: 'data-in-tree', cwd, data })
  }
  const found = system.detectCheckpoint(cwd)
  if (name.value === 'btrfs' && found.backend !== 'btrfs') {
    return invalid({ kind: 'no-btrfs', subject: subjectOf(values, 'checkpoint'), cwd, why: found.why })
  }
  const ignored = values.given('checkpoint-ignored') && { checkpointIgnored: true }
  if (name.value !== 'auto') return ok({ checkpoint: name.value, ...ignored })
  return ok({ checkpoint: found.backend, checkpointWhy: found.why, ...ignored })
}
