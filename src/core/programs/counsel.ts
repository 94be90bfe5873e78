/**
 * Counsel: a member that failed its verification rests with `advice-wanted`, a panel is asked for advice, and the
 * member continues with it. It works in every program: a plan uses it by itself, other loops with `--counsel`.
 */
import type { NodeOf } from '../../model/group/node.ts'
import { type GroupState, isKind, isSettled, type NodeState } from '../group/state.ts'
import type { Growth } from './program.ts'
import { answerTo, questionNode } from './question.ts'

/** Null if no member wants advice. */
export function counselFor(state: GroupState): Growth | null {
  for (const one of state.nodes) {
    if (!isKind(one, 'loop') || one.stage !== 'rested' || one.rested?.reason !== 'advice-wanted') continue
    const id = counselId(one)
    const asked = state.nodes.find(({ node }) => node.id === id)
    if (!asked) return { plan: [counselNode(one, id, state)] }
    if (isSettled(asked)) return { advise: one.node.id, by: id }
  }
  return null
}

function counselId({ node, advised }: NodeState): string {
  return `${node.id}/counsel-${advised + 1}`
}

function counselNode(
  one: NodeState & { node: NodeOf<'loop'> },
  id: string,
  state: GroupState,
): NodeOf<'loop'> {
  const { spec } = one.node
  const agent = state.spec.plan?.reviewers.find(({ agent: name }) => name !== spec.agent)
  const prompt = counselPrompt(spec.prompt)
  const node = questionNode(spec, { id, needs: [], schema: 'counsel', prompt, ...(agent && { agent }) })
  return { ...node, context: { failureOf: one.node.id } }
}

function counselPrompt(task: string): string {
  return [
    'An agent works on the task below, and what decides whether it is done has failed. Be a panel of two to four viewpoints that do not agree by habit: each says what it believes to be the cause, with its confidence; then say what all of you would do next. Do not do the work.',
    `## The task\n${task}`,
  ].join('\n\n')
}

/** The text for the member. It names the panel: two panels may say the same, and the member is told both times. */
export function adviceWords(state: GroupState, by: string): string {
  const answer = answerTo(state, by, 'counsel')
  if (!answer)
    return `Counsel (${by}) was asked about this failure and gave no usable answer: find the cause before you try again.`
  const views = answer.viewpoints.map(
    ({ name, diagnosis, confidence }) => `- ${name} (${confidence} %): ${diagnosis}`,
  )
  return [
    `Counsel (${by}) has looked at this failure:`,
    ...views,
    `Recommendation: ${answer.recommendation}`,
    `If still stuck: ${answer.ifStillStuck}`,
  ].join('\n')
}
