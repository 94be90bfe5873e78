/**
 * The answers of `loop mcp`. The server is one more process beside the others: it reads the store, and its commands to
 * a loop take the usual way (engine/ask). Each call opens the store again, so that a server that runs for days holds
 * nothing open.
 */
import { criterionStates } from '../core/loop/criteria.ts'
import { fold } from '../core/loop/evolve.ts'
import { isOpen, summarize } from '../core/loop/summary.ts'
import { scoreSpec } from '../core/score.ts'
import type { AnySummary, Summary } from '../core/summary.ts'
import { safeText } from '../core/text/plain-text.ts'
import { historyJson, rowJson } from '../documents/loop.ts'
import { ask } from '../engine/ask.ts'
import { discardedOf } from '../engine/garbage/discarded.ts'
import { detailed } from '../engine/shown/detail.ts'
import { oneLoop, withMembers } from '../engine/shown/members.ts'
import { shown } from '../engine/shown/orphans.ts'
import type { World } from '../engine/world.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { GroupCommand } from '../model/group/command.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead } from '../store/sqlite/open.ts'
import type { ToolAnswer, ToolCall, ToolName } from './contract.ts'
import { lookHere, type McpPlace, tasksHere, writeClaim } from './session.ts'

/** The server's directory (`cwd` with symlinks resolved, as in specs), and the functions of the command line. */
export type ToolContext = McpPlace & {
  now(): number
  /** The same as `loop start -b`. */
  start(wish: ToolCall<'start'>): Promise<Result<ToolAnswer<'start'>>>
  /** The same as `loop template run -b` and `loop template list`. */
  startTemplate(wish: ToolCall<'start_template'>): Promise<Result<ToolAnswer<'start_template'>>>
  templates(): Result<ToolAnswer<'templates'>>
  /** Refused inside the run of an agent: its questions are for its user. */
  mayAnswer(): Result<null>
  /** The store opened to write, and this process as a host for as long as the work takes. */
  withWorld<T>(work: (world: World) => Promise<Result<T>>): Promise<Result<T>>
}

type Answers = { [N in ToolName]: (asked: ToolCall<N>) => Promise<Result<ToolAnswer<N>>> }

const endedShown = 10
const mostShown = 100

export function toolAnswers(context: ToolContext): Answers {
  return {
    start: context.start,
    start_template: context.startTemplate,
    templates: async () => context.templates(),
    status: async ({ loop }) => looking(context, store => status(context, store, loop)),
    criteria: async ({ loop }) => looking(context, store => criteria(context, store, loop)),
    history: async asked => looking(context, store => historyOf(context, store, asked)),
    inject: ({ loop, text }) =>
      context.withWorld(async world => {
        const found = oneLoop(world.store, meant(context, world.store, loop))
        if (!found.ok) return found
        if (text.trim() === '') return fail('invalid-arguments', { kind: 'empty-text' })
        const { id } = found.value
        // The text comes from a model, even if a person asked for it: the agent must not take it for the words of its
        // user.
        const asked = await ask(world, id, { kind: 'inject', text: text.trim(), by: 'agent' }, { of: 'loop' })
        return asked.ok ? ok({ id, iteration: asked.value.state.work.iteration + 1 }) : asked
      }),
    answer: asked => context.withWorld(world => answer(context, world, asked)),
    tasks: async () => tasksHere(context),
    report: ({ loop, ...claim }) => context.withWorld(world => report(context, world, { loop, claim })),
    score: async ({ spec }) => ok(scoreSpec(spec)),
  }
}

/** For plans only: no agent decides whether a criterion is met or which attempt is applied. */
async function answer(
  context: ToolContext,
  world: World,
  { loop, text }: ToolCall<'answer'>,
): Promise<Result<ToolAnswer<'answer'>>> {
  const may = context.mayAnswer()
  if (!may.ok) return may
  const found = meant(context, world.store, loop)
  if (!found.ok) return found
  const { id, question, program }: AnySummary = found.value
  if (program !== 'plan') return fail('not-allowed', { kind: 'question-for-human', id })
  const wish: GroupCommand = { kind: 'answer', by: 'a person, through an agent', text }
  const asked = await ask(world, id, wish)
  if (!asked.ok) return asked
  const { question: next, status: now } = asked.value.machine.summarize(asked.value.state)
  return ok({ id, answered: question ?? '', asks: next, status: now })
}

/** The store for reading; null if there is none yet. */
function looking<T>({ env }: ToolContext, look: (store: Store | null) => Result<T>): Result<T> {
  const store = openStoreToRead(pathsFrom(env))
  if (!store.ok) return store
  try {
    return look(store.value)
  } finally {
    store.value?.close()
  }
}

/** The named loop; otherwise the loop of the surrounding run or session; otherwise the open one in this directory. */
function meant(context: ToolContext, store: Store | null, name: string | undefined): Result<Summary> {
  const { env, cwd } = context
  const ofRun = env['LOOP_RUN'] ? env['LOOP_ID'] : undefined
  const own = name ?? ofRun ?? lookHere(context).marker?.loop.id ?? undefined
  if (own !== undefined) return store ? store.heads.find(own) : unknownLoop(own)
  const here = store
    ? store.heads.list({ current: 0 }).summaries.filter(loop => loop.cwd === cwd && isOpen(loop.status))
    : []
  const [only, second] = here
  if (only && !second) return ok(only)
  const why = only
    ? `Several loops are open in ${cwd}: ${here.map(({ id }) => id).join(', ')}`
    : `No loop is open in ${cwd}`
  return fail('unknown-loop', { kind: 'which-loop', why })
}

function status(
  context: ToolContext,
  store: Store | null,
  name: string | undefined,
): Result<ToolAnswer<'status'>> {
  if (name !== undefined) {
    const one = store ? store.heads.find(name) : unknownLoop(name)
    if (!one.ok || !store) return one as Result<never>
    return ok({ loops: [detailed(store, one.value, context.now())], more: 0, damaged: [] })
  }
  if (!store) return ok({ loops: [], more: 0, damaged: [] })
  const { summaries, damaged } = store.heads.list({ current: endedShown })
  const hostOf = store.leases.finder()
  const some = summaries.slice(0, mostShown).map(loop => shown(store, loop, hostOf))
  const rows = withMembers(store, some, hostOf).rows.map(row => rowJson(row, context.now()))
  return ok({ loops: rows, more: summaries.length - rows.length, damaged })
}

function criteria(
  context: ToolContext,
  store: Store | null,
  name: string | undefined,
): Result<ToolAnswer<'criteria'>> {
  const journal = journalOf(context, store, name)
  if (!journal.ok) return journal
  const state = fold(journal.value)
  const rows = criterionStates(state).map(({ result, ...standing }) => ({
    ...standing,
    output: safeText(result?.output.tail ?? ''),
    reported: Object.hasOwn(state.human.reported, standing.name)
      ? (state.human.reported[standing.name]?.met ?? null)
      : null,
  }))
  const unmet = rows.filter(({ met }) => !met).map(row => row.name)
  return ok({ id: state.id, status: summarize(state).status, criteria: rows, unmet })
}

const nextInRun =
  'loop runs the command of every criterion itself when the run of the agent ends; only what passes then is met'
const nextInSession =
  'when every criterion is reported as met, report with exit_signal true and stop: loop then runs the command of each itself, and only what passes is met'

type Claim = Omit<ToolCall<'report'>, 'loop'>

async function report(
  context: ToolContext,
  world: World,
  { loop, claim }: { loop: string | undefined; claim: Claim },
): Promise<Result<ToolAnswer<'report'>>> {
  const found = oneLoop(world.store, meant(context, world.store, loop))
  if (!found.ok) return found
  const { id } = found.value
  const { criterion, met: reported, evidence, exit_signal: exit } = claim
  if (exit !== undefined && !found.value.session) {
    return fail('invalid-arguments', { kind: 'not-in-session', id })
  }
  const asked = await ask(world, id, { kind: 'report', criterion, met: reported, evidence }, { of: 'loop' })
  if (!asked.ok) return asked
  const claimed = found.value.session ? writeClaim(context, id, claim) : ok(null)
  if (!claimed.ok) return claimed
  const rows = criterionStates(asked.value.state)
  return ok({
    id,
    criterion,
    reported,
    met: rows.some(({ name, met }) => name === criterion && met),
    unmet: rows.filter(({ met }) => !met).map(({ name }) => name),
    next: found.value.session ? nextInSession : nextInRun,
  })
}

function historyOf(
  context: ToolContext,
  store: Store | null,
  asked: ToolCall<'history'>,
): Result<ToolAnswer<'history'>> {
  const journal = journalOf(context, store, asked.loop)
  if (!journal.ok) return journal
  const state = fold(journal.value)
  const discarded = store ? discardedOf(store.paths, state) : []
  const whole = historyJson(state.id, journal.value, discarded)
  const iterations = whole.iterations.slice(-asked.last)
  return ok({ ...whole, iterations, more: whole.iterations.length - iterations.length })
}

function journalOf(context: ToolContext, store: Store | null, name: string | undefined) {
  const named = meant(context, store, name)
  if (!named.ok || !store) return named as Result<never>
  const found = oneLoop(store, named)
  return found.ok ? store.journals.read(found.value.id) : found
}
