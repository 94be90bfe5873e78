/**
 * The thorough review before the gate, in rounds: independent reviewers, then a second look at every finding. Standing
 * blockers become tasks, and the plan goes back to work. Warnings are shown to a person, if somebody is there.
 */
import type { GroupNode } from '../../model/group/node.ts'
import { type Resolution, resolutions } from '../../model/group/words.ts'
import type { PlanTask, TaskDraft } from '../../model/plan.ts'
import { find, type GroupState, isSettled, isWell } from '../group/state.ts'
import type { Growth } from '../programs/program.ts'
import { answerTo, questionNode } from '../programs/question.ts'
import {
  type FindingEvidence,
  findingId,
  type JudgedFinding,
  judgeFindings,
  type ReviewReport,
} from './findings.ts'
import { askPeople, canAnswer } from './gates.ts'
import { wholeSpec } from './intent.ts'
import { reviewPrompt, verificationPrompt } from './prompts.ts'
import { planOf, said, shapeIn } from './read.ts'
import { taskName, taskNumber } from './waves.ts'

const viewpoints = [
  'correctness',
  'edge cases and security',
  'clarity and idiom',
  'what was asked for',
] as const
const fewestReviewers = 3
/** The most findings in one question to a verifier. */
const mostInOne = 12

type Reviewer = { id: string; viewpoint: string; maker: string; agent: number | null }

function reviewersOf(state: GroupState, round: number): Reviewer[] {
  const { reviewers, loop } = planOf(state)
  const count = Math.max(fewestReviewers, reviewers.length)
  return viewpoints.slice(0, count).map((viewpoint, i) => {
    const agent = reviewers.length === 0 ? null : i % reviewers.length
    const maker = agent === null ? loop.agent : (reviewers[agent]?.agent ?? loop.agent)
    return { id: `review/${round}/${i + 1}-${viewpoint.split(' ')[0]}`, viewpoint, maker, agent }
  })
}

/** Null once the round is complete; `standingIn` has the findings that stand. */
export function reviewAll(state: GroupState, round: number): Growth | null {
  return findAll(state, round) ?? verifyAllFindings(state, round) ?? acknowledge(state, round)
}

function findAll(state: GroupState, round: number): Growth | null {
  const { loop, reviewers } = planOf(state)
  const shape = shapeIn(state)
  if (!shape) throw new Error('Internal error: a review without the shape it is about')
  const asked = reviewersOf(state, round)
  const missing = asked.filter(({ id }) => !find(state, id))
  const discussed = round > 1 ? discussedIn(state, round - 1) : []
  if (missing.length > 0)
    return {
      plan: missing.map(({ id, viewpoint, agent }): GroupNode => {
        const prompt = reviewPrompt(wholeSpec(state), { shape, viewpoint, discussed })
        const chosen = agent === null ? undefined : reviewers[agent]
        const node = questionNode(loop, {
          id,
          needs: [],
          schema: 'review',
          prompt,
          ...(chosen && { agent: chosen }),
        })
        return { ...node, context: { changesSince: 'initial' } }
      }),
    }
  if (!asked.every(({ id }) => isSettledNode(state, id))) return { wait: true }
  const answered = asked.filter(({ id }) => answerTo(state, id, 'review') !== null)
  // The plan continues without a reviewer that cannot answer, but not without any.
  return answered.length > 0 ? null : { hold: 'no-answer', nodes: asked.map(({ id }) => id) }
}

function isSettledNode(state: GroupState, id: string): boolean {
  const one = find(state, id)
  return one !== undefined && isSettled(one)
}

function reportsOf(state: GroupState, round: number): ReviewReport[] {
  return reviewersOf(state, round).flatMap(({ id, maker }) => {
    const answer = answerTo(state, id, 'review')
    return answer ? { maker, findings: answer.findings } : []
  })
}

function verifyAllFindings(state: GroupState, round: number): Growth | null {
  const { loop, reviewers } = planOf(state)
  const findings = judgeFindings(reportsOf(state, round), new Map())
  const pieces = Array.from({ length: Math.ceil(findings.length / mostInOne) }, (_, i) =>
    findings.slice(i * mostInOne, (i + 1) * mostInOne),
  )
  const missing = pieces.flatMap((piece, i): GroupNode[] => {
    const id = `review/${round}/verify-${i + 1}`
    if (find(state, id)) return []
    const about = piece.map(one => one.id)
    // If there are several agents, another one than the first finder.
    const agent = reviewers.find(({ agent: name }) => name !== piece[0]?.makers[0]) ?? reviewers[0]
    const prompt = verificationPrompt(piece)
    return [
      questionNode(loop, { id, needs: [], schema: 'verification', prompt, about, ...(agent && { agent }) }),
    ]
  })
  if (missing.length > 0) return { plan: missing }
  for (const i of pieces.keys()) {
    const id = `review/${round}/verify-${i + 1}`
    const one = find(state, id)
    if (!one || !isSettled(one)) return { wait: true }
    if (!isWell(one)) return { hold: 'no-answer', nodes: [id] }
  }
  return null
}

function evidenceIn(state: GroupState, round: number): Map<string, FindingEvidence> {
  const verdicts = state.nodes.flatMap(({ node }) =>
    node.id.startsWith(`review/${round}/verify-`)
      ? (answerTo(state, node.id, 'verification')?.verdicts ?? [])
      : [],
  )
  return new Map(verdicts.map(({ id, stands }) => [id, { verified: stands, verdict: null }]))
}

/** Every finding of a round with its final severity, after the second look and the answer of a person. */
export function standingIn(state: GroupState, round: number): JudgedFinding[] {
  const judged = judgeFindings(reportsOf(state, round), evidenceIn(state, round))
  return judged.map(one => {
    const resolved = resolution(state, one.id, round)
    if (resolved === 'task') return { ...one, severity: 'BLOCKER' as const }
    // A person has seen the finding and accepts it.
    return resolved === 'approve' || resolved === 'skip' ? { ...one, severity: 'SUGGESTION' as const } : one
  })
}

/**
 * What a person made of a finding, as far as the round knows it. A round whose tasks are made stays what it was: the
 * same finding may be decided otherwise in a later one.
 */
export function resolution(state: GroupState, finding: string, round: number): Resolution | null {
  const answered = said(state, `finding/${finding}`)
  return toldOf(state, finding, round)?.how ?? resolutions.find(how => how === answered) ?? null
}

function toldOf(
  state: GroupState,
  finding: string,
  round: number,
): GroupState['findings'][number] | undefined {
  const until = closedAt(state, round)
  return state.findings.findLast(one => one.finding === finding && one.nodes <= until)
}

/** How many nodes there were when the first task that follows from a round was made. */
function closedAt({ nodes }: GroupState, round: number): number {
  const first = nodes.findIndex(({ node }) => node.id.startsWith(`review/${round}/`))
  const task = nodes.findIndex(({ node }, i) => i > first && taskNumber(node.id) !== null)
  return first < 0 || task < 0 ? Number.POSITIVE_INFINITY : task
}

const meanings: Record<Resolution, string> = {
  approve: 'it is known, and stays as it is',
  task: 'it is mended before the plan is done',
  discuss: 'say what you think of it, and the next review is told',
  skip: 'it is left aside',
}

/** If nobody is there, warnings go into the receipt as not acknowledged. */
function acknowledge(state: GroupState, round: number): Growth | null {
  const warnings = judgeFindings(reportsOf(state, round), evidenceIn(state, round)).filter(
    ({ severity, id }) =>
      severity === 'WARNING' &&
      !state.findings.some(({ finding }) => finding === id) &&
      (canAnswer(state, `finding/${id}`) || find(state, `finding/${id}`) !== undefined),
  )
  for (const { id, file, line, problem, fix } of warnings) {
    const lettered = resolutions.map((how, i) => `${String.fromCharCode(97 + i)}) ${how}: ${meanings[how]}`)
    const question = [`WARNING ${id} at ${file}:${line}: ${problem} Fix: ${fix}`, ...lettered].join('\n')
    const asked = askPeople(state, {
      id: `finding/${id}`,
      asks: 'finding',
      question,
      options: [...resolutions],
    })
    if (asked) return asked
  }
  return null
}

function discussedIn(state: GroupState, round: number): string[] {
  return standingIn(state, round).flatMap(({ id, problem }) => {
    const told = state.findings.findLast(one => one.finding === id)
    return told?.how === 'discuss' ? [`${problem} (${told.by}: ${told.text})`] : []
  })
}

/** The tasks that follow from the standing blockers of a round. */
export function remediation(state: GroupState, round: number, tasks: readonly PlanTask[]): TaskDraft[] {
  const verdicts = state.nodes.flatMap(({ node }) =>
    node.id.startsWith(`review/${round}/verify-`)
      ? (answerTo(state, node.id, 'verification')?.verdicts ?? [])
      : [],
  )
  const blockers = standingIn(state, round).filter(({ severity }) => severity === 'BLOCKER')
  return blockers.map((finding, i) => ({
    id: taskName(lastNumber(tasks) + i + 1),
    subject: `Fix ${finding.rule} in ${finding.file}`.slice(0, 120),
    activeForm: `Fixing ${finding.rule} in ${finding.file}`.slice(0, 120),
    source: `finding ${findingId(finding)} of review ${round}`,
    action: [
      `${finding.problem} At ${finding.file}:${finding.line}: ${finding.quote.trim()}. ${finding.fix}`,
      wordsOf(toldOf(state, finding.id, round)),
    ]
      .join('')
      .slice(0, 2_000),
    criteria: `the finding ${finding.id} is fixed`,
    verify: verdicts.find(({ id }) => id === finding.id)?.command ?? lineIsGone(finding),
    files: [finding.file],
    blockedBy: [],
    points: 1,
  }))
}

/** What a person has said of a finding, for whoever mends it. */
function wordsOf(told: GroupState['findings'][number] | undefined): string {
  return told && told.text !== '' ? ` A person says of it: ${told.text}` : ''
}

/** The criterion for a finding without a command: the quoted line is gone. */
function lineIsGone({ file, quote }: JudgedFinding): string {
  return `! grep -qF -- ${quoted(quote.trim().split('\n')[0] ?? '')} ${quoted(file)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function lastNumber(tasks: readonly PlanTask[]): number {
  return Math.max(0, ...tasks.map(({ id }) => taskNumber(id) ?? 0))
}

/** The ids of all findings of all rounds. */
export function findingsIn(state: GroupState): string[] {
  const found = state.nodes.flatMap(({ node }) =>
    /^review\/\d+\/\d+-/.test(node.id) ? (answerTo(state, node.id, 'review')?.findings ?? []) : [],
  )
  return [...new Set(found.map(findingId))]
}

/**
 * The warnings of all rounds that nobody has decided about. A round that does not name a warning again has not fixed
 * it; one that judges it anew replaces the earlier judgement.
 */
export function openWarningsIn(state: GroupState): JudgedFinding[] {
  const newest = new Map(
    reviewRounds(state).flatMap(round => standingIn(state, round).map(one => [one.id, one] as const)),
  )
  const isDecided = (id: string) =>
    state.findings.some(({ finding }) => finding === id) || said(state, `finding/${id}`) !== null
  return [...newest.values()].filter(({ id, severity }) => severity === 'WARNING' && !isDecided(id))
}

/** The rounds with at least one answer. */
export function reviewRounds(state: GroupState): number[] {
  const rounds = state.nodes.flatMap(({ node, end }) => {
    const [, round] = /^review\/(\d+)\/\d+-/.exec(node.id) ?? []
    return round !== undefined && end?.answer !== undefined ? [Number(round)] : []
  })
  return [...new Set(rounds)]
}
