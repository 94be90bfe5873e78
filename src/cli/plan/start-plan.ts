/**
 * `loop plan`, and `loop start` without a promise: looks for an unfinished plan in this tree, loads what is known
 * (maxims, learnings, a SHAPE.md), asks the questions that only a person can answer, and starts the group.
 *
 * For the spec of a plan it scores the text, reads the answers that were given beforehand, and finds the reviewers. A
 * text that says too little is refused before any agent runs, if nobody is there to ask.
 */
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { readPlain, removeFiles } from '../../adapters/tree-file.ts'
import { isOpen } from '../../core/loop/summary.ts'
import { firstQuestions } from '../../core/plan/intent.ts'
import { reversibility } from '../../core/reversibility.ts'
import { type ShapeRule, scoreSpec, shapeRules, workflowType } from '../../core/score.ts'
import type { AnySummary } from '../../core/summary.ts'
import { maximsAt, recallAt, trustAll, trustMaxims } from '../../engine/learnings.ts'
import { type AgentName, agentNames } from '../../model/agent.ts'
import { all, exitCodeOf, fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { PlanSpec } from '../../model/group/plan.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { AgentChoice, Spec } from '../../model/loop/spec.ts'
import type { PlanShape } from '../../model/plan.ts'
import { nearest } from '../../options/nearest.ts'
import { resolveStart, type StartWish } from '../../options/resolve.ts'
import type { System } from '../../options/system.ts'
import { readWord, type Values } from '../../options/values.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { shapeMark } from '../../views/plan/documents.ts'
import { planStart } from '../../views/plan/start.ts'
import { nothingRunWords } from '../../views/words/done.ts'
import { planQuestions, trustQuestions } from '../../views/words/questions.ts'
import type { Input } from '../command-table.ts'
import { hasFace } from '../foreground/face.ts'
import { startGroup, startGroupInBackground } from '../foreground/group.ts'
import { askLine, askNow, isAttended } from '../foreground/question.ts'
import { askStart, deletesState } from '../foreground/start-questions.ts'
import { listNamed } from '../session/task-list.ts'
import { err, notice, outFor } from '../terminal.ts'
import { shapeHere } from './shape-here.ts'

export async function startPlan(typed: Input, system: System): Promise<Result<number>> {
  const [prompt] = typed.positionals
  const resolved = resolveStart({ prompt, values: typed, planned: true }, system)
  if (!resolved.ok) return resolved
  const { spec } = resolved.value
  if (spec.checkpoint === 'none') return invalid({ kind: 'plan-needs-checkpoints' })
  const known = lookAt(spec.cwd, typed)
  if (!known.ok) return known
  const { here, completed } = known.value
  if (here && !typed.given('fresh')) {
    const chosen = await offerResume(here, typed)
    if (!chosen.ok || chosen.value !== 'fresh') return chosen as Result<number>
  }
  if ((here || typed.given('fresh')) && !typed.given('dry-run')) removeCurrent(spec.cwd)
  const asked = await askStart(spec.cwd, typed)
  // Leaving the questions cancels the start.
  if (asked === null) return ok(exitCodeOf('cancelled'))
  const { taskList, limits } = asked
  const facts = factsOf(spec.cwd, { text: spec.prompt, completed, taskList, input: typed })
  if (!facts.ok) return facts
  const parallel = liveSettings(pathsFrom(typed.env)).now().limit
  const group = planFrom(typed, { ...spec, ...limits }, { facts: facts.value, system, parallel })
  if (!group.ok) return group
  return begin(group.value, resolved.value, typed)
}

async function begin(group: GroupSpec, wish: StartWish, input: Input): Promise<Result<number>> {
  if (input.given('dry-run')) {
    outFor<'groupPlanned'>(input, group, [...planStart(group), nothingRunWords].join('\n'))
    return ok(0)
  }
  const { priority, state } = wish
  if (!input.given('json') && (priority || !hasFace(input))) for (const line of planStart(group)) err(line)
  const deleteState = priority ? state === 'delete' : await deletesState(wish, input)
  const spec = { ...group, ...(deleteState && { deleteState }) }
  return priority ? startGroupInBackground(spec, priority, input) : startGroup(spec, input)
}

/** `here`: the newest plan of this tree that can be resumed. */
type Known = { here: AnySummary | null; completed: number }

const mostLooked = 200

function lookAt(tree: string, input: Input): Result<Known> {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (!store.value) return ok({ here: null, completed: 0 })
  try {
    return ok({ here: planHere(store.value, tree), completed: completedIn(store.value, tree) })
  } finally {
    store.value.close()
  }
}

/** The newest open plan, else the newest plan if it has failed. */
function planHere(store: Store, tree: string): AnySummary | null {
  const isPlan = ({ program, cwd }: AnySummary) => program === 'plan' && cwd === tree
  const open = store.heads.open().flatMap(({ id }) => {
    const head = store.heads.get(id)
    return head.ok && isPlan(head.value) && isOpen(head.value.status) ? [head.value] : []
  })
  const last = open.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  if (last) return last
  const newest = store.heads.list({ all: { limit: mostLooked } }).summaries.find(isPlan)
  return newest?.status === 'failed' ? newest : null
}

/** The number of completed loops, without questions to models. */
function completedIn(store: Store, tree: string): number {
  const { summaries } = store.heads.list({ all: { status: ['completed'], limit: mostLooked } })
  const done = summaries.filter(
    ({ cwd, answers, status }) => cwd === tree && status === 'completed' && !answers,
  )
  return done.length
}

type About = { text: string; completed: number; taskList: string | null; input: Input }

function factsOf(tree: string, { text, completed, taskList, input }: About): Result<PlanFacts> {
  const slug = slugOf(text)
  const given = shapeHere(tree, input)
  if (!given.ok) return given
  return ok({
    slug,
    run: freeRun(tree, slug),
    maxims: maximsFor(tree, input),
    recalled: recallAt({ paths: pathsFrom(input.env), tree }, text).map(({ learning }) => ({
      name: learning.id,
      text: learning.text,
    })),
    completed,
    given: given.value,
    taskList: listOf({ typed: taskList ?? input.value('task-list') ?? 'new', tree, slug }, input.env),
  })
}

/** Null for a list that lives in this session only, and if there is no home directory for a list. */
function listOf(wish: { typed: string; tree: string; slug: string }, env: NodeJS.ProcessEnv): string | null {
  const list = wish.typed === 'session' ? null : listNamed(wish, env)
  return list === null ? null : basename(list)
}

const mostWords = 5

function slugOf(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.slice(0, mostWords).join('-').slice(0, 40) || 'plan'
}

/** The name of a new directory: never one that exists. */
function freeRun(tree: string, slug: string): string {
  const day = new Date().toISOString().slice(0, 10)
  const runs = join(tree, '.loop', 'runs')
  for (let n = 1; ; n += 1) {
    const name = `${day}-${slug}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(join(runs, name))) return name
  }
}

/**
 * Maxims: rules of a project and of its user, loaded before any task is made. Those of a repository are used only after
 * the user has trusted them; a person who is there is asked.
 */
function maximsFor(tree: string, input: Input): PlanSpec['maxims'] {
  const place = { paths: pathsFrom(input.env), tree }
  const isDry = input.given('dry-run')
  if (input.given('trust') && !isDry) trustAll(place)
  const { strange } = maximsAt(place)
  if (strange.length > 0 && !isDry && isAttended(input) && askNow(trustQuestions.maxims(strange)))
    trustMaxims(place, strange)
  const now = maximsAt(place)
  const left = now.strange.map(({ path }) => path).join(', ')
  if (left !== '')
    notice(input, `Not used as maxims, since they are not trusted: ${left}. Trust them with --trust.`)
  return now.usable.map(({ path, text }) => ({ name: path, text }))
}

/** `fresh`: begin a new plan. A number: the exit code of the command that was chosen instead. */
async function offerResume(here: AnySummary, input: Input): Promise<Result<number | 'fresh'>> {
  const { id, status } = here
  if (!isAttended(input)) {
    if (isOpen(status)) return fail('not-allowed', { kind: 'plan-is-here', id, status })
    notice(
      input,
      `Plan ${id} has ${status} here. This start is a new plan; to resume the other one: loop resume ${id}`,
    )
    return ok('fresh')
  }
  for (;;) {
    const line = await askLine(planQuestions.resume(id, status), new AbortController().signal)
    if (line === null) return ok(exitCodeOf('cancelled'))
    const said = line.trim().toLowerCase()
    if (/^(y|yes|resume|)$/.test(said)) return command('resume', id, input)
    if (/^(n|no|fresh|start fresh)$/.test(said)) return ok('fresh')
    const shown = await command('status', id, input)
    if (!shown.ok) return shown
  }
}

async function command(name: 'resume' | 'status', id: string, input: Input): Promise<Result<number>> {
  const { commands } = await import('../command-table.ts')
  const { valuesOf } = await import('../../options/values.ts')
  const { commonFlags } = await import('../../options/table/command.ts')
  const row = commands.find(one => one.name === name)
  if (!row) throw new Error(`Internal error: no command ${name}`)
  const { default: run } = await row.load()
  const values = valuesOf([...row.flags, ...commonFlags], new Map(), { env: input.env })
  return run({ ...values, positionals: [id], env: input.env })
}

/**
 * Removes the files of the current plan only: never runs, learnings, maxims, configuration, or a SHAPE.md that loop did
 * not write.
 */
function removeCurrent(tree: string): void {
  const dir = join(tree, '.loop')
  const shape = readPlain(join(dir, 'shape'), 'SHAPE.md')
  removeFiles(dir, ['state.json', 'workflow-state.json', 'PROGRESS.md'])
  if (typeof shape !== 'string' && shape.text.includes(shapeMark))
    removeFiles(join(dir, 'shape'), ['SHAPE.md'])
}

/** Facts from the tree and from the store, collected before the start. */
type PlanFacts = {
  /** The name of a new directory below .loop/runs. */
  run: string
  slug: string
  maxims: PlanSpec['maxims']
  recalled: PlanSpec['recalled']
  /** The number of loops that have completed in this tree. */
  completed: number
  given: PlanShape | null
  taskList: string | null
}

type Around = { facts: PlanFacts; system: System; parallel: number | null }

function planFrom(values: Values, loop: Spec, { facts, system, parallel }: Around): Result<GroupSpec> {
  const answers = answersFrom(values, system)
  if (!answers.ok) return answers
  const reviewers = reviewersFrom(values, loop, system)
  if (!reviewers.ok) return reviewers
  const rule = readWord(values, 'shape-rule', shapeRules)
  if (!rule.ok) return rule
  const light = readWord(values, 'review-light', ['on', 'off'] as const)
  if (!light.ok) return light
  const { prompt: text, cwd, budgetUsd, attended, notify, hooks, ...rest } = loop
  const assessed = assess(text, { completed: facts.completed, rule: rule.value })
  const isAsked = assessed.shape === 'blocked' && !values.given('force') && facts.given === null
  const canBeAsked = system.isAttended || (values.given('ask-later') && values.given('background'))
  if (isAsked && !canBeAsked) {
    const open = firstQuestions(text).filter(name => answers.value[name] === undefined)
    if (open.length > 0) return tooLittle(text, open)
  }
  return ok({
    program: 'plan',
    name: text,
    cwd,
    budgetUsd,
    parallel,
    plan: {
      text,
      slug: facts.slug,
      run: facts.run,
      loop: { ...rest, prompt: text, cwd, budgetUsd: null },
      ...assessed,
      completed: facts.completed,
      rule: rule.value,
      ...(facts.given && { given: facts.given }),
      maxims: facts.maxims,
      recalled: facts.recalled,
      answers: answers.value,
      ...(values.given('yes') && { yes: true }),
      ...(values.given('force') && { force: true }),
      reviewers: reviewers.value,
      reviewLight: light.value === 'on',
      counsel: true,
      taskList: facts.taskList,
    },
    ...(hooks && { hooks }),
    attended: attended === true,
    ...(notify && { notify }),
  })
}

function assess(text: string, known: { completed: number; rule: ShapeRule }) {
  const { score, fit, shape } = scoreSpec(text, known)
  return { score, fit, shape, workflow: workflowType(text), reversibility: reversibility(text) }
}

function tooLittle(text: string, open: readonly string[]): Result<never> {
  const { score, dimensions } = scoreSpec(text)
  const missing = dimensions
    .filter(({ dimension }) => open.includes(dimension))
    .map(({ dimension, reason, raise }) => `  ${dimension}: ${reason}${raise ? `; ${raise}` : ''}`)
  return invalid({ kind: 'says-too-little', score, missing })
}

const mostBytes = 100_000

/** The answers in a YAML file, by the id of the question. */
function answersFrom(values: Values, system: System): Result<Record<string, string>> {
  const file = values.value('answers')
  if (file === null) return ok({})
  const text = system.readText(resolve(system.cwd, file), mostBytes)
  if (text === null) return invalid({ kind: 'text-file-unusable', file, most: mostBytes, flag: '--answers' })
  const read = yamlIn(text)
  if (read === null || typeof read !== 'object' || Array.isArray(read))
    return invalid({ kind: 'answers-no-yaml', file })
  const entries = Object.entries(read)
  const odd = entries.find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))
  if (odd) return invalid({ kind: 'answer-no-text', file, question: odd[0] })
  return ok(Object.fromEntries(entries.map(([id, value]) => [id, wordFor(value)])))
}

/** YAML reads `yes` and `no` as booleans; here they are words. */
function wordFor(value: unknown): string {
  return value === true ? 'yes' : value === false ? 'no' : String(value)
}

function yamlIn(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return null
  }
}

function reviewersFrom(values: Values, loop: Spec, system: System): Result<AgentChoice[]> {
  const names = (values.value('reviewers') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names.length > 4) return invalid({ kind: 'too-many-reviewers' })
  return all(names.map(name => reviewer(name, loop, system)))
}

function reviewer(name: string, loop: Spec, system: System): Result<AgentChoice> {
  const agent = agentNames.find(known => known === name)
  if (!agent) {
    const near = nearest(name, agentNames)
    return invalid({ kind: 'unknown-reviewer', name, near })
  }
  const call = commandFor(agent, loop, system)
  return call.ok ? ok({ agent, agentCmd: call.value }) : call
}

function commandFor(agent: AgentName, loop: Spec, system: System): Result<string> {
  if (agent === loop.agent) return ok(loop.agentCmd)
  return system.agent(agent).find(undefined, loop.cwd)
}
