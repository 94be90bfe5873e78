/** From what was asked to the agent of a loop: which program, which model, what to do at a usage limit. */
import { type AgentName, agentNames } from '../model/agent.ts'
import { allOf, ok, type Result } from '../model/failure.ts'
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
  const named = agentNamed(values.value('agent') ?? '', whence(values, 'agent'))
  if (!named.ok) return named
  const agent = named.value
  const facts = system.agent(agent)
  const agentCmd = facts.find(values.value('agent-cmd') ?? undefined, cwd)
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
    ...notes(agent, facts),
    ...able.value,
    ...(fallbacks.value.length > 0 && { fallbacks: fallbacks.value }),
    ...waits.value,
  })
}

/** Whose session it is, for people to read: loop does not start it. */
export function sessionAgent(env: Environment): Chosen {
  const name = env['LOOP_SESSION'] && !env['CLAUDE_CODE_SESSION_ID'] ? 'opencode' : 'claude'
  return { agent: name, agentCmd: 'a session of yours; loop starts no agent' }
}

/** Said at the start: what the agent does without being asked, and what is missing with it. */
function notes(agent: AgentName, { isProgram, capabilities }: AgentFacts): Pick<Spec, 'agentNotes'> {
  if (!isProgram && agent !== 'acp') return {}
  const cost = {
    reported: [],
    estimated: ['it reports tokens and no cost: what is shown is worked out from a price list (~)'],
    unknown: ['it reports no cost: --budget can not hold it'],
  }[capabilities.cost]
  return { agentNotes: [`does without asking: ${capabilities.approves}`, ...cost] }
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
      `The agent ${agent} can not continue a session without a person. Use --context-mode fresh: each iteration is told what the one before it did.`,
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
  for (const text of asked === null ? [] : asked.split(',')) {
    const name = agentNamed(text.trim(), whence(values, 'fallback-agent'))
    if (!name.ok) return name
    if (name.value === agent || chain.some(one => one.agent === name.value)) {
      return invalid(`--fallback-agent names ${name.value} twice, or it is the agent itself. Name each once.`)
    }
    const agentCmd = system.agent(name.value).find(undefined, cwd)
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
