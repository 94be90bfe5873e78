/**
 * A question to a model, as a node: a loop whose criterion is an answer. It reads a copy of the sources that is
 * discarded; it takes no checkpoint, has no baseline and is not stuck by changing nothing. The answer is in its
 * node's end, as JSON.
 */
import { type AnswerName, mostAnswerTries } from '../../model/answer/name.ts'
import type { AnswerOf } from '../../model/answer/schemas.ts'
import type { NodeOf } from '../../model/group/node.ts'
import { perBreaker } from '../../model/loop/breakers.ts'
import type { AgentChoice, Spec } from '../../model/loop/spec.ts'
import { readAnswer } from '../answer/read.ts'
import { find, type GroupState, isWell } from '../group/state.ts'

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
