/**
 * `loop start` without a prompt on a terminal: asks for the task, its completion, the agent and the limits, with
 * suggestions from the project; shows the equivalent command, and starts it. Enter accepts every suggestion. Nothing
 * is asked if nobody can answer.
 */

import { spelledOut } from '../core/text/plain-text.ts'
import { type AgentName, agentNames } from '../model/agent.ts'
import { ok, type Result } from '../model/failure.ts'
import { agentFrom } from '../options/agent.ts'
import { withConfig } from '../options/config/load.ts'
import { detectProject, listingOf } from '../options/detect/project.ts'
import type { System } from '../options/system.ts'
import type { Flag } from '../options/table/flag.ts'
import { type GivenValues, type Values, valuesOf } from '../options/values.ts'
import type { Input } from './command-table.ts'
import { askLine, isAttended } from './foreground/question.ts'
import { err } from './terminal.ts'

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
  const prompt = await asked('What is to be done? ')
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
  for (const [flag, question] of limits) {
    if (given.has(flag)) continue
    const answer = await asked(`${question} [${defaults.value(flag) ?? 'none'}] `)
    if (answer === null) return null
    if (answer !== '') given.set(flag, [answer])
  }
  err(`\nThe same as: ${commandOf(prompt, given, flags)}\n`)
  const goes = await asked('Start it? [Y/n] ')
  if (goes === null || /^n/i.test(goes)) return null
  return { ...valuesOf(flags, given, { env: typed.env }), positionals: [prompt], env: typed.env }
}

const limits: [flag: string, question: string][] = [
  ['max-iterations', 'At most how many iterations?'],
  ['budget', 'At most how many dollars?'],
]

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
  err('When is it done? A command that exits 0 then; loop runs it itself.')
  for (const [i, command] of commands.entries()) err(`  ${i + 1}  ${spelledOut(command)}`)
  const form = commands.length > 0 ? `${numbers(commands)}, or a command of your own` : 'a command'
  const typed = await asked(`${form}; Enter plans it first: `)
  return typed === null ? null : (commands[Number(typed) - 1] ?? typed)
}

/** `1`, or `1-3`. */
function numbers({ length }: readonly unknown[]): string {
  return length === 1 ? '1' : `1-${length}`
}

/** Installed and signed-in agents come first. */
async function askedAgent(defaults: Values, system: System): Promise<string | null> {
  const rank = { yes: 0, unknown: 1, no: 2 }
  const installed = installedAgents(system)
    .map(name => ({ name, signedIn: system.agent(name).signedIn(system.cwd) }))
    .toSorted((a, b) => rank[a.signedIn] - rank[b.signedIn])
  if (installed.length === 0) return ''
  err('Which agent?')
  const note: Record<string, string> = { yes: 'signed in', no: 'not signed in', unknown: '' }
  for (const [i, { name, signedIn }] of installed.entries())
    err(`  ${i + 1}  ${name.padEnd(10)} ${note[signedIn]}`.trimEnd())
  const answer = await asked(`${numbers(installed)}, or a name [${defaults.value('agent')}] `)
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
