/** The messages and questions between people and the agent of a loop. It records and never judges. */
import type { EventOf } from '../../../model/loop/event.ts'
import { type On, part, type RecordedOf } from './part.ts'

/** A message for the agent; a plain string comes from the user. */
export type InjectedText = string | { by: 'agent' | 'loop' | 'panel'; text: string }

export type HumanPart = {
  /** Criteria that a person has confirmed for the current tree, each with that person's name. */
  confirmed: Record<string, string>
  /** The question that is open now. */
  question: EventOf<'question.asked'>['data'] | null
  /** A person has said no since the agent's last run. */
  declined: boolean
  /** A person has said yes since the promise last ran: it runs once more. */
  finalDue: boolean
  /** The agent's reason for not being able to continue. */
  blocked: string | null
  /** The agent's question that nobody has answered yet. */
  asks: string | null
  /** Extra texts for the next prompt; each is used once. */
  injected: InjectedText[]
  /** The agent's claims about criteria since the last verification: shown beside them, without any effect. */
  reported: Record<string, EventOf<'criterion.reported'>['data']>
}

/** After more work: earlier answers were about an older tree. */
const unsaid = { confirmed: {}, question: null, declined: false, finalDue: false }

export const humanPart = part(
  (): HumanPart => ({ ...unsaid, blocked: null, asks: null, injected: [], reported: {} }),
  {
    'context.injected': ({ injected }, { data: { text, by } }) => ({
      injected: [...injected, by ? { by, text } : text],
    }),
    'criterion.reported': ({ reported }, { data }) => ({ reported: { ...reported, [data.criterion]: data } }),
    'question.asked': (_, { data }) => ({ question: data }),
    'question.answered': answered,
    // A text that arrived while the prompt was being written is kept for the next one.
    'run.started': ({ injected }, { data }) => ({
      ...unsaid,
      blocked: null,
      asks: null,
      injected: injected.slice(data.injected ?? 0),
    }),
    'run.ended': (_, { data }) => ({
      asks: data.question ?? null,
      blocked: blockedReason(data.said ?? data.out.tail),
    }),
    'loop.resumed': () => ({ blocked: null }),
    'run.lost': () => ({ asks: null }),
    // The session has already received these texts, or receives them with the answer to this claim.
    'session.claimed': (_, __, { work }) => (work.stage === 'saved' ? { ...unsaid, injected: [] } : null),
    'promise.verified': () => ({ reported: {}, finalDue: false }),
    'tree.restored': (_, __, { turn }) =>
      turn.outcome?.kind === 'completed' ? null : { confirmed: {}, question: null },
  } satisfies On<HumanPart>,
)

function answered(
  { injected, confirmed }: HumanPart,
  { data }: RecordedOf<'question.answered'>,
): Partial<HumanPart> {
  const { criterion, met, by, text } = data
  if (data.agent) {
    const told = `You asked: ${criterion}\n\n${by} answers: ${text}`
    return { question: null, asks: null, injected: [...injected, told] }
  }
  if (met) return { question: null, finalDue: true, confirmed: { ...confirmed, [criterion]: by } }
  const said = `${by} has looked at "${criterion}" and says that it is not so${text === '' ? '.' : `: ${text}`}`
  return { question: null, declined: true, injected: [...injected, said] }
}

const longestReason = 500

/**
 * The reason in `BLOCKED: reason`, the last line of an agent that cannot continue. It pauses the loop, which is better
 * than a promise that passes by a trick. It never completes anything.
 */
export function blockedReason(said: string): string | null {
  const last = said.trimEnd().split('\n').at(-1) ?? ''
  const [, reason = ''] = /^[\s*_>`-]*BLOCKED:[*_]*\s+(.+?)[\s*_`]*$/.exec(last) ?? []
  return reason === '' ? null : reason.slice(0, longestReason)
}
