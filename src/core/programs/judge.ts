/**
 * The questions to a judge about equal results (`--best-of-judge`): two per pair, in both orders, about the changes
 * alone. They contain no name, approach or cost of an attempt. Pairs are asked one after the other: the best so far
 * against the next.
 */

import type { NodeOf } from '../../model/group/node.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { judgeIds, preferredOf } from '../group/judge.ts'
import { find, type GroupState, isSettled } from '../group/state.ts'
import type { Growth } from './program.ts'
import { questionNode } from './question.ts'

/** Null once nothing is left to ask. */
export function judging(state: GroupState, loop: Spec, equals: readonly string[]): Growth | null {
  const [first, ...others] = equals
  if (first === undefined) return null
  let best = first
  for (const next of others) {
    const growth = pairOf(state, loop, [best, next])
    if (growth) return growth
    best = preferredOf(state, best, next) ?? best
  }
  return null
}

function pairOf(state: GroupState, loop: Spec, [one, other]: [string, string]): Growth | null {
  const [first, second] = judgeIds(one, other)
  const asked = [first, second].map(id => find(state, id))
  if (asked.includes(undefined))
    return { plan: [question(loop, first, [one, other]), question(loop, second, [other, one])] }
  // A judge that cannot answer says nothing: nobody waits for it.
  const resting = asked.find(node => node?.stage === 'rested' && node.dropped === null)
  if (resting) return { drop: resting.node.id, because: { kind: 'judge-rests' } }
  return asked.every(node => node && isSettled(node)) ? null : { wait: true }
}

function question(loop: Spec, id: string, [a, b]: [string, string]): NodeOf<'loop'> {
  const commands = loop.criteria.flatMap(({ command }) => (command === null ? [] : `    ${command}`))
  const prompt = [
    'Two changes to the code in this directory, A and B, were made for the same task by two who did not know of each other. They are below. Say which is better.',
    `## The task\n\n${loop.prompt}`,
    `## What both pass\n\n${commands.join('\n')}`,
    '## How to judge',
    'Better is the change that is right where the commands above do not look, that is simpler, and that fits the code around it. Which of the two comes first means nothing. Read files of this directory where that helps; change none. Answer tie unless one of them is clearly better.',
  ].join('\n\n')
  const node = questionNode(loop, { id, needs: [a, b], schema: 'judge', prompt, base: 'initial' })
  return { ...node, context: { results: [a, b] } }
}
