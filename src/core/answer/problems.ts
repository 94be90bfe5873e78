/**
 * Mistakes in an answer that a schema cannot detect: words that address loop instead of answering, the same text in
 * every field, tasks that block each other, unanswered parts of the question.
 */
import type { AnswerName } from '../../model/answer/name.ts'
import type { AnswerOf } from '../../model/answer/schemas.ts'
import type { WantedAnswer } from '../../model/answer/wanted.ts'
import { leastMustNots, type PreWorkProblem, preWorkProblems } from '../plan/pre-work.ts'
import { wavesOf } from '../plan/waves.ts'

export function answerProblems(value: unknown, { schema, about = [] }: WantedAnswer): string[] {
  const texts = textsIn(value)
  return [
    ...texts.flatMap(placeholderWords),
    ...texts.flatMap(commandWords),
    ...texts.flatMap(orderWords),
    ...monotony(texts),
    ...bySchema(value, schema, about),
  ]
}

function bySchema(value: unknown, schema: AnswerName, about: readonly string[]): string[] {
  switch (schema) {
    case 'shape':
      return preWorkProblems(value as AnswerOf<'shape'>).map(preWorkWords)
    case 'tasks':
      return taskProblems((value as AnswerOf<'tasks'>).tasks)
    case 'counsel':
      return sameDiagnosis(value as AnswerOf<'counsel'>)
    case 'verification':
      return coverage(
        (value as AnswerOf<'verification'>).verdicts.map(({ id }) => id),
        { about, field: 'id' },
      )
    case 'checklist':
      return coverage(
        (value as AnswerOf<'checklist'>).rows.map(({ item }) => item),
        { about, field: 'item' },
      )
    case 'deviations':
      return deviationProblems(value as AnswerOf<'deviations'>)
    default:
      return []
  }
}

/** A text of an answer and its path: `criteria[0].command`. */
type Text = { at: string; text: string }

/** Quotes come from the project and can contain anything. */
const quoting = ['quote']
const deepest = 8

function textsIn(value: unknown, at = '', depth = 0): Text[] {
  if (typeof value === 'string') return [{ at, text: value.trim() }]
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) => {
    if (quoting.includes(key)) return []
    return textsIn(inner, isList ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`, depth + 1)
  })
}

const placeholder =
  /^(?:to ?do|tbd|tba|fixme|n\/?a|none|null|nil|undefined|unknown|placeholder|string|text|value|example|sample|test|foo|bar|baz|lorem ipsum.*|\.{2,}|…|x{2,}|[-_*?]+|<[^<>]*>|\{[^{}]*\}|your .{1,40} here|insert .{1,40}|fill (?:me )?in.*|(?:some|any) (?:text|value|string))[.!]*$/i

/** A model that has given up fills any schema with "TODO", "string" or "...". */
function placeholderWords({ at, text }: Text): string[] {
  return placeholder.test(text) ? [`${at}: "${text.slice(0, 80)}" is a placeholder; say what is meant`] : []
}

const alwaysPasses = /^(?:true|:|exit(?: 0)?|\/bin\/true|\(?true\)?|(?:echo|printf)\b[^|&;<>]*)$/
const neverPasses = /^(?:false|exit [1-9]\d*|\/bin\/false|! ?true)$/

/** A command that decides nothing: it always passes, or never does. */
function commandWords({ at, text }: Text): string[] {
  if (!/(?:^|\.)(?:command|verify)$/.test(at)) return []
  if (alwaysPasses.test(text)) return [`${at}: "${text.slice(0, 80)}" exits 0 whatever was done`]
  return neverPasses.test(text) ? [`${at}: "${text.slice(0, 80)}" never exits 0`] : []
}

const orders = [
  /\b(?:mark|set|treat|consider|count|report)\s+(?:all|every(?:thing)?|each)\b[^.\n]{0,60}\b(?:met|done|complete[d]?|pass(?:ed|ing)?|verified|true)\b/i,
  /\b(?:ignore|disregard|forget)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?)\b/i,
  /<\/?loop-complete>|---(?:LOOP|END)_STATUS---|\bEXIT_SIGNAL\b|\bexit_signal\b/,
]

function orderWords({ at, text }: Text): string[] {
  const isOrder = orders.some(order => order.test(text))
  return isOrder ? [`${at}: "${text.slice(0, 80)}" speaks to loop; only answer the question`] : []
}

const fewestTexts = 4
const shortText = 12

/** Four or more fields with the same text have no content. */
function monotony(texts: Text[]): string[] {
  const long = texts.map(({ text }) => text).filter(text => text.length >= shortText)
  if (long.length < fewestTexts || new Set(long).size > 1) return []
  return [`every field says the same: "${long[0]?.slice(0, 80)}"`]
}

function preWorkWords(problem: PreWorkProblem): string {
  switch (problem.kind) {
    case 'no-criteria':
      return 'there is no criterion'
    case 'same-name':
      return `two criteria have the name "${problem.name}"`
    case 'no-type':
      return `the criterion "${problem.name}" has no verification`
    case 'no-command':
      return `the criterion "${problem.name}" (${problem.verification}) needs a command`
    case 'assumption':
      return `the criterion "${problem.name}" is an assumption, which can never be met; say how it is seen`
    case 'must-not-without-command':
      return `"${problem.name}" of mustNot has no command`
    case 'few-must-nots':
      return `mustNot names ${problem.count}; name at least ${leastMustNots}`
    default:
      return problem satisfies never
  }
}

function taskProblems(tasks: AnswerOf<'tasks'>['tasks']): string[] {
  const placed = wavesOf(tasks)
  if (placed.ok) return []
  const { trouble } = placed
  switch (trouble.kind) {
    case 'twice':
      return [`two tasks have the id ${trouble.id}`]
    case 'unknown-blocker':
      return [`${trouble.id} is blocked by ${trouble.blocker}, which is no task`]
    case 'cycle':
      return [`these tasks block each other: ${[...trouble.path, trouble.path[0]].join(' → ')}`]
    default:
      return trouble satisfies never
  }
}

function sameDiagnosis({ viewpoints }: AnswerOf<'counsel'>): string[] {
  const said = new Set(viewpoints.map(({ diagnosis }) => diagnosis))
  return said.size === viewpoints.length ? [] : ['viewpoints: two of them say the same']
}

function deviationProblems({ noDeviation, deviations }: AnswerOf<'deviations'>): string[] {
  return noDeviation === (deviations.length === 0)
    ? []
    : ['noDeviation: is true where there is none, and else false']
}

/** Checks that each thing asked about is answered exactly once, and nothing else is. */
function coverage(
  said: readonly string[],
  { about, field }: { about: readonly string[]; field: string },
): string[] {
  if (about.length === 0) return []
  const missing = about.filter(one => !said.includes(one))
  const twice = said.filter((one, i) => said.indexOf(one) !== i)
  const strays = said.filter(one => !about.includes(one))
  return [
    ...missing.map(
      one =>
        `nothing is said about "${one}": give it a row whose ${field} is that text or ${about.indexOf(one) + 1}`,
    ),
    ...twice.map(one => `"${one}" is answered twice`),
    ...strays.map(one => `${field} "${one}" was not asked about`),
  ]
}
