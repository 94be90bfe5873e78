/**
 * A question to a model, as a node: a loop whose criterion is an answer. It reads a copy of the sources that is
 * discarded; it takes no checkpoint, has no baseline and is not stuck by changing nothing. The answer is in its
 * node's end, as JSON. Counsel is the question that every program can ask.
 */
import { type AnswerName, mostAnswerTries, readAnswer } from '../../model/answer.ts'
import type { AnswerOf } from '../../model/answer-schemas.ts'
import type { NodeOf } from '../../model/group/node.ts'
import { perBreaker } from '../../model/loop/breakers.ts'
import type { AgentChoice, Spec } from '../../model/loop/spec.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../group/state.ts'
import type { Growth } from './program.ts'

type Question = {
  id: string
  needs: string[]
  schema: AnswerName
  prompt: string
  /** The things that the answer has to cover, each once. */
  about?: string[]
  /** The tree that it reads: as the group found it, or as it is at that time. */
  base?: 'initial' | 'now'
  /** The agent to ask, if it is not the loop's. */
  agent?: AgentChoice
}

/** `loop`: the group's spec for loops, from which a question takes its agent, timeout and environment. */
export function questionNode(loop: Spec, asked: Question): NodeOf<'loop'> {
  const { id, needs, base = 'now' } = asked
  return { kind: 'loop', id, needs, spec: questionSpec(loop, asked), place: 'copy', base, reads: true }
}

function questionSpec(loop: Spec, { schema, prompt, about, agent }: Question): Spec {
  const { timeoutMs, verifyTimeoutMs, graceMs, backoffMs, maxOutputBytes, cwd } = loop
  const { env, passEnv, sandbox, idleTimeoutMs, maxWaitMs, limitBackoffMs } = loop
  return {
    ...(agent ?? agentOf(loop)),
    prompt,
    criteria: [
      {
        name: schema,
        command: null,
        verification: 'reasoned inference',
        answer: { schema, ...(about && about.length > 0 && { about }) },
      },
    ],
    cwd,
    timeoutMs,
    verifyTimeoutMs,
    graceMs,
    backoffMs,
    maxOutputBytes,
    ...(env && { env }),
    ...(sandbox && { sandbox }),
    ...(passEnv && { passEnv }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(limitBackoffMs !== undefined && { limitBackoffMs }),
    checkpoint: 'none',
    baseline: false,
    maxIterations: mostAnswerTries,
    budgetUsd: null,
    breakers: perBreaker(row => (row.countsFaults ? row.default : null)),
  }
}

/** The agent's fields of a spec. */
function agentOf(loop: Spec): AgentChoice {
  const { agent, agentCmd, agentNotes, model, contextMode, fallbacks, price } = loop
  return {
    agent,
    agentCmd,
    ...(agentNotes && { agentNotes }),
    ...(model !== undefined && { model }),
    ...(contextMode && { contextMode }),
    ...(fallbacks && { fallbacks }),
    ...(price && { price }),
  }
}

/** The answer to the question of this name; null before it, or if there is none. */
export function answerTo<N extends AnswerName>(state: GroupState, id: string, schema: N): AnswerOf<N> | null {
  const one = find(state, id)
  const json = one && isWell(one) ? one.end?.answer : undefined
  return json === undefined ? null : readAnswer(schema, json)
}

/**
 * Counsel: a member that failed its verification rests with `advice-wanted`, a panel is asked for advice, and the
 * member continues with it. It works in every program: a plan uses it by itself, other loops with `--counsel`.
 */

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
