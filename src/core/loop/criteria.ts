/**
 * Which criteria are met, and how that is known. Strict: a criterion with a command is met only by loop's own
 * PASS of that very command; one without only by a human, who is named; an assumption never.
 * What was asked for is the spec's; a result that is missing or has another command counts as not met.
 */
import type { CriterionResult, Verdict } from '../../model/loop/event.ts'
import type { Criterion, Verification } from '../../model/loop/spec.ts'
import type { State } from './state.ts'

export type Standing = {
  name: string
  command: string | null
  verification: Verification
  met: boolean
  /** Null while it has not been run, and where there is no command. */
  verdict: Verdict | null
  why: string
  result: CriterionResult | null
}

export function verificationOf(criterion: Criterion): Verification {
  return criterion.verification ?? (criterion.command === null ? 'observation' : 'execution output')
}

/** Every criterion of the spec, in its order. */
export function standings(state: State): Standing[] {
  return state.spec.criteria.map(criterion => ({
    name: criterion.name,
    command: criterion.command,
    verification: verificationOf(criterion),
    ...(criterion.command === null ? confirmation(state, criterion) : judgement(state, criterion)),
  }))
}

type Judged = Pick<Standing, 'met' | 'verdict' | 'why' | 'result'>

function judgement({ judged }: State, { name, command }: Criterion): Judged {
  const result = judged.results.find(found => found.name === name && found.command === command)
  if (!result) return { met: false, verdict: null, why: 'not run yet', result: null }
  return { met: result.verdict === 'PASS', verdict: result.verdict, why: result.why, result }
}

function confirmation({ human: { confirmed } }: State, criterion: Criterion): Judged {
  const nothing = { verdict: null, result: null }
  if (verificationOf(criterion) === 'assumption') {
    return { met: false, why: 'an assumption: it can never be met', ...nothing }
  }
  const by = Object.hasOwn(confirmed, criterion.name) ? confirmed[criterion.name] : undefined
  if (by !== undefined) return { met: true, why: `confirmed by ${by}`, ...nothing }
  return { met: false, why: 'a human has to say', ...nothing }
}

/** Every criterion that has a command has passed, and nothing else was run. */
export function commandsPass(state: State): boolean {
  const judged = standings(state).filter(({ command }) => command !== null)
  return judged.length > 0 && judged.every(({ met }) => met) && state.judged.results.length === judged.length
}

/** The first criterion that waits for the word of a human, but for the one given. */
export function openQuestion(state: State, but: string | null = null): string | null {
  const open = standings(state).find(
    ({ name, command, met, verification }) =>
      command === null && !met && verification !== 'assumption' && name !== but,
  )
  return open?.name ?? null
}

/**
 * By whoever sits at its terminal; or by and by, while loopd keeps it: then it goes on by itself. A member of a group
 * rests, so that its group sees it and says so.
 */
export function canBeAsked({ spec, turn }: State): boolean {
  return spec.attended === true || (turn.background !== null && spec.group === undefined)
}

export function hasAssumption(state: State): boolean {
  return state.spec.criteria.some(criterion => verificationOf(criterion) === 'assumption')
}

/** What is not met, in the order of the spec: the first is the step at hand. */
export function unmetNames(state: State): string[] {
  return standings(state)
    .filter(({ met }) => !met)
    .map(({ name }) => name)
}
