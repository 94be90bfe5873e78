/**
 * Which criteria are met, and how that is known. The rules are strict: a criterion with a command is met only
 * by loop's own PASS of exactly that command; one that wants an answer only by an answer that loop has judged;
 * any other only by a person, who is named; an assumption never. The spec defines the criteria: a missing
 * result, or one of another command, counts as not met.
 */
import type { CriterionResult, Verdict } from '../../model/loop/event.ts'
import type { Criterion, Verification } from '../../model/loop/spec.ts'
import type { State } from './state.ts'

export type CriterionState = {
  name: string
  command: string | null
  verification: Verification
  met: boolean
  /** Null before the first run, and for a criterion without a command. */
  verdict: Verdict | null
  why: string
  result: CriterionResult | null
}

export function verificationOf({ verification, command, answer }: Criterion): Verification {
  if (verification) return verification
  if (answer) return 'reasoned inference'
  return command === null ? 'observation' : 'execution output'
}

/**
 * The thing that decides the criterion: its command, or the answer that it wants; null if only a person can
 * decide.
 */
export function judgedBy({ command, answer }: Criterion): string | null {
  return command ?? (answer ? `answer: ${answer.schema}` : null)
}

/** Every criterion of the spec, in its order. */
export function criterionStates(state: State): CriterionState[] {
  return state.spec.criteria.map(criterion => ({
    name: criterion.name,
    command: judgedBy(criterion),
    verification: verificationOf(criterion),
    ...(judgedBy(criterion) === null ? confirmation(state, criterion) : judgement(state, criterion)),
  }))
}

type CriterionVerdict = Pick<CriterionState, 'met' | 'verdict' | 'why' | 'result'>

function judgement({ judged }: State, criterion: Criterion): CriterionVerdict {
  const { name } = criterion
  const command = judgedBy(criterion)
  const result = judged.results.find(found => found.name === name && found.command === command)
  if (!result) return { met: false, verdict: null, why: 'not run yet', result: null }
  return { met: result.verdict === 'PASS', verdict: result.verdict, why: result.why, result }
}

function confirmation({ human: { confirmed } }: State, criterion: Criterion): CriterionVerdict {
  const nothing = { verdict: null, result: null }
  if (verificationOf(criterion) === 'assumption') {
    return { met: false, why: 'an assumption: it can never be met', ...nothing }
  }
  const by = Object.hasOwn(confirmed, criterion.name) ? confirmed[criterion.name] : undefined
  if (by !== undefined) return { met: true, why: `confirmed by ${by}`, ...nothing }
  return { met: false, why: 'a human has to say', ...nothing }
}

/** Tells whether every criterion with a command has passed, and no other command was run. */
export function commandsPass(state: State): boolean {
  const judged = criterionStates(state).filter(({ command }) => command !== null)
  return judged.length > 0 && judged.every(({ met }) => met) && state.judged.results.length === judged.length
}

/** The first criterion that waits for a person's word, other than the given one. */
export function openQuestion(state: State, but: string | null = null): string | null {
  const open = criterionStates(state).find(
    ({ name, command, met, verification }) =>
      command === null && !met && verification !== 'assumption' && name !== but,
  )
  return open?.name ?? null
}

/**
 * Tells whether a person can be asked: at the terminal, or at any later time while loopd keeps the loop and
 * continues it by itself. A member of a group rests instead, so that the group reports the question.
 */
export function canBeAsked({ spec, turn }: State): boolean {
  return spec.attended === true || (turn.background !== null && spec.group === undefined)
}

export function hasAssumption(state: State): boolean {
  return state.spec.criteria.some(criterion => verificationOf(criterion) === 'assumption')
}

/** Tells whether something that must not be was found in the newest run of the promise. */
export function isForbidden({ judged }: State): boolean {
  return judged.mustNot.some(({ verdict }) => verdict === 'PASS')
}

/** The unmet criteria in the order of the spec; the first one is the current step. */
export function unmetNames(state: State): string[] {
  return criterionStates(state)
    .filter(({ met }) => !met)
    .map(({ name }) => name)
}
