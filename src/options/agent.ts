/**
 * The agent of a loop from the request: which program, which model, what to do at a usage limit, and which part of the
 * environment it gets.
 */
import { hostedModel } from '../failures/agent.ts'
import { type AgentName, agentNames } from '../model/agent.ts'
import { all, allOf, fail, invalid, ok, type Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { parsePrice } from '../model/price.ts'
import { parseDuration } from '../model/units.ts'
import { reached, reachOf } from '../secrets/environment.ts'
import { listedNames } from '../secrets/names.ts'
import { nearest } from './nearest.ts'
import type { AgentFacts, System } from './system.ts'
import { type Environment, readAs, readWord, subjectOf, unfitting, type Values } from './values.ts'

type AgentFields = Pick<
  Spec,
  | 'agent'
  | 'agentCmd'
  | 'agentNotes'
  | 'model'
  | 'contextMode'
  | 'fallbacks'
  | 'maxWaitMs'
  | 'limitBackoffMs'
  | 'price'
>

export function agentFrom(values: Values, system: System, cwd: string): Result<AgentFields> {
  const only = onlyAgent(values, system, cwd)
  const named = only ? ok(only) : agentNamed(values.value('agent') ?? '', whence(values, 'agent'))
  if (!named.ok) return named
  const agent = named.value
  const facts = system.agent(agent)
  const names = fallbackNames(values, agent)
  if (!names.ok) return names
  const waits = allOf({
    maxWaitMs: readAs(values, 'max-wait', parseDuration),
    limitBackoffMs: readAs(values, 'limit-backoff', parseDuration),
  })
  if (!waits.ok) return waits
  const able = abilities(values, agent, facts)
  if (!able.ok) return able
  // Only now is the machine looked at: a mistake in the request is told first.
  const ofFallback = facts.isProgram ? commandOfFallback(names.value, system) : null
  const agentCmd = facts.find(ofFallback ? undefined : cmdOf(values), cwd)
  if (!agentCmd.ok) return agentCmd
  const fallbacks = all(
    names.value.map(name => {
      const found = system.agent(name).find(name === ofFallback ? cmdOf(values) : undefined, cwd)
      return found.ok ? ok({ agent: name, agentCmd: found.value }) : found
    }),
  )
  if (!fallbacks.ok) return fallbacks
  return ok({
    agent,
    agentCmd: agentCmd.value,
    ...notes(agent, facts, { isOnly: only !== null, program: agentCmd.value }),
    ...able.value,
    ...(fallbacks.value.length > 0 && { fallbacks: fallbacks.value }),
    ...waits.value,
  })
}

/**
 * Without a named agent: the one that is installed and signed in, if exactly one can be meant. Null: the default of
 * the table.
 */
function onlyAgent(values: Values, system: System, cwd: string): AgentName | null {
  if (values.origin('agent')?.from !== 'default' || cmdOf(values) !== undefined) return null
  const usable = agentNames.filter(name => {
    const { isInstalled, signedIn } = system.agent(name)
    return isInstalled() && signedIn(cwd) !== 'no'
  })
  const [only] = usable
  if (only === undefined || usable.length > 1 || system.agent(only).signedIn(cwd) !== 'yes') return null
  return only === values.flag('agent').default ? null : only
}

function cmdOf(values: Values): string | undefined {
  return values.value('agent-cmd') ?? undefined
}

/** The fallback that --agent-cmd belongs to: one that needs a command. */
function commandOfFallback(names: readonly AgentName[], system: System): AgentName | null {
  return agentNames.find(name => names.includes(name) && !system.agent(name).isProgram) ?? null
}

/** Code leaves the machine only with its owner's consent: a remembered answer, an answer at the terminal, or --yes. */
export function agreedToHosted(spec: Spec, values: Values, system: System): Result<null> {
  const chain = [spec.agent, ...(spec.fallbacks ?? []).map(({ agent }) => agent)]
  // A named model is a choice; a person's session is that person's choice.
  const isChosen = spec.agent === 'opencode' && spec.model !== undefined
  if (spec.session || !chain.includes('opencode') || isChosen) return ok(null)
  if (system.agent('opencode').signedIn(spec.cwd) !== 'no') return ok(null)
  if (values.given('yes') || values.given('dry-run')) return ok(null)
  const question = `${hostedModel}\nGo on? You are asked only once. [y/N] `
  if (system.agreesToHostedModel(question)) return ok(null)
  return fail('not-allowed', { kind: 'hosted-model' })
}

/** The agent of a session, for display: loop does not start it. */
export function sessionAgent(env: Environment): AgentFields {
  const name = env['LOOP_SESSION'] && !env['CLAUDE_CODE_SESSION_ID'] ? 'opencode' : 'claude'
  return { agent: name, agentCmd: 'a session of yours; loop starts no agent' }
}

/** Notes shown at the start: what the agent does without asking, and what loop cannot see of it. */
function notes(
  agent: AgentName,
  { isProgram, capabilities, outdated }: AgentFacts,
  { isOnly, program }: { isOnly: boolean; program: string },
): Pick<Spec, 'agentNotes'> {
  if (!isProgram && agent !== 'acp') return {}
  const cost = {
    reported: [],
    estimated: ['it reports tokens and no cost: what is shown is worked out from a price list (~)'],
    unknown: ['it reports no cost: --budget cannot hold it'],
  }[capabilities.cost]
  const only = isOnly ? ['the only one that is installed and signed in; another one: --agent <name>'] : []
  const old = isProgram ? outdated(program) : null
  const age = old
    ? [
        `version ${old.version} is older than ${old.oldest}, which loop supports; update it with: ${old.update}`,
      ]
    : []
  return { agentNotes: [...age, ...only, `does without asking: ${capabilities.approves}`, ...cost] }
}

/** Options that the agent has to support; an unsupported one is refused instead of silently ignored. */
function abilities(
  values: Values,
  agent: AgentName,
  { capabilities }: AgentFacts,
): Result<Pick<Spec, 'model' | 'contextMode' | 'price'>> {
  const model = values.value('model')
  if (model !== null && !capabilities.model) {
    return invalid({ kind: 'no-model', agent })
  }
  const mode = readWord(values, 'context-mode', ['fresh', 'continue'])
  if (!mode.ok) return mode
  if (mode.value === 'continue' && !capabilities.continues) {
    return invalid({ kind: 'cannot-continue', agent })
  }
  const price = values.value('price') === null ? ok(null) : readAs(values, 'price', parsePrice)
  if (!price.ok) return price
  return ok({
    ...(model !== null && { model }),
    ...(mode.value === 'continue' && { contextMode: mode.value }),
    ...(price.value && { price: price.value }),
  })
}

function fallbackNames(values: Values, agent: AgentName): Result<AgentName[]> {
  const chain: AgentName[] = []
  for (const text of values.value('fallback-agent')?.split(',') ?? []) {
    const name = agentNamed(text.trim(), whence(values, 'fallback-agent'))
    if (!name.ok) return name
    if (name.value === agent || chain.includes(name.value)) {
      return invalid({ kind: 'fallback-twice', agent: name.value })
    }
    chain.push(name.value)
  }
  return ok(chain)
}

/** `where`: the source of the name, if it was not given with the request. */
export function agentNamed(name: string, where = ''): Result<AgentName> {
  const found = agentNames.find(known => known === name)
  if (found) return ok(found)
  const near = nearest(name, [...agentNames])
  return invalid({ kind: 'unknown-agent', name, where, near, known: [...agentNames] })
}

function whence(values: Values, name: string): string {
  const from = values.origin(name)?.from ?? 'default'
  return from === 'default' || from.startsWith('--') ? '' : ` (${from})`
}

type AgentRequest = AgentFields & Pick<Spec, 'criteria' | 'mustNot'>

/** More are recorded of no start: an environment can be made of nothing but secrets. */
const mostLeftOut = 200

export function environmentFrom(
  values: Values,
  system: System,
  asked: AgentRequest,
): Result<Pick<Spec, 'passEnv' | 'leftOut'>> {
  const pass = passFrom(values)
  if (!pass.ok) return pass
  const passEnv = pass.value
  const reach = reachOf({ ...asked, passEnv }, name => system.agent(name).keys(asked.model))
  const { leftOut } = reached(system.env, reach)
  return ok({
    ...(passEnv.length > 0 && { passEnv }),
    ...(leftOut.length > 0 && { leftOut: leftOut.slice(0, mostLeftOut) }),
  })
}

/** Names of variables that are to reach agent and promise. */
export function passFrom(values: Values): Result<string[]> {
  const text = values.value('pass-env')
  if (text === null) return ok([])
  const wrong = unfitting(values.flag('pass-env'), text)
  if (wrong === null) return ok(listedNames(text))
  return invalid({ kind: 'unfit-value', subject: subjectOf(values, 'pass-env'), ...wrong, text })
}
