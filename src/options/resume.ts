/**
 * From what was asked to how a loop goes on: the limits and the agent that were named, by the rules of a start. What
 * was not named stays as it is in the loop, whatever the environment and the configuration say meanwhile.
 */
import { ok, type Result } from '../model/failure.ts'
import type { Resume } from '../model/loop/command.ts'
import type { AgentChoice, Spec } from '../model/loop/spec.ts'
import { agentFrom, agentNamed } from './agent.ts'
import { givenLimits } from './limits.ts'
import type { System } from './system.ts'
import { agentFlagsOfResume, changeFlags } from './table/resume.ts'
import { startFlags } from './table/start.ts'
import { invalid } from './value.ts'
import { type GivenValues, type Layer, type Values, valuesOf } from './values.ts'

type Changes = Omit<Resume, 'kind' | 'attended' | 'stays'>

/** What holds a loop whose work is done in a session too. */
const ofSession = ['max-iterations', 'budget', 'verify-timeout']

export function resumeFrom(values: Values, system: System, spec: Spec): Result<Changes> {
  const limits = givenLimits(values)
  if (!limits.ok) return limits
  const sound = spec.session ? noAgentFlags(values) : ok(null)
  if (!sound.ok) return sound
  const named = agentFlagsOfResume.filter(({ name }) => values.given(name))
  if (named.length === 0) return limits
  const given: GivenValues = new Map(named.map(({ name }) => [name, values.values(name)]))
  const agent = choiceFrom(given, system, spec)
  return agent.ok ? ok({ ...limits.value, agent: agent.value }) : agent
}

/** Refuses what is about the runs of an agent, where a session does the work. */
export function noAgentFlags(values: Values): Result<null> {
  const flag = changeFlags.find(({ name }) => values.given(name) && !ofSession.includes(name))
  if (!flag) return ok(null)
  return invalid(
    `The work of this loop is done in a session: loop starts no agent. Leave out --${flag.name}.`,
  )
}

function choiceFrom(given: GivenValues, system: System, spec: Spec): Result<AgentChoice> {
  const layers = { template: asItIs(given, system, spec) }
  const chosen = agentFrom(valuesOf(startFlags, given, { env: {}, layers }), system, spec.cwd)
  if (!chosen.ok) return chosen
  const { maxWaitMs: _, limitBackoffMs: __, ...choice } = chosen.value
  if (spec.contextMode !== 'continue' || choice.contextMode === 'continue') return ok(choice)
  const note = 'it cannot continue a session: each iteration begins a new one'
  return ok({ ...choice, agentNotes: [...(choice.agentNotes ?? []), note] })
}

/** What the loop has now, below what is given: as far as it means something to the agent that is named. */
function asItIs(given: GivenValues, system: System, spec: Spec): Layer {
  const agent = given.get('agent')?.at(-1) ?? spec.agent
  const isSame = agent === spec.agent
  const fallbacks = (spec.fallbacks ?? []).map(one => one.agent).filter(name => name !== agent)
  const continues = spec.contextMode === 'continue' && (isSame || canContinue(agent, system))
  const { price } = spec
  const now: Record<string, string | undefined> = {
    agent: spec.agent,
    'agent-cmd': isSame ? spec.agentCmd : undefined,
    model: isSame ? spec.model : undefined,
    'context-mode': continues ? 'continue' : 'fresh',
    'fallback-agent': fallbacks.length > 0 ? fallbacks.join(',') : undefined,
    // The price of another model would be a guess.
    price:
      price && isSame && !given.has('model')
        ? [price.input, price.output, price.cached].join('/')
        : undefined,
  }
  return ({ name }) => {
    const text = now[name]
    return text === undefined ? null : { text, from: 'the loop', subject: `--${name}` }
  }
}

function canContinue(name: string, system: System): boolean {
  const agent = agentNamed(name)
  return agent.ok && system.agent(agent.value).capabilities.continues
}
