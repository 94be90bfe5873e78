/**
 * The files of a plan in the work tree beside the state files: SHAPE.md, the stage, and the pages of its run. Each
 * is a projection that is rewritten as the plan proceeds, in a directory of this plan alone.
 */
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureLoopDirectory, makeDirectories, replaceFile } from '../../adapters/tree-file.ts'
import type { GroupState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { lessonsIn, outlineOf, type PlanOutline, peopleSaid } from '../../core/plan/outline.ts'
import { planOf } from '../../core/plan/read.ts'
import { documentsFor } from '../../core/plan/waves.ts'
import { planStateJson, workflowStateJson } from '../../documents/state-files.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { redactText } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { type ContextIntervention, contextPage } from '../../views/plan/context.ts'
import { documentPage, metaPage, planProgressPage, shapePage } from '../../views/plan/documents.ts'
import { reasonWords } from '../../views/words/message.ts'

type Around = {
  now: number
  /** Actions of people besides answers: see interventions. */
  interventions: ContextIntervention[]
}

/** The files of a plan by their path below `.loop`. */
export function planFiles(state: GroupState, { now, interventions }: Around): Record<string, string> {
  const { plan } = state.spec
  if (!plan) return {}
  const outline = outlineOf(state)
  const { shape } = outline
  const files = {
    'state.json': planStateJson(state, outline),
    'workflow-state.json': workflowStateJson(state, outline),
    'PROGRESS.md': progressOf(state, outline, now),
    ...(shape && !plan.given && { [join('shape', 'SHAPE.md')]: shapePage(shape, state.id) }),
    ...runPages(state, outline, interventions),
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, redactText(text, [])]))
}

function progressOf(state: GroupState, outline: PlanOutline, now: number): string {
  const summary = summarizeGroup(state)
  const rests = summary.status === 'running' ? null : reasonWords(summary, now) || summary.status
  const tasks = outline.tasks.map(({ member, ...task }) => ({ ...task, owner: member }))
  return planProgressPage({
    goal: outline.shape?.goal ?? state.spec.name,
    rests,
    wave: outline.wave,
    iteration: outline.iterations,
    costUsd: summary.costUsd,
    costEstimated: summary.costEstimated,
    budgetUsd: summary.budgetUsd,
    tasks,
    stuckCount: outline.stuckCount,
    counsel: outline.counsel,
  })
}

function runPages(
  state: GroupState,
  { shape, tasks }: PlanOutline,
  done: ContextIntervention[],
): Record<string, string> {
  const plan = planOf(state)
  const dir = join('runs', plan.run)
  const created = new Date(state.createdAt).toISOString().slice(0, 10)
  const meta = {
    slug: plan.slug,
    goal: shape?.goal ?? plan.text,
    pipeline: shape?.phases ?? 'tasks',
    created,
    loop: state.id,
    ...(plan.taskList !== null && { taskList: plan.taskList }),
  }
  if (!shape) return { [join(dir, '_meta.md')]: metaPage(meta) }
  const wanted = documentsFor(shape.phases, tasks.length)
  const documents = wanted.map(
    name => [name, documentPage(name, shape, shape.documents[name] ?? shape.goal)] as const,
  )
  const context = contextPage({
    turns: peopleSaid(state).map(({ asked, answer }) => ({ attempt: asked, feedback: answer })),
    goal: shape.goal,
    scope: shape.scope,
    constraints: shape.constraints,
    assumptions: shape.assumptions,
    documents: Object.fromEntries(wanted.map(name => [name, `.loop/runs/${plan.run}/${name}.md`])),
    deviations: lessonsIn(state),
    interventions: [...answered(state), ...done].toSorted((a, b) => a.at.localeCompare(b.at)),
  })
  return {
    [join(dir, '_meta.md')]: metaPage(meta),
    [join(dir, '_context.md')]: context,
    ...Object.fromEntries(documents.map(([name, text]) => [join(dir, `${name}.md`), text])),
  }
}

function answered(state: GroupState): ContextIntervention[] {
  const time = (at: number) => new Date(at).toISOString()
  const answers = peopleSaid(state)
    .filter(({ by }) => by !== '--yes' && by !== '--answers')
    .map(({ at, answer, by, asked }) => ({
      at: time(at),
      what: `${by} answered`,
      text: `${asked.split('\n')[0]} ${answer}`,
    }))
  const findings = state.findings.map(({ at, finding, how, by, text }) => ({
    at: time(at),
    what: `${by} on ${finding}`,
    text: `${how} ${text}`.trim(),
  }))
  return [...answers, ...findings]
}

/** Does not write through a link that an agent planted in place of a directory. */
export function writePlanFiles(
  tree: string,
  files: Record<string, string>,
  written: Map<string, string>,
): void {
  const root = join(tree, '.loop')
  if (!ensureLoopDirectory(root)) throw new Error(`${root} is not a directory`)
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path)
    if (written.get(file) === text && lstatSync(file, { throwIfNoEntry: false })) continue
    const dir = makeDirectories(root, dirname(path))
    replaceFile(dir, path.split('/').at(-1) ?? path, text)
    written.set(file, text)
  }
}

type Done = { at: number; what: string; text: string }

/**
 * What people did to a plan while it ran, besides answering its questions: injections, answers, rollbacks and
 * checkpoints by hand, to the plan and to its tasks. Read from the journals, with the time of each.
 */
export function interventionsIn(
  { journals }: Pick<Store, 'journals'>,
  { id: group, nodes }: GroupState,
): ContextIntervention[] {
  const tasks = nodes.flatMap(({ node, member }) =>
    node.kind === 'loop' && !node.reads && member !== null ? [member] : [],
  )
  const done = [group, ...tasks].flatMap(id => {
    const events = journals.read(id)
    return events.ok ? events.value.flatMap(event => byPeople(event)) : []
  })
  return done
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, what, text }) => ({ at: new Date(at).toISOString(), what, text }))
}

/** For both kinds of journals: the names of their events do not collide. */
function byPeople(recorded: Recorded | GroupRecorded): Done[] {
  const event = recorded as Recorded
  const { at, loop } = event
  switch (event.kind) {
    case 'context.injected':
      return event.data.by === undefined ? [{ at, what: `injected into ${loop}`, text: event.data.text }] : []
    case 'question.answered':
      return [{ at, what: `${event.data.by} answered ${loop}`, text: event.data.criterion }]
    case 'rollback.requested':
      return [{ at, what: `rolled ${loop} back`, text: `to ${event.data.to}` }]
    case 'checkpoint.requested':
      return [{ at, what: `checkpoint of ${loop}`, text: event.data.name }]
    default:
      return []
  }
}
