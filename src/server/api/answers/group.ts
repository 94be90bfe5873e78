/** Answers about several loops together: the results of a group, workflow files and templates. */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import * as z from 'zod'
import type { GroupState } from '../../../core/group/state.ts'
import type { Head } from '../../../core/head.ts'
import { type ByKind, byKind } from '../../../core/summary.ts'
import { compareJson, groupGraphJson, reviewJson } from '../../../documents/group.ts'
import { readState } from '../../../engine/machine.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { recordTrust, trustOf } from '../../../options/config/trust.ts'
import type { Store } from '../../../store/contract.ts'
import { keptEnvironment } from '../../daemon/environment.ts'
import { type groupRoutes, planRoutes, groupRoutes as routes } from '../contract/group.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import type { ApiContext, Some } from './context.ts'

const mostFile = 256_000

export function groupAnswers(context: ApiContext): Some<keyof typeof groupRoutes> {
  const { store } = context.world
  return {
    compare: ({ params }) => {
      const group = theGroup(store, params.id)
      return group.ok ? ok(compareJson(group.value)) : group
    },
    graph: ({ params }) => {
      const group = theGroup(store, params.id)
      return group.ok ? ok(groupGraphJson(group.value)) : group
    },
    validate: ({ body }) => validated(context, body),
    runWorkflow: ({ body }) => queued(context, ['workflow', 'run', body.file], { ...body, path: body.file }),
    findings: ({ params }) => {
      const group = theGroup(store, params.id)
      if (!group.ok) return group
      if (group.value.spec.program === 'plan') return ok(reviewJson(group.value))
      return fail('not-allowed', { kind: 'no-plan', id: params.id })
    },
    runPlan: ({ body }) =>
      // A caller over the API can be asked later: a text that says too little waits for answers.
      queued(context, ['plan', body.force ? '--force' : '--ask-later', ...(body.yes ? ['--yes'] : [])], {
        ...body,
        path: '',
      }),
    templates: async ({ query }) => {
      const args = ['template', 'list', `--cwd=${query.cwd}`]
      const asked = await asking(context, query.cwd, { args, schema: routes.templates.answer })
      return asked.ok ? ok(asked.value.answer) : asked
    },
    template: ({ params, query }) => templateOf(context, params.template, query.cwd),
    runTemplate: async ({ params, body }) => {
      const shown = await templateOf(context, params.template, body.cwd)
      if (!shown.ok) return shown
      const args = ['template', 'run', params.template]
      return queued(context, args, { ...body, path: shown.value.path })
    },
  }
}

function theGroup(store: Store, id: string): Result<GroupState> {
  const head = store.heads.get(id)
  if (!head.ok) return head
  return byKind(states, head.value, store)
}

const nothingToShow = ({ id }: Head) => fail('invalid-arguments', { kind: 'no-group-to-show', id })

const states: ByKind<Result<GroupState>, [Store]> = {
  loop: nothingToShow,
  group: ({ id }, store) => readState(store, id, 'group'),
  newer: nothingToShow,
}

type OwnCall<S extends z.ZodType> = { args: string[]; schema: S; isAnswerOnFailure?: boolean }

/** In the environment that was last kept for the directory. */
function asking<S extends z.ZodType>({ world, askOwn }: ApiContext, tree: string, asked: OwnCall<S>) {
  const env = keptEnvironment(world.store, tree)?.env ?? world.env
  return askOwn({ cwd: '/', env, ...asked })
}

const judged = z.looseObject({ valid: z.boolean(), problems: z.array(z.looseObject({})) })

async function validated(
  context: ApiContext,
  { cwd, file, set = {} }: RouteRequest<'validate'>['body'],
): Promise<Result<RouteAnswer<'validate'>>> {
  const read = contentOf(file)
  if (!read.ok) return read
  const given = [`--cwd=${cwd}`, ...setArgs(set)]
  const schema = judged
  const found = await asking(context, cwd, { args: ['workflow', 'validate', file, ...given], schema })
  if (!found.ok) return found
  const args = ['workflow', 'graph', file, '--format=json', ...given]
  const graph = found.value.answer.valid
    ? await asking(context, cwd, { args, schema: z.looseObject({}) })
    : null
  const { bytes, hash } = read.value
  const nothing = { name: null, loops: [], unset: [], worstCase: null }
  const whole = { ...nothing, ...found.value.answer, graph: graph?.ok ? graph.value.answer : null }
  const answer = routes.validate.answer.safeParse({
    ...whole,
    text: bytes.toString('utf8'),
    hash,
    isTrusted: isTrusted(context, read.value),
  })
  return answer.success
    ? ok(answer.data)
    : fail('system', {
        kind: 'no-own-answer',
        command: 'workflow validate',
        exit: 0,
        said: answer.error.message,
      })
}

const shownTemplate = routes.template.answer.omit({ text: true, hash: true, isTrusted: true })
/** Templates that came with no project. */
const ownPlaces = ['built in', 'yours']

async function templateOf(
  context: ApiContext,
  name: string,
  cwd: string,
): Promise<Result<RouteAnswer<'template'>>> {
  const args = ['template', 'show', name, `--cwd=${cwd}`]
  const asked = await asking(context, cwd, { args, schema: shownTemplate })
  if (!asked.ok) return asked
  const read = contentOf(asked.value.answer.path)
  if (!read.ok) return read
  return ok({
    ...asked.value.answer,
    text: read.value.bytes.toString('utf8'),
    hash: read.value.hash,
    isTrusted: ownPlaces.includes(asked.value.answer.place) || isTrusted(context, read.value),
  })
}

type Run = {
  cwd: string
  path: string
  /** The text of a plan. */
  text?: string | undefined
  set?: Record<string, string> | undefined
  trust?: string | undefined
  options?: Partial<Record<string, string | number | boolean | string[]>> | undefined
}

const queuedAnswer = z.looseObject({ id: z.string() })

async function queued(
  context: ApiContext,
  begin: string[],
  { cwd, path, text, set = {}, trust, options = {} }: Run,
): Promise<Result<RouteAnswer<'runWorkflow'>>> {
  if (trust !== undefined) {
    const trusted = trustFile(context, path, trust)
    if (!trusted.ok) return trusted
  }
  const flags = Object.entries(options).flatMap(([key, value]) =>
    [value].flat().flatMap(one => flagOf(key, one)),
  )
  const last = text === undefined ? [] : ['--', text]
  const args = [...begin, '-b', `--cwd=${cwd}`, ...setArgs(set), ...flags, ...last]
  const kept = keptEnvironment(context.world.store, cwd)
  const asked = await asking(context, cwd, { args, schema: queuedAnswer })
  if (!asked.ok) return asked
  const environment = kept
    ? `It has the environment that was kept with ${kept.loop}.`
    : 'It has the environment of loopd: none was kept for this directory.'
  return ok({ id: asked.value.answer.id, notices: asked.value.notices, environment })
}

function flagOf(key: string, value: string | number | boolean | undefined): string[] {
  if (value === undefined || value === false) return []
  return [`--${key.replaceAll('_', '-')}${value === true ? '' : `=${value}`}`]
}

function setArgs(set: Record<string, string>): string[] {
  return Object.entries(set).map(([name, value]) => `--set=${name}=${value}`)
}

/** Trusts exactly the bytes that a person has read. */
function trustFile({ world: { store } }: ApiContext, file: string, hash: string): Result<null> {
  const read = contentOf(file)
  if (!read.ok) return read
  const { path, bytes } = read.value
  if (read.value.hash !== hash) return fail('not-allowed', { kind: 'not-what-was-read', path })
  return recordTrust(store.paths, { path, bytes, of: 'project' }, true)
}

type Content = { path: string; bytes: Buffer; hash: string }

function isTrusted({ world: { store } }: ApiContext, { path, bytes }: Content): boolean {
  return trustOf(store.paths, { path, bytes, of: 'project' }) === 'trusted'
}

function contentOf(file: string): Result<Content> {
  try {
    const path = realpathSync(file)
    const stat = statSync(path)
    if (stat.isFile() && stat.size <= mostFile) {
      const bytes = readFileSync(path)
      return ok({ path, bytes, hash: createHash('sha256').update(bytes).digest('hex') })
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code) throw error
  }
  return fail('invalid-arguments', { kind: 'no-small-file', path: file, mostKb: mostFile / 1_000 })
}

/** The tasks and learnings of a directory, as loop itself tells them; and consent to a learning. */
export function planAnswers({ askOwn, world: { env } }: ApiContext): Some<keyof typeof planRoutes> {
  const told = async <S extends z.ZodType>(args: string[], schema: S): Promise<Result<z.output<S>>> => {
    const asked = await askOwn({ args, schema, cwd: '/', env })
    return asked.ok ? ok(asked.value.answer) : asked
  }
  return {
    tasks: ({ query }) => told(['task', 'list', `--cwd=${query.cwd}`], planRoutes.tasks.answer),
    learnings: ({ query }) => told(['learn', `--cwd=${query.cwd}`], planRoutes.learnings.answer),
    settleLearning: async ({ body: { cwd, id, keep } }) => {
      const args = ['learn', keep ? 'accept' : 'drop', id, `--cwd=${cwd}`]
      const settled = await told(args, z.looseObject({}))
      return settled.ok ? ok({ id, kept: keep }) : settled
    },
  }
}
