/**
 * How a loop or a group continues, from the request: the named limits and agent, by the rules of a start. Everything else
 * stays as it is in the loop, whatever the environment and the configuration say now.
 */
import { invalid, ok, type Result } from '../model/failure.ts'
import type { GroupCommand } from '../model/group/command.ts'
import type { Resume } from '../model/loop/command.ts'
import type { AgentChoice, Spec } from '../model/loop/spec.ts'
import { agentFrom, agentNamed, passFrom } from './agent.ts'
import { givenLimits } from './limits.ts'
import { sandboxFrom } from './sandbox.ts'
import type { System } from './system.ts'
import { agentFlagsOfResume, changeFlags, sandboxFlags } from './table/command.ts'
import { startFlags } from './table/start.ts'
import { type GivenValues, type Layer, type Values, valuesOf } from './values.ts'

type Changes = Omit<Resume, 'kind' | 'attended' | 'stays'>

/** Options that also apply to a loop whose work is done in a session. */
const ofSession = ['max-iterations', 'budget', 'verify-timeout']

export function resumeFrom(values: Values, system: System, spec: Spec): Result<Changes> {
  const given = givenLimits(values)
  if (!given.ok) return given
  const pass = values.given('pass-env') ? passFrom(values) : ok(null)
  if (!pass.ok) return pass
  const sound = spec.session ? noAgentFlags(values) : ok(null)
  if (!sound.ok) return sound
  const sandbox = givenSandbox(values, system, spec)
  if (!sandbox.ok) return sandbox
  const changes = { ...given.value, ...(pass.value && { passEnv: pass.value }), ...sandbox.value }
  const named = agentFlagsOfResume.filter(({ name }) => values.given(name))
  if (named.length === 0) return ok(changes)
  const chosen: GivenValues = new Map(named.map(({ name }) => [name, values.values(name)]))
  const agent = choiceFrom(chosen, system, spec)
  return agent.ok ? ok({ ...changes, agent: agent.value }) : agent
}

/** The sandbox of the loop, unless a flag changes it. */
function givenSandbox(values: Values, system: System, spec: Spec): Result<Pick<Changes, 'sandbox'>> {
  const names = ['sandbox', 'sandbox-write', 'sandbox-network'].filter(name => values.given(name))
  if (names.length === 0) return ok({})
  const given: GivenValues = new Map(names.map(name => [name, values.values(name)]))
  const now: Record<string, string | undefined> = {
    sandbox: spec.sandbox?.level === 'files' ? 'required' : spec.sandbox ? 'auto' : 'off',
    'sandbox-write': spec.sandbox?.write?.join(','),
    'sandbox-network': spec.sandbox?.network && (spec.sandbox.network.join(',') || 'none'),
  }
  const asked = valuesOf(startFlags, given, { env: {}, layers: { template: layerOf(now) } })
  const sandbox = sandboxFrom(asked, system, { ...spec, isSession: false })
  return sandbox.ok ? ok({ sandbox: sandbox.value }) : sandbox
}

/** Refuses options about agent runs if a session does the work. */
export function noAgentFlags(values: Values): Result<null> {
  const flag = changeFlags.find(({ name }) => values.given(name) && !ofSession.includes(name))
  if (!flag) return ok(null)
  return invalid({ kind: 'agent-flag-in-session', flag: flag.name })
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

/** The loop's current values as a layer below the given ones, as far as they apply to the named agent. */
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
  return layerOf(now)
}

function layerOf(now: Record<string, string | undefined>): Layer {
  return ({ name }) => {
    const text = now[name]
    return text === undefined ? null : { text, from: 'the loop', subject: `--${name}` }
  }
}

function canContinue(name: string, system: System): boolean {
  const agent = agentNamed(name)
  return agent.ok && system.agent(agent.value).capabilities.continues
}

/** How a group continues, from the request: its own budget, and the limits for each of its loops. */

type GroupChanges = Omit<Extract<GroupCommand, { kind: 'resume' }>, 'kind' | 'attended'>

export function groupResumeFrom(values: Values): Result<GroupChanges> {
  const agentFlag = [...agentFlagsOfResume, ...sandboxFlags].find(({ name }) => values.given(name))
  if (agentFlag) return invalid({ kind: 'agent-flag-of-group', flag: agentFlag.name })
  const limits = givenLimits(values)
  if (!limits.ok) return limits
  const { budgetUsd, ...ofMembers } = limits.value
  return ok({
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(Object.keys(ofMembers).length > 0 && { limits: ofMembers }),
  })
}
