/** Answers about the machine: loop's own findings, made in a separate process, and what loopd knows. */
import * as z from 'zod'
import { agents } from '../../../adapters/agents/agent.ts'
import type { JsonDocument } from '../../../documents/documents.ts'
import { settingsSchema } from '../../../documents/machine.ts'
import { agentNames } from '../../../model/agent.ts'
import { ok } from '../../../model/failure.ts'
import { settings } from '../../../options/setting.ts'
import { exec } from '../../../platform/exec.ts'
import type { Paths } from '../../../store/files/paths.ts'
import { signIn } from '../../../views/words/reasons.ts'
import { keptEnvironment } from '../../daemon/environment.ts'
import { freeBytes } from '../../daemon/upkeep.ts'
import { machineRoutes } from '../contract/machine.ts'
import type { RouteAnswer } from '../contract.ts'
import type { ApiContext, Some } from './context.ts'

const doctorMs = 60_000
const garbageMs = 10 * 60_000
const countedMs = 10_000

export function machineAnswers(context: ApiContext): Some<keyof typeof machineRoutes> {
  const { world, askOwn } = context
  const { store, env } = world
  const own = <S extends z.ZodType>(
    args: string[],
    schema: S,
    more: { ms?: number; isAnswerOnFailure?: boolean } = {},
  ) => askOwn({ args, schema, cwd: '/', env, ...more })
  return {
    agents: ({ query }) => {
      const kept = query.cwd === undefined ? null : keptEnvironment(store, query.cwd)
      return ok(agentsIn(context, kept?.env ?? env, query.cwd ?? '/'))
    },
    doctor: async () => {
      const asked = await own(['doctor'], machineRoutes.doctor.answer, {
        ms: doctorMs,
        isAnswerOnFailure: true,
      })
      return asked.ok ? ok(asked.value.answer) : asked
    },
    disk: async () => ok(await diskOf(store.paths, env)),
    gc: async ({ body }) => {
      const args = ['gc', ...(body.dry ? ['--dry-run'] : [])]
      const asked = await own(args, machineRoutes.gc.answer, { ms: garbageMs })
      return asked.ok ? ok(asked.value.answer) : asked
    },
    config: async () => {
      const asked = await own(['config', 'list', '--cwd=/'], settingsSchema())
      if (!asked.ok) return asked
      return ok({ path: store.paths.config, keys: asked.value.answer.flatMap(keyRow) })
    },
    setConfig: async ({ body: { key, value } }) => {
      const args = value === null ? ['config', 'unset', key] : ['config', 'set', '--', key, value]
      const asked = await own(args, z.looseObject({ changed: z.boolean() }))
      return asked.ok ? ok({ key, value, changed: asked.value.answer.changed }) : asked
    },
    metricHistory: () => ok({ everyMs: context.samples.everyMs, samples: context.samples.all() }),
    report: async ({ query }) => {
      const since = query.since === undefined ? [] : [`--since=${query.since}`]
      const asked = await own(['report', ...since], machineRoutes.report.answer, { isAnswerOnFailure: true })
      return asked.ok ? ok(asked.value.answer) : asked
    },
  }
}

function keyRow({ key, value, source, help }: JsonDocument<'settings'>[number]) {
  const setting = settings.find(one => one.key === key)
  if (!setting) return []
  const { takes = null, project } = setting
  const words = takes !== null && /^[a-z-]+(\|[a-z-]+)+$/.test(takes) ? takes.split('|') : []
  return [{ key, value, source, default: setting.default ?? null, takes, words, isOfProject: project, help }]
}

/** The agents that a loop would find in this environment. */
function agentsIn(context: ApiContext, env: NodeJS.ProcessEnv, cwd: string): RouteAnswer<'agents'> {
  const system = context.systemIn(env)
  return agentNames.map(name => {
    const facts = system.agent(name)
    const isInstalled = facts.isProgram && facts.isInstalled()
    const { cost, tokens, edits, continues, model, approves } = facts.capabilities
    return {
      name,
      isInstalled,
      isProgram: facts.isProgram,
      install: agents[name].program?.install ?? null,
      signedIn: isInstalled ? facts.signedIn(cwd) : 'unknown',
      signIn: facts.isProgram ? signIn(name) : null,
      cost,
      hasTokens: tokens,
      hasEdits: edits,
      continues,
      takesModel: model,
      approves,
    }
  })
}

type DiskPart = RouteAnswer<'disk'>['parts'][number]

async function diskOf(paths: Paths, env: NodeJS.ProcessEnv): Promise<RouteAnswer<'disk'>> {
  const places: [DiskPart['name'], string][] = [
    ['journals', paths.database],
    ['outputs', paths.loops],
    ['checkpoints', paths.trees],
    ['copies', paths.copies],
    ['dependencies', paths.templates],
    ['backups', paths.backups],
    ['log', paths.daemon.log],
  ]
  const parts = await Promise.all(
    places.map(async ([name, path]) => ({ name, path, bytes: await bytesBelow(path, env) })),
  )
  return { freeBytes: freeBytes(paths), parts }
}

/** Measured by du in a separate process, since there can be a million files. Null if it takes too long. */
async function bytesBelow(path: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const signal = AbortSignal.timeout(countedMs)
  const counted = await exec({ argv: ['du', '-sk', path], cwd: '/', env, signal })
  if (counted.cut !== null) return null
  // A missing directory takes no room.
  return Number(/^\d+/.exec(counted.stdout.toString('utf8'))?.[0] ?? 0) * 1024
}
