/** Why an attempt was chosen, in words, with every value that was compared. */
import type { Chosen } from '../../../model/group/event.ts'

const words: Record<string, string> = {
  promise: 'it passed',
  doubts: 'fewer doubts',
  metric: 'the metric',
  lint: 'fewer lint problems',
  types: 'fewer type errors',
  coverage: 'more coverage',
  votes: 'the tests of the others',
  lines: 'the smaller change',
  judge: 'the judge prefers it, in both orders',
  'a person': 'your choice',
}

export function choiceWords({ winner, by, order }: Chosen): string[] {
  if (winner === null) return ['[LOOP] No attempt was chosen: none passed']
  const why = whyChosen(by, order.length)
  const rows = order.map(({ node, values }) => `  ${node}: ${valuesWords(values)}`)
  return [`[LOOP] Chosen: ${winner} (${why})`, ...(order.length > 1 ? rows : [])]
}

/** `by`: the criterion that decided; `passed`: the number of attempts that passed. */
export function whyChosen(by: string | null, passed: number): string {
  if (by !== null) return words[by] ?? by
  return passed > 1 ? 'equal, so the first' : 'the only one that passed'
}

function valuesWords(values: Record<string, number | null>): string {
  return Object.entries(values)
    .map(([name, value]) => valueWords(name, value))
    .join(', ')
}

export function valueWords(name: string, value: number | null): string {
  return `${name} ${value ?? '–'}`
}
