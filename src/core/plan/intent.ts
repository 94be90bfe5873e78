/**
 * The stage `intent`: questions about a spec that says too little, before any agent runs. They have lettered options,
 * and there are at most two rounds; after that, every open point is an assumption and is shown as one.
 */
import type { GroupNode } from '../../model/group/node.ts'
import type { PlanSpec } from '../../model/group/plan.ts'
import type { Shape } from '../../model/loop/assessment.ts'
import { find, type GroupState } from '../group/state.ts'
import type { Growth } from '../programs/program.ts'
import { type Dimension, scoreSpec } from '../score.ts'
import { isNodeOver, planOf, said } from './read.ts'

type VagueQuestion = { question: string; options: readonly string[]; assumed: string }

const intentQuestions: Record<Dimension, VagueQuestion> = {
  outcome: {
    question: 'What will be different when this is done?',
    options: [
      'Something new works that did not work before',
      'Something broken works again',
      'A number gets better (answer with the number: p95 latency <100ms)',
      'The same works as before, in simpler code',
    ],
    assumed: 'the smallest change that does what the text says',
  },
  scope: {
    question: 'Where should this be done?',
    options: [
      'In one file or function (answer with its name)',
      'In one module or directory (answer with its path)',
      'In the whole project',
    ],
    assumed: 'only the code that the text names, and its tests',
  },
  constraints: {
    question: 'What must not change, and which limits apply?',
    options: [
      'No new dependencies',
      'Public interfaces stay as they are',
      'No new dependencies, and public interfaces stay as they are',
      'Nothing in particular',
    ],
    assumed: 'no new dependencies, public interfaces stay as they are',
  },
  success: {
    question: 'How can one see that it works?',
    options: [
      'All tests pass',
      'All tests pass, and a person looks at it',
      'A command that exits 0 (answer with it)',
      'A measurement (answer with it)',
    ],
    assumed: 'all tests of the project pass',
  },
  done: {
    question: 'When is it done?',
    options: [
      'When all tests pass and the change is in the work tree',
      'When the pull request is merged to main',
      'When it is released',
    ],
    assumed: 'when all tests pass and the change is in the work tree',
  },
}

const rounds = [1, 2] as const

function gateId(round: number, dimension: Dimension): string {
  return `intent/${round}/${dimension}`
}

/** Null once there is nothing left to ask. */
export function askIntent(state: GroupState): Growth | null {
  const plan = planOf(state)
  if (!needsIntent(plan)) return null
  for (const round of rounds) {
    if (round > 1 && !isVague(state, round - 1)) return null
    const begun = state.nodes.filter(({ node }) => node.id.startsWith(`intent/${round}/`))
    if (begun.length === 0) return { plan: missing(state, round).map(name => question(round, name)) }
    if (!begun.every(({ node }) => isNodeOver(state, node.id))) return { wait: true }
  }
  return null
}

function needsIntent({ shape, force, given }: PlanSpec): boolean {
  return shape === 'blocked' && !force && given === undefined
}

function question(round: number, dimension: Dimension): GroupNode {
  const { question: words, options } = intentQuestions[dimension]
  const lettered = options.map((option, i) => `${String.fromCharCode(97 + i)}) ${option}`)
  return {
    kind: 'gate',
    id: gateId(round, dimension),
    needs: [],
    question: [words, ...lettered].join('\n'),
    choices: [],
    asks: 'intent',
    options: [...options],
  }
}

/** The subjects of the first round of questions. */
export function firstQuestions(text: string): Dimension[] {
  return openIn(text)
}

function missing(state: GroupState, round: number): Dimension[] {
  return openIn(textAfter(state, round - 1))
}

/** The dimensions with the lowest score. */
function openIn(text: string): Dimension[] {
  const { dimensions } = scoreSpec(text)
  const least = dimensions.filter(({ points }) => points === 0)
  const some = least.length > 0 ? least : dimensions.filter(({ points }) => points < 2)
  return some.map(({ dimension }) => dimension)
}

function isVague(state: GroupState, round: number): boolean {
  return scored(state, textAfter(state, round)).shape === 'blocked'
}

/** The spec with the answers up to this round. */
function textAfter(state: GroupState, round: number): string {
  const answers = rounds
    .filter(one => one <= round)
    .flatMap(one => dimensionNames.flatMap(name => line(name, said(state, gateId(one, name)))))
  return [planOf(state).text, ...answers].join('\n')
}

const dimensionNames = Object.keys(intentQuestions) as Dimension[]

function line(name: Dimension, answer: string | null): string[] {
  return answer === null ? [] : [`${label(name)}: ${answer}`]
}

function label(name: Dimension): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function scored(state: GroupState, text: string) {
  const { completed, rule } = planOf(state)
  return scoreSpec(text, { completed, rule })
}

/** The whole spec: its own words, the answers, and the assumptions. */
export function wholeSpec(state: GroupState): string {
  return [textAfter(state, rounds.length), ...assumptionsIn(state)].join('\n')
}

/** The assumptions, one line each. */
export function assumptionsIn(state: GroupState): string[] {
  if (planOf(state).shape !== 'blocked') return []
  const { dimensions, shape } = scored(state, textAfter(state, rounds.length))
  const isAsked = (name: Dimension) => rounds.some(round => find(state, gateId(round, name)) !== undefined)
  return dimensions
    .filter(({ dimension, points }) => points === 0 && (shape === 'blocked' || !isAsked(dimension)))
    .map(({ dimension }) => `[ASSUMPTION] ${label(dimension)}: ${intentQuestions[dimension].assumed}`)
}

/** True if the questions were asked and the spec is still vague. */
export function isStillVague(state: GroupState): boolean {
  return needsIntent(planOf(state)) && isVague(state, rounds.length)
}

/** The score of the spec with the answers; assumptions add nothing. */
export function scoreIn(state: GroupState): { score: number; fit: number } {
  const { shape, score, fit } = planOf(state)
  return shape === 'blocked' ? scored(state, textAfter(state, rounds.length)) : { score, fit }
}

/** How much the plan may do without asking. For a spec that stays vague, every step is shown. */
export function autonomyOf(state: GroupState): Exclude<Shape, 'blocked'> {
  const plan = planOf(state)
  if (plan.shape !== 'blocked') return plan.shape
  const { shape } = scored(state, textAfter(state, rounds.length))
  return shape === 'blocked' ? 'colleague' : shape
}
