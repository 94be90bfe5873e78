/** From what was asked to the agent of a loop: which program, which model, what to do at a usage limit. */
import { type AgentName, agentNames } from '../model/agent.ts'
import { allOf, fail, ok, type Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { parsePrice } from '../model/price.ts'
import { parseDuration } from '../model/units.ts'
import { nearest } from './nearest.ts'
import type { AgentFacts, System } from './system.ts'
import { invalid, readAs, readWord } from './value.ts'
import type { Environment, Values } from './values.ts'

type Chosen = Pick<
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

export function agentFrom(values: Values, system: System, cwd: string): Result<Chosen> {
  const only = onlyAgent(values, system, cwd)
  const named = only ? ok(only) : agentNamed(values.value('agent') ?? '', whence(values, 'agent'))
  if (!named.ok) return named
  const agent = named.value
  const facts = system.agent(agent)
  const agentCmd = facts.find(
    facts.isProgram && commandOfFallback(values, system) ? undefined : cmdOf(values),
    cwd,
  )
  if (!agentCmd.ok) return agentCmd
  const fallbacks = fallbacksFrom(values, system, { agent, cwd })
  if (!fallbacks.ok) return fallbacks
  const waits = allOf({
    maxWaitMs: readAs(values, 'max-wait', parseDuration),
    limitBackoffMs: readAs(values, 'limit-backoff', parseDuration),
  })
  if (!waits.ok) return waits
  const able = abilities(values, agent, facts)
  if (!able.ok) return able
  return ok({
    agent,
    agentCmd: agentCmd.value,
    ...notes(agent, facts, only !== null),
    ...able.value,
    ...(fallbacks.value.length > 0 && { fallbacks: fallbacks.value }),
    ...waits.value,
  })
}

/**
 * Where nobody has named an agent: the one that is installed and signed in, if there is exactly one and no other
 * that may be. Null: the default of the table.
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

/** The fallback that --agent-cmd belongs to: one that is nothing without a command. */
function commandOfFallback(values: Values, system: System): AgentName | null {
  const names = (values.value('fallback-agent') ?? '').split(',').map(name => name.trim())
  return agentNames.find(name => names.includes(name) && !system.agent(name).isProgram) ?? null
}

const hosted =
  'opencode has no provider set up, so it would send your code to a model that its makers host (opencode/big-pickle).'

/** Code leaves the machine only with the word of its owner: remembered, asked for at the terminal, or --yes. */
export function agreedToHosted(spec: Spec, values: Values, system: System): Result<null> {
  const chain = [spec.agent, ...(spec.fallbacks ?? []).map(({ agent }) => agent)]
  // A model that was named is a choice; a session of a person is theirs.
  const isChosen = spec.agent === 'opencode' && spec.model !== undefined
  if (spec.session || !chain.includes('opencode') || isChosen) return ok(null)
  if (system.agent('opencode').signedIn(spec.cwd) !== 'no') return ok(null)
  if (values.given('yes') || values.given('dry-run')) return ok(null)
  const question = `${hosted}\nGo on? You are asked only once. [y/N] `
  if (system.agreesToHostedModel(question)) return ok(null)
  return fail(
    'not-allowed',
    `${hosted} Nobody has agreed to that. Sign in with: opencode auth login; or name a model: --model provider/model; or take another agent: --agent; or agree to it: --yes`,
  )
}

/** Whose session it is, for people to read: loop does not start it. */
export function sessionAgent(env: Environment): Chosen {
  const name = env['LOOP_SESSION'] && !env['CLAUDE_CODE_SESSION_ID'] ? 'opencode' : 'claude'
  return { agent: name, agentCmd: 'a session of yours; loop starts no agent' }
}

/** Said at the start: what the agent does without being asked, and what is missing with it. */
function notes(
  agent: AgentName,
  { isProgram, capabilities }: AgentFacts,
  isOnly: boolean,
): Pick<Spec, 'agentNotes'> {
  if (!isProgram && agent !== 'acp') return {}
  const cost = {
    reported: [],
    estimated: ['it reports tokens and no cost: what is shown is worked out from a price list (~)'],
    unknown: ['it reports no cost: --budget cannot hold it'],
  }[capabilities.cost]
  const only = isOnly ? ['the only one that is installed and signed in; another one: --agent <name>'] : []
  return { agentNotes: [...only, `does without asking: ${capabilities.approves}`, ...cost] }
}

/** What is asked of the agent besides; refused where it cannot do it, since silence would be a lie. */
function abilities(
  values: Values,
  agent: AgentName,
  { capabilities }: AgentFacts,
): Result<Pick<Spec, 'model' | 'contextMode' | 'price'>> {
  const model = values.value('model')
  if (model !== null && !capabilities.model) {
    return invalid(`The agent ${agent} has no --model. ${wayOut[agent] ?? 'Leave it out.'}`)
  }
  const mode = readWord(values, 'context-mode', ['fresh', 'continue'])
  if (!mode.ok) return mode
  if (mode.value === 'continue' && !capabilities.continues) {
    return invalid(
      `The agent ${agent} cannot continue a session without a person. Use --context-mode fresh: each iteration is told what the one before it did.`,
    )
  }
  const price = values.value('price') === null ? ok(null) : readAs(values, 'price', parsePrice)
  if (!price.ok) return price
  return ok({
    ...(model !== null && { model }),
    ...(mode.value === 'continue' && { contextMode: mode.value }),
    ...(price.value && { price: price.value }),
  })
}

const wayOut: Partial<Record<AgentName, string>> = {
  custom: 'Put the model into the command: --agent-cmd',
  acp: 'Set the model in the configuration of the agent, or in its command: --agent-cmd',
}

type Fallbacks = NonNullable<Spec['fallbacks']>

function fallbacksFrom(
  values: Values,
  system: System,
  { agent, cwd }: { agent: AgentName; cwd: string },
): Result<Fallbacks> {
  const asked = values.value('fallback-agent')
  const chain: Fallbacks = []
  const agentIsProgram = system.agent(agent).isProgram
  for (const text of asked === null ? [] : asked.split(',')) {
    const name = agentNamed(text.trim(), whence(values, 'fallback-agent'))
    if (!name.ok) return name
    if (name.value === agent || chain.some(one => one.agent === name.value)) {
      return invalid(`--fallback-agent names ${name.value} twice, or it is the agent itself. Name each once.`)
    }
    const isCommand = agentIsProgram && commandOfFallback(values, system) === name.value
    const agentCmd = system.agent(name.value).find(isCommand ? cmdOf(values) : undefined, cwd)
    if (!agentCmd.ok) return agentCmd
    chain.push({ agent: name.value, agentCmd: agentCmd.value })
  }
  return ok(chain)
}

/** `where` says where the name stands, if it was not given with the request. */
export function agentNamed(name: string, where = ''): Result<AgentName> {
  const found = agentNames.find(known => known === name)
  if (found) return ok(found)
  const near = nearest(name, [...agentNames])
  const hint = near ? `Did you mean ${near}?` : `There are: ${agentNames.join(', ')}.`
  return invalid(`There is no agent ${name}${where}. ${hint}`)
}

function whence(values: Values, name: string): string {
  const from = values.origin(name)?.from ?? 'default'
  return from === 'default' || from.startsWith('--') ? '' : ` (${from})`
}
