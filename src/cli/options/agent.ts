/** From what was typed to the agent of a loop: which program, which model, what to do at a usage limit. */
import { agents, orInstalled } from '../../adapters/agents/agent.ts'
import { type AgentName, agentNames } from '../../model/agent.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { parsePrice } from '../../model/price.ts'
import { parseDuration } from '../../model/units.ts'
import { nearest } from '../../options/nearest.ts'
import type { Input } from '../command-table.ts'
import { unfit } from './value.ts'

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

export function agentFrom(input: Input, cwd: string): Result<Chosen> {
  const agent = agentNamed(input.value('agent') ?? '', whence(input, 'agent'))
  if (!agent.ok) return agent
  const place = { cwd, env: input.env }
  const checked = agents[agent.value].check(input.value('agent-cmd') ?? undefined, place)
  const program = orInstalled(checked, agent.value, input.env)
  if (!program.ok) return program
  const fallbacks = fallbacksFrom(input, agent.value, cwd)
  if (!fallbacks.ok) return fallbacks
  const waits = waitsFrom(input)
  if (!waits.ok) return waits
  const able = asked(input, agent.value)
  if (!able.ok) return able
  return ok({
    agent: agent.value,
    agentCmd: program.value,
    ...notes(agent.value),
    ...able.value,
    ...(fallbacks.value.length > 0 && { fallbacks: fallbacks.value }),
    ...waits.value,
  })
}

/** Whose session it is, for people to read: loop does not start it. */
export function sessionAgent({ env }: Input): Chosen {
  const name = env['LOOP_SESSION'] && !env['CLAUDE_CODE_SESSION_ID'] ? 'opencode' : 'claude'
  return { agent: name, agentCmd: 'a session of yours; loop starts no agent' }
}

/** Said at the start: what the agent does without being asked, and what is missing with it. */
function notes(agent: AgentName): Pick<Spec, 'agentNotes'> {
  const { program, capabilities } = agents[agent]
  if (!program && agent !== 'acp') return {}
  const cost = {
    reported: [],
    estimated: ['it reports tokens and no cost: what is shown is worked out from a price list (~)'],
    unknown: ['it reports no cost: --budget can not hold it'],
  }[capabilities.cost]
  return { agentNotes: [`does without asking: ${capabilities.approves}`, ...cost] }
}

/** What is asked of the agent besides; refused where it can not do it, since silence would be a lie. */
function asked(input: Input, agent: AgentName): Result<Pick<Spec, 'model' | 'contextMode' | 'price'>> {
  const { capabilities } = agents[agent]
  const model = input.value('model')
  if (model !== null && !capabilities.model) {
    return invalid(`The agent ${agent} has no --model. ${wayOut[agent] ?? 'Leave it out.'}`)
  }
  const mode = input.value('context-mode')
  if (mode !== 'fresh' && mode !== 'continue') return unfit(input, 'context-mode')
  if (mode === 'continue' && !capabilities.continues) {
    return invalid(
      `The agent ${agent} can not continue a session without a person. Use --context-mode fresh: each iteration is told what the one before it did.`,
    )
  }
  const typed = input.value('price')
  const price = typed === null ? undefined : parsePrice(typed)
  if (price === null) return unfit(input, 'price')
  return ok({
    ...(model !== null && { model }),
    ...(mode === 'continue' && { contextMode: mode }),
    ...(price && { price }),
  })
}

const wayOut: Partial<Record<AgentName, string>> = {
  custom: 'Put the model into the command: --agent-cmd',
  acp: 'Set the model in the configuration of the agent, or in its command: --agent-cmd',
}

function fallbacksFrom(input: Input, agent: AgentName, cwd: string): Result<NonNullable<Spec['fallbacks']>> {
  const typed = input.value('fallback-agent')
  const chain: NonNullable<Spec['fallbacks']> = []
  for (const text of typed === null ? [] : typed.split(',')) {
    const name = agentNamed(text.trim(), whence(input, 'fallback-agent'))
    if (!name.ok) return name
    if (name.value === agent || chain.some(one => one.agent === name.value)) {
      return invalid(`--fallback-agent names ${name.value} twice, or it is the agent itself. Name each once.`)
    }
    const checked = agents[name.value].check(undefined, { cwd, env: input.env })
    const program = orInstalled(checked, name.value, input.env)
    if (!program.ok) return program
    chain.push({ agent: name.value, agentCmd: program.value })
  }
  return ok(chain)
}

function waitsFrom(input: Input): Result<Pick<Spec, 'maxWaitMs' | 'limitBackoffMs'>> {
  const maxWaitMs = parseDuration(input.value('max-wait') ?? '')
  if (!maxWaitMs) return unfit(input, 'max-wait')
  const limitBackoffMs = parseDuration(input.value('limit-backoff') ?? '')
  if (!limitBackoffMs) return unfit(input, 'limit-backoff')
  return ok({ maxWaitMs, limitBackoffMs })
}

/** `where` says where the name stands, if it was not typed. */
export function agentNamed(name: string, where = ''): Result<AgentName> {
  const found = agentNames.find(known => known === name)
  if (found) return ok(found)
  const near = nearest(name, [...agentNames])
  const hint = near ? `Did you mean ${near}?` : `There are: ${agentNames.join(', ')}.`
  return invalid(`There is no agent ${name}${where}. ${hint}`)
}

function whence(input: Input, flag: string): string {
  const from = input.origin(flag)?.from ?? 'default'
  return from === 'default' || from.startsWith('--') ? '' : ` (${from})`
}

function invalid(message: string): Result<never> {
  return fail('invalid-arguments', message)
}
