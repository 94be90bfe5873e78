/**
 * The attempts of a group side by side: what each came to, every compared value, the answers of a judge, and the choice
 * among them.
 */

import { readAnswer } from '../../model/answer.ts'
import type { AnswerOf } from '../../model/answer-schemas.ts'
import type { Ranked } from '../../model/group/event.ts'
import { find, type GroupState, isKind, isWell, type NodeState } from './state.ts'

export function comparison(state: GroupState) {
  const chosen = state.nodes.findLast(one => isKind(one, 'choose') && one.end?.choice)?.end?.choice ?? null
  const attempts = state.nodes.flatMap(({ node, member, stage, end, copy }) => {
    if (node.kind !== 'loop' || node.reads) return []
    const ranked = chosen?.order.find(one => one.node === node.id)
    return [
      {
        node: node.id,
        member,
        stage,
        copy: copy?.path ?? null,
        approach: node.approach ?? null,
        ...end,
        values: valuesOf(state, node.id, ranked),
      },
    ]
  })
  const { id, inTree } = state
  const { winner = null, by = null } = chosen ?? {}
  return { id, chosen, winner, by, inTree, attempts, judged: judgementsIn(state) }
}

type Measured = { value: number | null; command: string | null }

/** Also before anything was chosen. */
function valuesOf({ nodes }: GroupState, id: string, ranked: Ranked | undefined): Record<string, Measured> {
  const values: Record<string, Measured> = {}
  for (const [name, value] of Object.entries(ranked?.values ?? {})) values[name] = { value, command: null }
  for (const one of nodes) {
    if (!isKind(one, 'command') || one.node.of !== id || !one.node.measure) continue
    const { name } = one.node.measure
    values[name] = { value: values[name]?.value ?? one.end?.value ?? null, command: one.node.command }
  }
  return values
}

/**
 * The answers of a judge about results that are equal by every measure. The judge compared each pair twice,
 * once in each order, without names. Only if both answers prefer the same result does the judgement count;
 * otherwise the pair is a tie.
 */

/** The id of the question that shows `a` as A and `b` as B. */
function judgeId(a: string, b: string): string {
  return `judge/${a}/${b}`
}

/** The ids of both questions about a pair. */
export function judgeIds(one: string, other: string): [string, string] {
  return [judgeId(one, other), judgeId(other, one)]
}

export type JudgedPair = { a: string; b: string; answer: AnswerOf<'judge'> | null }

/** All questions that were asked, each with its answer; null if there is none. */
export function judgementsIn({ nodes }: GroupState): JudgedPair[] {
  return nodes.flatMap(one => {
    const [a, b] = (isKind(one, 'loop') && one.node.context?.results) || []
    return a === undefined || b === undefined ? [] : [{ a, b, answer: answerOf(one) }]
  })
}

function answerOf(one: NodeState): AnswerOf<'judge'> | null {
  const json = isWell(one) ? one.end?.answer : undefined
  return json === undefined ? null : readAnswer('judge', json)
}

/** The result that an answer prefers; null for neither, and for no answer. */
function preferredIn(state: GroupState, a: string, b: string): string | null {
  const node = find(state, judgeId(a, b))
  const answer = node ? answerOf(node) : null
  return answer === null || answer.better === 'tie' ? null : answer.better === 'A' ? a : b
}

/** The result that both answers prefer; null for a tie. */
export function preferredOf(state: GroupState, one: string, other: string): string | null {
  const [first, second] = [preferredIn(state, one, other), preferredIn(state, other, one)]
  return first === second ? first : null
}

/** The number of answers that prefer a result; null if no question was about it. */
export function preferences(state: GroupState, id: string, others: readonly string[]): number | null {
  const asked = others.filter(other => judgeIds(id, other).some(question => find(state, question)))
  if (asked.length === 0) return null
  const answers = asked.flatMap(other => [preferredIn(state, id, other), preferredIn(state, other, id)])
  return answers.filter(preferred => preferred === id).length
}

/**
 * The best of equal results: each is compared with the best so far, which stays unless both answers prefer the
 * other.
 */
export function bestOfEquals(state: GroupState, equals: readonly string[]): string | undefined {
  return equals.reduce<string | undefined>(
    (best, next) => (best === undefined ? next : (preferredOf(state, best, next) ?? best)),
    undefined,
  )
}
