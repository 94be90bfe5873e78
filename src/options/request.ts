/**
 * A start in JSON, as a program gives it: the prompt, and options by their keys. The schema is generated from the
 * table of options, so there is no second list; the API and MCP share it. It is resolved like the same start typed
 * in that work tree, except that nobody is asked.
 */
import * as z from 'zod'
import { invalid, ok, type Result } from '../model/failure.ts'
import type { GroupCommand } from '../model/group/command.ts'
import type { GroupSpec } from '../model/group/spec.ts'
import { type Resume, resume as resumeCommand } from '../model/loop/command.ts'
import type { Spec } from '../model/loop/spec.ts'
import { groupFrom } from './best-of.ts'
import { withConfig } from './config/load.ts'
import { nearest } from './nearest.ts'
import { resolveStart, type StartWish } from './resolve.ts'
import { groupResumeFrom, resumeFrom } from './resume.ts'
import type { System } from './system.ts'
import { changeFlags } from './table/command.ts'
import { type Flag, keyOf } from './table/flag.ts'
import { notOfPlans, planFlags } from './table/group.ts'
import { startFlags } from './table/start.ts'
import { ofOneLoop, workflowFlags } from './table/workflow.ts'
import { type GivenValues, type Values, valuesOf } from './values.ts'

/** Options about the terminal, or for a person to decide: no program trusts a file, or passes on a secret, by itself. */
const forPeopleOnly = [
  'background',
  'dry-run',
  'verbose',
  'plain',
  'yes',
  'no-input',
  'trust',
  'pass-env',
  'inject',
  'session',
  'notify',
]

export const requestOptions: Flag[] = startFlags.filter(({ name }) => !forPeopleOnly.includes(name))

const text = z.string().max(100_000)
/** Values that can be given as a JSON number. */
const amounts = ['N', 'N|off', 'USD']

/**
 * The body of a start; `more` adds or redefines fields, `without` removes options by name. An unknown key is refused
 * with a suggestion.
 */
export function requestSchema<S extends z.ZodRawShape>(more: S, without: readonly string[] = []) {
  const offered = requestOptions.filter(({ name }) => !without.includes(name))
  const shape = {
    prompt: z.string().min(1).max(1_000_000).describe('what the agent is to do, in full'),
    ...Object.fromEntries(offered.map(flag => [keyOf(flag), option(flag)])),
    ...more,
  }
  const keys = Object.keys(shape)
  return z.strictObject(shape, {
    error: issue => (issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, keys) : undefined),
  })
}

function unknownKeys(unknown: string[], keys: string[]): string {
  const [first = ''] = unknown
  const near = nearest(first, keys)
  const named = unknown.map(key => `"${key}"`).join(', ')
  const hint = near ? `Did you mean "${near}"?` : `There are: ${keys.join(', ')}.`
  return `Unrecognized ${unknown.length > 1 ? 'keys' : 'key'}: ${named}. ${hint}`
}

function option(flag: Flag): z.ZodType {
  const otherwise = flag.default === undefined ? '' : ` (${flag.default})`
  const described = valueOf(flag).describe(`${flag.help}${otherwise}`)
  return flag.name === 'promise' ? described : described.optional()
}

function valueOf({ takes, repeat }: Flag): z.ZodType {
  if (takes === undefined) return z.boolean()
  if (repeat) return z.union([text, z.array(text).max(100)], { error: 'expected a text, or a list of texts' })
  if (amounts.includes(takes)) return z.union([text, z.number()], { error: 'expected a text or a number' })
  const words = takes.split('|')
  // Otherwise `takes` describes the syntax of a value: min:cmd|max:cmd.
  const areWords = words.length > 1 && words.every(word => /^[\w-]+$/.test(word))
  return areWords ? z.enum(words) : text
}

/** The options that apply to all loops of a workflow. */
export const workflowOptions = requestOptions.filter(({ name }) => !ofOneLoop.includes(name))

/** The options of a plan. Whether it may ask is a separate field of the request, and a program names no files. */
export const planOptions: Flag[] = [
  ...requestOptions.filter(({ name }) => !notOfPlans.includes(name)),
  ...planFlags.filter(({ name }) => !['answers', 'force', 'ask-later', 'fresh'].includes(name)),
]

/** A run of a template: its name, the values of its variables, and options for all its loops. */
export const templateRequest = z.strictObject({
  template: z.string().min(1).max(100).describe('its name'),
  set: z
    .record(z.string().max(100), text)
    .optional()
    .describe('the values of its variables, each as text: a value never becomes code'),
  ...Object.fromEntries(workflowOptions.map(flag => [keyOf(flag), option(flag)])),
})

/** The same values as `loop template run -b --no-input` would use. */
export function templateValues(body: z.infer<typeof templateRequest>, env: NodeJS.ProcessEnv): Values {
  const given: GivenValues = new Map([
    ['background', ['true']],
    ['no-input', ['true']],
    ['set', Object.entries(body.set ?? {}).map(([name, value]) => `${name}=${value}`)],
  ])
  for (const flag of workflowOptions) {
    const value: unknown = body[keyOf(flag) as keyof typeof body]
    if (value !== undefined) given.set(flag.name, [value].flat().map(String))
  }
  return valuesOf(workflowFlags, given, { env })
}

/** A body that has passed the schema; `injected`: texts for the agent's first iteration. */
type RequestBody = { prompt: string; injected?: string[] | undefined } & Record<string, unknown>

/** `group`: the group that is asked for, if any; `notice`: why the project's file was not used. */
type ResolvedRequest = { wish: StartWish; group: GroupSpec | null; notice: string | null }

/** `trustsOnce`: use the project's configuration without recording that. */
type Resolving = { limit?: number | null; trustsOnce?: boolean }

/** `limit`: how many loops may run at once. */
export async function resolveRequest(
  body: RequestBody,
  system: System,
  { limit = null, trustsOnce = false }: Resolving = {},
): Promise<Result<ResolvedRequest>> {
  const given: GivenValues = new Map([['background', ['true']]])
  for (const flag of requestOptions) {
    const value = body[keyOf(flag)]
    if (value !== undefined) given.set(flag.name, [value].flat().map(String))
  }
  const configured = await withConfig(valuesOf(startFlags, given, { env: system.env }), system, {
    wanted: trustsOnce,
    once: true,
    ask: null,
  })
  if (!configured.ok) return configured
  const { values, notice } = configured.value
  const wish = resolveStart({ prompt: body.prompt, values, injected: body.injected ?? [] }, system)
  if (!wish.ok) return wish
  const group = groupFrom(values, wish.value.spec, { parallel: limit, system })
  if (!group.ok) return group
  if (group.value && wish.value.injected.length > 0) {
    return invalid({ kind: 'injected-into-group' })
  }
  return ok({ wish: wish.value, group: group.value, notice })
}

const { kind, maxIterations, budgetUsd, attended, stays } = resumeCommand.shape

/** The body of a resume: the limits and the agent by their keys, as `loop resume` takes them. */
export const resumeRequest = z
  .strictObject({
    kind,
    ...Object.fromEntries(changeFlags.map(flag => [keyOf(flag), option(flag)])),
    maxIterations: maxIterations.describe('the same as max_iterations; null lifts it'),
    budgetUsd: budgetUsd.describe('the same as budget; null lifts it'),
    attended,
    stays,
  })
  .describe('go on, perhaps with another limit or agent')

type ResumeBody = z.infer<typeof resumeRequest>

export function resolveResume(body: ResumeBody, system: System, spec: Spec): Result<Resume> {
  const changes = resumeFrom(changesIn(body), system, spec)
  if (!changes.ok) return changes
  const { attended: isAttended, stays: hostStays } = body
  return ok({
    kind: 'resume',
    ...changes.value,
    ...(isAttended !== undefined && { attended: isAttended }),
    ...(hostStays && { stays: hostStays }),
  })
}

/** The same for a group. */
export function resolveGroupResume(body: ResumeBody): Result<Extract<GroupCommand, { kind: 'resume' }>> {
  const changes = groupResumeFrom(changesIn(body))
  return changes.ok ? ok({ kind: 'resume', ...changes.value }) : changes
}

function changesIn(body: ResumeBody): Values {
  const given: GivenValues = new Map()
  if (body.maxIterations !== undefined)
    given.set('max-iterations', [String(body.maxIterations ?? 'unlimited')])
  if (body.budgetUsd !== undefined) given.set('budget', [String(body.budgetUsd ?? 'none')])
  for (const flag of changeFlags) {
    const value: unknown = body[keyOf(flag) as keyof typeof body]
    if (value !== undefined) given.set(flag.name, [String(value)])
  }
  return valuesOf(changeFlags, given, { env: {} })
}
