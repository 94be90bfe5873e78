/** A new loop or group over the API, resolved as on the command line, in a named environment. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { creation } from '../../../core/loop/assess/assess.ts'
import { begin } from '../../../core/loop/evolve.ts'
import { isOpen } from '../../../core/loop/summary.ts'
import { queueGroup, queueLoop } from '../../../engine/host.ts'
import { failureWords } from '../../../failures/words.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { eventVersion } from '../../../model/version.ts'
import { type ConfigFile, readConfigFile } from '../../../options/config/file.ts'
import { parseConfig } from '../../../options/config/parse.ts'
import { recordTrust, trustOf } from '../../../options/config/trust.ts'
import { detectProject, listingOf } from '../../../options/detect/project.ts'
import { planOptions, resolveRequest, workflowOptions } from '../../../options/request.ts'
import { inBackground } from '../../../options/resolve.ts'
import { changeFlags } from '../../../options/table/command.ts'
import { formOptions, startCommand } from '../../../options/table/form.ts'
import { projectConfig } from '../../../store/files/paths.ts'
import { groupPlan, plan } from '../../../views/text/plan.ts'
import { keptEnvironment } from '../../daemon/environment.ts'
import type { startRoutes } from '../contract/start.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import type { ApiContext, Some } from './context.ts'

export function startAnswers(context: ApiContext): Some<keyof typeof startRoutes> {
  const { world } = context
  return {
    start: async ({ body }) => {
      const asked = await resolved(context, body, trustConfig)
      if (!asked.ok) return asked
      const { wish, group, notices, environment, env } = asked.value
      const { priority, ...queued } = inBackground(wish)
      const kept = env && { env }
      const spec = group && { ...group, attended: false, deleteState: wish.state === 'delete' }
      const id = spec
        ? queueGroup(world, { spec, ...kept }, priority)
        : queueLoop(world, { ...queued, ...kept }, priority)
      return ok({ id, notices, environment })
    },
    resolve: async ({ body }) => {
      const asked = await resolved(context, body, asRead)
      if (!asked.ok) return asked
      const { wish, group, notices, environment } = asked.value
      const { spec } = wish
      const holder = world.store.heads.holder(spec.cwd, null)
      const behind = holder ? [`It waits until ${holder.id} is done with this work tree.`] : []
      const lines = [...planLines(wish.spec), ...(group ? groupPlan(group) : [])]
      const command = startCommand(body)
      return ok({ spec, group, plan: lines, command, warnings: behind, notices, environment })
    },
    options: () =>
      ok({
        start: formOptions(),
        plan: formOptions(planOptions),
        workflow: formOptions(workflowOptions),
        resume: formOptions(changeFlags),
      }),
    projects: () => ok(projects(context)),
    project: ({ query }) => project(context, query.cwd),
  }
}

type Body = RouteRequest<'start'>['body']

type Trusting = typeof trustConfig

/** `env`: the environment to keep with it; null for that of loopd. */
async function resolved(context: ApiContext, body: Body, trusting: Trusting) {
  const { cwd, trust_config: hash } = body
  const found = context.system.directory(cwd)
  const tree = 'real' in found ? found.real : cwd
  if (hash !== undefined) {
    const trusted = trusting(context, tree, hash)
    if (!trusted.ok) return trusted
  }
  const { environment, env } = environmentFor(context, tree)
  const system = env ? context.systemIn(env) : context.system
  const asked = await resolveRequest(body, system, {
    limit: context.status().limit,
    // A start uses the recorded trust: a file that has changed meanwhile is not the one that was trusted.
    trustsOnce: hash !== undefined && trusting === asRead,
  })
  if (!asked.ok) return asked
  const { wish, group, notice } = asked.value
  return ok({ wish, group, notices: notice === null ? [] : [notice], environment, env })
}

/** Trusts exactly the bytes that a person has read, from now on: a changed file has another hash. */
function trustConfig(context: ApiContext, tree: string, hash: string): Result<unknown> {
  const file = asRead(context, tree, hash)
  return file.ok ? recordTrust(context.world.store.paths, file.value, true) : file
}

/** The configuration of the tree, if it has this hash. */
function asRead(_: ApiContext, tree: string, hash: string): Result<ConfigFile> {
  const file = readConfigFile({ path: projectConfig(tree), of: 'project' })
  if (!file.ok) return file
  if (file.value && hashOf(file.value.bytes) === hash) return ok(file.value)
  return fail('not-allowed', { kind: 'not-what-was-read', path: projectConfig(tree) })
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

type Environment = RouteAnswer<'start'>['environment']

function environmentFor(
  { world: { store } }: ApiContext,
  tree: string,
): { environment: Environment; env: NodeJS.ProcessEnv | null } {
  const kept = keptEnvironment(store, tree)
  if (kept) {
    const words = `It has the environment that was kept with ${kept.loop}.`
    return { environment: { from: 'kept', loop: kept.loop, at: kept.at, words }, env: kept.env }
  }
  const words =
    'It has the environment of loopd: none was kept for this directory. loop start -b in your shell keeps yours.'
  return { environment: { from: 'loopd', loop: null, at: null, words }, env: null }
}

function planLines(spec: Parameters<typeof queueLoop>[1]['spec']): string[] {
  const envelope = { v: eventVersion, seq: 1, at: 0, loop: '(not started)', epoch: 0, cause: null }
  return plan(begin({ ...envelope, ...creation(spec) }))
}

const mostProjects = 50

function projects({ world: { store } }: ApiContext): RouteAnswer<'projects'> {
  const { summaries } = store.heads.briefs({ all: {} })
  const trees = [...Map.groupBy(summaries, ({ cwd }) => cwd)].slice(0, mostProjects)
  return trees.map(([cwd, loops]) => {
    const [last] = loops
    return {
      cwd,
      loops: loops.length,
      open: loops.filter(({ status }) => isOpen(status)).length,
      lastAt: last?.createdAt ?? 0,
      lastPrompt: last?.prompt ?? '',
      lastPromise: last?.promise ?? '',
      lastAgent: last?.agent ?? '',
      exists: existsSync(cwd),
    }
  })
}

function project(context: ApiContext, cwd: string): Result<RouteAnswer<'project'>> {
  const { system } = context
  const found = system.directory(cwd)
  if (!('real' in found))
    return fail('invalid-arguments', { kind: 'no-such-directory', path: cwd, problem: found.problem })
  const tree = found.real
  const { passedOver, ...commands } = detectProject(listingOf(tree, system))
  return ok({
    cwd: tree,
    problem: system.workProblem(tree),
    commands,
    passedOver,
    config: configOf(context, tree),
    environment: environmentFor(context, tree).environment,
  })
}

function configOf({ world: { store } }: ApiContext, tree: string): RouteAnswer<'project'>['config'] {
  const path = projectConfig(tree)
  const file = readConfigFile({ path, of: 'project' })
  if (!file.ok)
    return { path, trust: 'unreadable', hash: null, text: '', problem: failureWords(file.failure) }
  if (!file.value) return null
  const { bytes } = file.value
  const entries = parseConfig(file.value)
  return {
    path,
    trust: trustOf(store.paths, file.value),
    hash: hashOf(bytes),
    text: bytes.toString('utf8'),
    problem: entries.ok ? null : failureWords(entries.failure),
  }
}
