/**
 * The questions to people while a plan runs, by its shape: none for `tool`; G1 and G3 for `tool-review`; G2 too for
 * `colleague`. Answers given beforehand (`--yes`, `--answers`) count without anybody being there. `--yes` never answers
 * Type 1 changes, findings or consent.
 */
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { Reversibility, Shape } from '../../model/loop/assessment.ts'
import { find, type GroupState, isKind, isSettled, type NodeState } from '../group/state.ts'
import type { Showing } from '../learn.ts'
import type { Growth } from '../programs/program.ts'
import { assumptionsIn, autonomyOf, isStillVague, scoreIn } from './intent.ts'
import { planOf, said, shapeIn } from './read.ts'

type Gate = NodeOf<'gate'>

const gatesOf = {
  tool: [],
  'tool-review': ['G1', 'G3'],
  colleague: ['G1', 'G2', 'G3'],
} as const satisfies Record<ReturnType<typeof autonomyOf>, readonly string[]>

export function wantsGate(state: GroupState, name: 'G1' | 'G2' | 'G3'): boolean {
  return (gatesOf[autonomyOf(state)] as readonly string[]).includes(name)
}

/** The wording of the specification. */
export const withoutConfirmation = 'proceed without confirmation'

/** Asks until there is an answer; then null. */
export function askPeople(state: GroupState, gate: Omit<Gate, 'kind' | 'needs' | 'choices'>): Growth | null {
  const one = find(state, gate.id)
  if (!one) {
    const node: GroupNode = { kind: 'gate', needs: [], choices: [], ...gate }
    return { plan: [node] }
  }
  return isSettled(one) ? null : { wait: true }
}

/** True if somebody is there or has answered beforehand. Without that, an optional question is not asked. */
export function canAnswer(state: GroupState, id: string): boolean {
  return state.spec.attended === true || givenFor(state, id) !== undefined
}

/**
 * By the id of the question, or by its last part. It is used once: a question that is put again, since its answer was
 * no or has left it open, is for a person, where one can be asked.
 */
function givenFor(state: GroupState, id: string): string | undefined {
  const { answers } = planOf(state)
  if ((find(state, id)?.reopened.length ?? 0) > 0) return undefined
  const short = id.split('/').at(-1) ?? id
  const isUsed = state.nodes.some(
    ({ node, end }) => node.id !== id && node.id.endsWith(`/${short}`) && end?.by === byFile,
  )
  const canAsk = state.spec.attended === true || state.background !== null
  return answers[id] ?? (isUsed && canAsk ? undefined : answers[short])
}

const byFile = '--answers'

/** The answer that was given beforehand; null if a person has to be asked. */
export function givenAnswer(one: NodeState, state: GroupState): { answer: string; by: string } | null {
  if (!isKind(one, 'gate')) return null
  const { yes } = planOf(state)
  const { id, asks, options } = one.node
  const given = givenFor(state, id)
  const meant = given === undefined ? null : meantBy(given, options ?? [])
  if (meant !== null) return asksForWords(meant, options ?? []) ? null : { answer: meant, by: byFile }
  if (asks !== 'gate') return null
  if (yes) return { answer: 'yes', by: '--yes' }
  const waved = state.nodes.some(({ end }) => end?.answer?.toLowerCase() === withoutConfirmation)
  return waved ? { answer: 'yes', by: withoutConfirmation } : null
}

/** The option that a letter stands for; any other text stands for itself. */
export function meantBy(text: string, options: readonly string[]): string {
  const typed = text.trim()
  const index = /^[a-z]$/i.test(typed) ? typed.toLowerCase().charCodeAt(0) - 97 : -1
  return options[index] ?? typed
}

/** Is this one of the options that only say what to answer with (core/plan/intent)? */
export function asksForWords(text: string, options: readonly string[]): boolean {
  return options.includes(text) && /\(answer with [^)]+\)$/.test(text)
}

export function isAgreed(answer: string | null): boolean {
  return answer !== null && /^(y|yes|ok|proceed without confirmation)$/i.test(answer.trim())
}

/**
 * The checklist before the work begins: the eight rows of the specification's first source, each with what was
 * found. A row without a finding is unclear, and one unclear row stops the start.
 */

/** Null if unknown or not done. */
export type StartFacts = {
  score: number | null
  fit: number | null
  shape: Shape | null
  reversibility: Reversibility | null
  criteria: readonly string[] | null
  tasks: readonly string[] | null
  /** The list that contains the tasks. */
  taskList: string | null
  /** The names of the criteria in `.loop/state.json`. */
  stateCriteria: readonly string[] | null
  announcement: string | null
}

/** The texts of the rows, without the parts in brackets. */
export const checklistRows = [
  'Score the spec',
  'Determine shape',
  'Classify reversibility',
  'Extract success criteria from spec',
  'Decompose into concrete steps',
  'Create task with state schema',
  'Write .loop/state.json with criteria array',
  'Announce',
] as const

export type ChecklistRow = { row: (typeof checklistRows)[number]; found: string | null }

export function startChecklist(facts: StartFacts): ChecklistRow[] {
  const found: Record<(typeof checklistRows)[number], string | null> = {
    'Score the spec': facts.score === null ? null : `${facts.score}/10`,
    // A blocked spec is asked about first; it has no shape to work in.
    'Determine shape':
      facts.shape === null || facts.shape === 'blocked'
        ? null
        : `${facts.shape}${facts.fit === null ? '' : `, fit ${facts.fit}`}`,
    'Classify reversibility': facts.reversibility && `Type ${facts.reversibility}`,
    'Extract success criteria from spec': listed(facts.criteria),
    'Decompose into concrete steps': counted(facts.tasks, 'step'),
    'Create task with state schema': facts.taskList && `list ${facts.taskList}`,
    'Write .loop/state.json with criteria array': isSame(facts.criteria, facts.stateCriteria)
      ? counted(facts.stateCriteria, 'criterion', 'criteria')
      : null,
    Announce: facts.announcement,
  }
  return checklistRows.map(row => ({ row, found: found[row] }))
}

export function unclearRows(rows: readonly ChecklistRow[]): string[] {
  return rows.filter(({ found }) => found === null).map(({ row }) => row)
}

function listed(names: readonly string[] | null): string | null {
  return names && names.length > 0 ? names.join(', ') : null
}

function counted(names: readonly string[] | null, one: string, many = `${one}s`): string | null {
  if (!names || names.length === 0) return null
  return `${names.length} ${names.length === 1 ? one : many}`
}

function isSame(some: readonly string[] | null, others: readonly string[] | null): boolean {
  return (
    some !== null &&
    others !== null &&
    some.length === others.length &&
    some.every(name => others.includes(name))
  )
}

/**
 * Whether everything is clear before the work begins: the facts of the checklist, and a gate if a row of the checklist
 * is not met. For a spec that is still vague after two rounds of questions, the gate shows the assumptions, and a
 * person decides whether to continue.
 */

type StartWork = { tasks: readonly string[]; announcement: string }

export function startFacts(state: GroupState, { tasks, announcement }: StartWork): StartFacts {
  const { reversibility, taskList } = planOf(state)
  const criteria = shapeIn(state)?.criteria.map(({ name }) => name) ?? null
  return {
    ...scoreIn(state),
    shape: isStillVague(state) ? 'blocked' : autonomyOf(state),
    reversibility,
    criteria,
    tasks,
    taskList: taskList ?? 'of this session only',
    // The criteria in the state file are written from these names.
    stateCriteria: criteria,
    announcement,
  }
}

/** Null once everything is clear, or a person has accepted the assumptions. */
export function askUnclear(state: GroupState, tasks: readonly string[]): Growth | null {
  const unclear = unclearRows(startChecklist(startFacts(state, { tasks, announcement: 'follows' })))
  if (unclear.length === 0) return null
  const question = [
    `Not clear before the start: ${unclear.join(', ')}. Two rounds of questions have left this open:`,
    ...assumptionsIn(state),
    'Continue with these assumptions?',
  ].join('\n')
  const asked = askPeople(state, { id: 'checklist', asks: 'gate', question })
  if (asked) return asked
  return isAgreed(said(state, 'checklist')) ? null : { end: 'failed', reason: 'rejected', why: 'checklist' }
}

/**
 * Learnings of earlier loops that fit this spec. If somebody is there, each is shown at the start, to confirm or
 * dismiss; otherwise all of them are used. The outcome of each showing is recorded.
 */

/** Null once it is decided and recorded which learnings are used. */
export function askRecall(state: GroupState): Growth | null {
  const { recalled } = planOf(state)
  if (recalled.length === 0) return null
  return confirm(state) ?? (state.kept.includes('showings') ? null : { keep: 'showings' })
}

function confirm(state: GroupState): Growth | null {
  const { recalled, yes } = planOf(state)
  if (yes || (!canAnswer(state, 'recall') && !find(state, 'recall'))) return null
  const lines = recalled.map(({ text }, i) => `${i + 1}. ${text}`)
  const words = ['From earlier work here:', ...lines, 'Use this? (yes, no, or the numbers to use)'].join('\n')
  return askPeople(state, { id: 'recall', asks: 'recall', question: words, free: true })
}

export function recalledIn(state: GroupState): { name: string; text: string }[] {
  return planOf(state).recalled.filter((_, i) => saidOf(state, i) !== 'dismissed')
}

/** The outcome of each learning that was shown in this plan. */
export function showingsIn(state: GroupState): Omit<Showing, 'loop'>[] {
  return planOf(state).recalled.map(({ name }, i) => ({ id: name, said: saidOf(state, i) }))
}

function saidOf(state: GroupState, index: number): Showing['said'] {
  const gate = find(state, 'recall')
  if (!gate || !isSettled(gate)) return 'used'
  const answer = said(state, 'recall')
  if (isAgreed(answer)) return 'confirmed'
  const numbers = (answer?.match(/\d+/g) ?? []).map(Number)
  return numbers.includes(index + 1) ? 'confirmed' : 'dismissed'
}
