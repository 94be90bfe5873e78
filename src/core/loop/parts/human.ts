/** What evolve records of what people and the agent of a loop tell each other. */
import type { EventOf, Recorded } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'

type Talk = Extract<
  Recorded,
  { kind: 'context.injected' | 'criterion.reported' | 'question.asked' | 'question.answered' }
>

const talk = ['context.injected', 'criterion.reported', 'question.asked', 'question.answered']

export function isTalk(event: Recorded): event is Talk {
  return talk.includes(event.kind)
}

export function talked(state: State, event: Talk): Partial<State> {
  switch (event.kind) {
    case 'context.injected':
      return { injected: [...state.injected, event.data.text] }
    case 'criterion.reported':
      return { reported: { ...state.reported, [event.data.criterion]: event.data } }
    case 'question.asked':
      return { question: event.data }
    case 'question.answered':
      return answered(state, event.data)
    default:
      return event satisfies never
  }
}

function answered(state: State, data: EventOf<'question.answered'>['data']): Partial<State> {
  const { criterion, met, by, text } = data
  // Who answers may have worked in the tree while they were asked.
  const handled = { question: null, reference: null, left: null }
  if (data.agent) {
    const told = `You asked: ${criterion}\n\n${by} answers: ${text}`
    return { ...handled, asks: null, injected: [...state.injected, told] }
  }
  if (met) return { ...handled, finalDue: true, confirmed: { ...state.confirmed, [criterion]: by } }
  const said = `${by} has looked at "${criterion}" and says that it is not so${text === '' ? '.' : `: ${text}`}`
  return { ...handled, declined: true, injected: [...state.injected, said] }
}
