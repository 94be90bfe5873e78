/** What people and the agent of a loop tell each other, and ask. Records and never judges. */
import type { EventOf } from '../../../model/loop/event.ts'
import { type On, part, type RecordedOf } from './part.ts'
import { isAboutAnotherTree, purposeOf } from './tree.ts'

/** A text for the agent: its user's, unless it says otherwise. */
export type InjectedText = string | { by: 'agent'; text: string }

export type HumanPart = {
  /** Criteria that a human has said are met in the tree as it is → by whom. */
  confirmed: Record<string, string>
  /** What a human is asked just now. */
  question: EventOf<'question.asked'>['data'] | null
  /** A human has said no since the last run of the agent. */
  declined: boolean
  /** A human has said yes, or changed the tree, since the promise was last run: it is run once more. */
  finalDue: boolean
  /** What the agent asks, and nobody has answered yet. */
  asks: string | null
  /** What the next prompt has to say besides; each text once. */
  injected: InjectedText[]
  /** What an agent says about criteria, since loop looked last: shown beside them, and deciding nothing. */
  reported: Record<string, EventOf<'criterion.reported'>['data']>
}

/** After more work: what a human said was said of the tree as it was. */
const unsaid = { confirmed: {}, question: null, declined: false, finalDue: false }

export const humanPart = part((): HumanPart => ({ ...unsaid, asks: null, injected: [], reported: {} }), {
  'context.injected': ({ injected }, { data: { text, by } }) => ({
    injected: [...injected, by ? { by, text } : text],
  }),
  'criterion.reported': ({ reported }, { data }) => ({ reported: { ...reported, [data.criterion]: data } }),
  'question.asked': (_, { data }) => ({ question: data }),
  'question.answered': answered,
  // A text that came while the prompt was being written waits for the next.
  'run.started': ({ injected }, { data }) => ({
    ...unsaid,
    asks: null,
    injected: injected.slice(data.injected ?? 0),
  }),
  'run.ended': (_, { data }) => ({ asks: data.question ?? null }),
  'run.lost': () => ({ asks: null }),
  // What the session was to be told, it has been told, or is with the answer to this claim.
  'session.claimed': (_, __, { work }) => (work.stage === 'saved' ? { ...unsaid, injected: [] } : null),
  'promise.verified': () => ({ reported: {}, finalDue: false }),
  'checkpoint.taken': (_, { data }, before) =>
    before.work.stage === 'boundary' &&
    purposeOf(before, data.name) === 'reference' &&
    isAboutAnotherTree(before, data.tree)
      ? { finalDue: true }
      : null,
  'tree.restored': (_, __, { turn }) =>
    turn.outcome?.kind === 'completed' ? null : { confirmed: {}, question: null },
} satisfies On<HumanPart>)

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
