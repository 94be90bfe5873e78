/**
 * Decides whether a loop of a workflow runs, once all its needs have ended. Without a condition, all of them must
 * have completed; a condition about the ending of some replaces that rule for those. A missing output is an error,
 * never empty. Parsing: options/workflow/when.
 */
import type { endings, When } from '../../model/group/workflow.ts'

type Ending = (typeof endings)[number]

type Facts = { ending(loop: string): Ending; output(loop: string, field: string): string | null }

type Judged =
  | { is: 'run' }
  /** `because`: a need that has not completed; null: the condition does not hold. */
  | { is: 'skip'; because: { loop: string; ending: Ending } | null }
  | { is: 'missing'; loop: string; field: string }

export function judgeWhen(loop: { needs: readonly string[]; when: When | null }, facts: Facts): Judged {
  const asked = new Set(loop.when ? askedOf(loop.when) : [])
  for (const need of loop.needs) {
    const ending = facts.ending(need)
    if (!asked.has(need) && ending !== 'completed') return { is: 'skip', because: { loop: need, ending } }
  }
  const holds = loop.when ? evaluate(loop.when, facts) : true
  if (typeof holds !== 'boolean') return { is: 'missing', ...holds }
  return holds ? { is: 'run' } : { is: 'skip', because: null }
}

/** The loops whose endings the condition asks about. */
function askedOf(when: When): string[] {
  if (when.op === 'ended') return [when.loop]
  if (when.op === 'not') return askedOf(when.term)
  return when.op === 'output' ? [] : when.terms.flatMap(askedOf)
}

/** From left to right, stopping as soon as the result is known. */
function evaluate(when: When, facts: Facts): boolean | { loop: string; field: string } {
  switch (when.op) {
    case 'ended':
      return facts.ending(when.loop) === when.how
    case 'output': {
      const { loop, field } = when
      const value = facts.output(loop, field)
      return value === null ? { loop, field } : (value === when.value) === (when.is === 'equal')
    }
    case 'not': {
      const holds = evaluate(when.term, facts)
      return typeof holds === 'boolean' ? !holds : holds
    }
    case 'and':
    case 'or': {
      const isAnd = when.op === 'and'
      for (const term of when.terms) {
        const holds = evaluate(term, facts)
        if (holds !== isAnd) return holds
      }
      return isAnd
    }
    default:
      return when satisfies never
  }
}
