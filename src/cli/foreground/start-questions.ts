/**
 * The questions at a start, where somebody is at the terminal and no flag has answered them. Without a prompt: the task, its
 * completion, the agent and the limits, with suggestions from the project; then the equivalent command is shown, and
 * started. Of a plan: the list that keeps its tasks, the iterations of all tasks together, the budget, and,
 * once for each work tree, whether the files that loop writes into it are removed at the end. Enter accepts every
 * suggestion.
 */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readTaskFiles } from '../../adapters/task-files.ts'
import { objectOf, parseJson } from '../../core/session/state-file.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { namedList } from '../../hooks/task-list.ts'
import { type AgentName, agentNames } from '../../model/agent.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { agentFrom } from '../../options/agent.ts'
import { withConfig } from '../../options/config/load.ts'
import { detectProject, listingOf } from '../../options/detect/project.ts'
import type { StartWish } from '../../options/resolve.ts'
import type { System } from '../../options/system.ts'
import type { Flag } from '../../options/table/flag.ts'
import { type GivenValues, type Values, valuesOf } from '../../options/values.ts'
import { writeDurably } from '../../store/files/artifact.ts'
import { disclosureFile, pathsFrom } from '../../store/files/paths.ts'
import { planQuestions, startQuestions } from '../../views/words/questions.ts'
import type { Input } from '../command-table.ts'
import { err } from '../terminal.ts'
import { askLine, isAttended, isYes } from './question.ts'

/** There is no prompt, and a person is there to be asked. */
export function isUnsaid(input: Input): boolean {
  return input.positionals.length === 0 && isAttended(input)
}

/** A failure if no agent could be chosen: the one that is named, or any at all, is not installed. */
function someAgent(values: Values, system: System): Result<unknown> {
  if (!values.given('agent') && installedAgents(system).length > 0) return ok(null)
  return agentFrom(values, system, system.cwd)
}

function installedAgents(system: System): AgentName[] {
  return agentNames.filter(name => system.agent(name).isProgram && system.agent(name).isInstalled())
}

/**
 * The same input as if it had been typed; null if the person has left. A mistake in a configuration and a missing
 * agent are told before the questions, whose answers would be lost.
 */
export async function askedStart(typed: Input, flags: Flag[], system: System): Promise<Result<Input | null>> {
  const below = await withConfig(typed, system, { wanted: false, once: true, ask: null })
  if (!below.ok) return below
  const agent = someAgent(below.value.values, system)
  return agent.ok ? ok(await answersOf(typed, below.value.values, { flags, system })) : agent
}

async function answersOf(
  typed: Input,
  defaults: Values,
  { flags, system }: { flags: Flag[]; system: System },
): Promise<Input | null> {
  const given: GivenValues = new Map(
    flags.filter(({ name }) => typed.given(name)).map(flag => [flag.name, givenOf(typed, flag)]),
  )
  const prompt = await asked(startQuestions.task)
  if (prompt === null || prompt === '') return null
  if (!given.has('promise') && !given.has('confirm')) {
    const promise = await askedPromise(system)
    if (promise === null) return null
    if (promise !== '') given.set('promise', [promise])
  }
  if (!given.has('agent')) {
    const agent = await askedAgent(defaults, system)
    if (agent === null) return null
    if (agent !== '') given.set('agent', [agent])
  }
  for (const [flag, what] of limits) {
    if (given.has(flag)) continue
    const answer = await asked(startQuestions.limit(what, defaults.value(flag)))
    if (answer === null) return null
    if (answer !== '') given.set(flag, [answer])
  }
  err(startQuestions.same(commandOf(prompt, given, flags)))
  const goes = await asked(startQuestions.go)
  if (goes === null || /^n/i.test(goes)) return null
  return { ...valuesOf(flags, given, { env: typed.env }), positionals: [prompt], env: typed.env }
}

const limits = [
  ['max-iterations', 'iterations'],
  ['budget', 'dollars'],
] as const

function givenOf(typed: Input, { name, repeat, takes }: Flag): string[] {
  if (repeat) return typed.values(name)
  return [takes ? (typed.value(name) ?? '') : 'true']
}

async function asked(question: string): Promise<string | null> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  const line = await askLine(question, stop.signal)
  process.off('SIGINT', interrupt)
  return line === null ? null : line.trim()
}

/** By its number, or typed; empty if loop is to find out. */
async function askedPromise(system: System): Promise<string | null> {
  const { passedOver: _, ...found } = detectProject(listingOf(system.cwd, system))
  const commands = [...new Set(Object.values(found).flatMap(one => (one ? [one.command] : [])))].slice(0, 5)
  err(startQuestions.promise)
  for (const [i, command] of commands.entries()) err(`  ${i + 1}  ${spelledOut(command)}`)
  const typed = await asked(startQuestions.promiseForm(numbers(commands)))
  return typed === null ? null : (commands[Number(typed) - 1] ?? typed)
}

/** `1`, or `1-3`; empty if there is none. */
function numbers({ length }: readonly unknown[]): string {
  return length > 1 ? `1-${length}` : '1'.repeat(length)
}

/** Installed and signed-in agents come first. */
async function askedAgent(defaults: Values, system: System): Promise<string | null> {
  const rank = { yes: 0, unknown: 1, no: 2 }
  const installed = installedAgents(system)
    .map(name => ({ name, signedIn: system.agent(name).signedIn(system.cwd) }))
    .toSorted((a, b) => rank[a.signedIn] - rank[b.signedIn])
  if (installed.length === 0) return ''
  err(startQuestions.agent)
  const note: Record<string, string> = { yes: 'signed in', no: 'not signed in', unknown: '' }
  for (const [i, { name, signedIn }] of installed.entries())
    err(`  ${i + 1}  ${name.padEnd(10)} ${note[signedIn]}`.trimEnd())
  const answer = await asked(startQuestions.agentForm(numbers(installed), defaults.value('agent')))
  return answer === null ? null : (installed[Number(answer) - 1]?.name ?? (answer as AgentName | ''))
}

/** The equivalent command, for the next time. */
function commandOf(prompt: string, given: GivenValues, flags: readonly Flag[]): string {
  const words = [...given].flatMap(([name, values]) => {
    const { takes, short } = flags.find(flag => flag.name === name) ?? {}
    return values.map(value => `${short ? `-${short}` : `--${name}`}${takes ? ` ${quoted(value)}` : ''}`)
  })
  return ['loop start', quoted(prompt), ...words].join(' ')
}

function quoted(text: string): string {
  const shown = spelledOut(text)
  return /^[\w./:=-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}

type StartAnswers = {
  /** A value for `--task-list`. */
  taskList: string | null
  limits: Partial<Pick<Spec, 'maxIterations' | 'budgetUsd'>>
}

/** Of iterations, and of dollars. */
const choices = [10, 25, 50]

/** Null if the person left the questions. */
export async function askStart(tree: string, input: Input): Promise<StartAnswers | null> {
  const nothing: StartAnswers = { taskList: null, limits: {} }
  if (!isAttended(input) || ['yes', 'background', 'dry-run'].some(name => input.given(name))) return nothing
  const stop = new AbortController()
  const leave = () => stop.abort()
  process.once('SIGINT', leave)
  try {
    const ask = (question: string) => askLine(question, stop.signal)
    const taskList = input.given('task-list') ? null : await askList(tree, { input, ask })
    const most = input.given('max-iterations') ? undefined : await choose(ask, planQuestions.iterations)
    const money = input.given('budget') ? undefined : await choose(ask, planQuestions.budget)
    if (stop.signal.aborted) return null
    return {
      taskList,
      limits: {
        ...(most !== undefined && { maxIterations: most }),
        ...(money !== undefined && { budgetUsd: money }),
      },
    }
  } finally {
    process.off('SIGINT', leave)
  }
}

type Ask = (question: string) => Promise<string | null>

/** Undefined for an empty line: the default holds. Any other answer than the choices is asked for again. */
async function choose(ask: Ask, question: string): Promise<number | null | undefined> {
  const said = (await ask(question))?.trim().toLowerCase().replace(/^\$/, '') ?? ''
  if (said === '') return undefined
  if (/^(unlimited|none|no limit)$/.test(said)) return null
  const number = Number(said)
  return choices.includes(number) ? number : choose(ask, question)
}

type Around = { input: Input; ask: Ask }

async function askList(tree: string, around: Around): Promise<string | null> {
  const open = openLists(tree, around.input.env)
  const said = (await around.ask(planQuestions.taskList(open)))?.trim() ?? ''
  if (said === '' || said === 'new') return null
  if (/^session(-only)?$/.test(said)) return 'session'
  if (said === 'existing' && open[0] !== undefined && open.length === 1) return open[0]
  return open.includes(said) ? said : askList(tree, around)
}

const mostLists = 10

/** The lists of this project that have open tasks. */
function openLists(tree: string, env: NodeJS.ProcessEnv): string[] {
  const any = namedList('any', env)
  const project = `${basename(tree) || 'project'}-`.replaceAll(/[^\w-]/g, '-')
  return namesIn(any === null ? null : dirname(any))
    .filter(name => name.startsWith(project))
    .filter(name => readTaskFiles(namedList(name, env) ?? '').some(({ status }) => status !== 'completed'))
    .slice(0, mostLists)
}

function namesIn(dir: string | null): string[] {
  if (dir === null) return []
  try {
    return readdirSync(dir)
  } catch {
    return [] // Claude Code has never kept a list here
  }
}

const answerMs = 10_000

/** Whether the state files are removed at the end. No answer keeps them, and is not remembered. */
export async function deletesState({ spec, state }: StartWish, input: Input): Promise<boolean> {
  if (state !== null || !spec.attended || input.given('yes')) return state === 'delete'
  const file = disclosureFile(pathsFrom(input.env), spec.cwd)
  const before = answerIn(file, spec.cwd)
  if (before !== null) return before
  const line = await askLine(startQuestions.state, AbortSignal.timeout(answerMs))
  if (line === null) return false
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeDurably(file, `${JSON.stringify({ tree: spec.cwd, delete: isYes(line) })}\n`)
  return isYes(line)
}

/** Null if it was never asked; an unreadable record is asked again. */
function answerIn(file: string, tree: string): boolean | null {
  try {
    const record = objectOf(parseJson(readFileSync(file, 'utf8')))
    return record?.['tree'] === tree ? record['delete'] === true : null
  } catch {
    return null
  }
}
