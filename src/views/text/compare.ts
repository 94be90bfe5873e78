/** The attempts of a group side by side: their results, every compared value, and why one was chosen. */
import { comparison, type JudgedPair, judgementsIn } from '../../core/group/comparison.ts'
import { type GroupState, isKind } from '../../core/group/state.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { Chosen } from '../../model/group/event.ts'
import { formatCost, formatDuration } from '../../model/units.ts'
import { fittedTable } from '../layout/columns.ts'
import { formatChanges } from '../words/message.ts'

/** `width`: of the terminal. */
export function comparisonTable(state: GroupState, width: number | null = null): string[] {
  const { attempts, winner, inTree } = comparison(state)
  const measures = [...new Set(attempts.flatMap(({ values }) => Object.keys(values)))]
  const head = [
    '',
    'ATTEMPT',
    'LOOP-ID',
    'OUTCOME',
    'ITER',
    'TIME',
    'CHANGES',
    'COST',
    ...measures.map(name => name.toUpperCase()),
  ]
  const rows = attempts.map(
    ({ node, member, stage, how, reason, iterations, durationMs, changes, costUsd, values }) => [
      node === inTree ? '✓' : node === winner ? '*' : '',
      node,
      member ?? '–',
      how === undefined ? stage : how === 'failed' ? (reason ?? how) : how,
      String(iterations ?? '–'),
      durationMs === undefined ? '–' : formatDuration(durationMs),
      changes ? formatChanges(changes) : '–',
      costUsd == null ? '–' : formatCost(costUsd, { costEstimated: false }),
      ...measures.map(name => String(values[name]?.value ?? '–')),
    ],
  )
  const table = fittedTable([head, ...rows], {
    width,
    gap: 2,
    spare: ['LOOP-ID', 'ITER', 'TIME', 'COST', 'CHANGES'],
  })
  return [...table, ...whyLines(state)].map(safeLine)
}

/** `the judge of 1-direct as A and 2-simple as B: B (70 %), it handles an empty list` */
function judgementWords({ a, b, answer }: JudgedPair): string {
  const said = answer ? `${answer.better} (${answer.confidence} %), ${answer.why}` : 'no answer'
  return `the judge of ${a} as A and ${b} as B: ${said}`
}

function whyLines(state: GroupState): string[] {
  const { inTree } = comparison(state)
  const commands = new Map(
    state.nodes.flatMap(one =>
      isKind(one, 'command') && one.node.measure ? [[one.node.measure.name, one.node.command] as const] : [],
    ),
  )
  const choice = state.nodes.findLast(one => isKind(one, 'choose'))?.end?.choice
  return [
    '',
    ...(choice
      ? choiceWords(choice)
          .slice(0, 1)
          .map(line => line.replace('[LOOP] ', ''))
      : []),
    ...judgementsIn(state).map(judgementWords),
    ...(inTree ? [`In the work tree: ${inTree}`] : ['None of them is in the work tree.']),
    ...[...commands].map(([name, command]) => `${name}: ${command.split('\n')[0]}`),
    `See one: loop diff ${state.id} <attempt>. Two: loop diff ${state.id} <attempt>..<attempt>. Take one: loop pick ${state.id} <attempt> [--file path]`,
  ]
}

const chosenWords: Record<string, string> = {
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
  if (by !== null) return chosenWords[by] ?? by
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
