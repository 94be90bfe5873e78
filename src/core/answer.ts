/**
 * Judges the answer of a model: JSON of the named schema, about what was asked, and with real content. Every mistake
 * is returned in words for the next prompt. An answer decides nothing by itself: a claim of being done is refused.
 */
import type * as z from 'zod'
import { type AnswerName, mostAnswerBytes, type WantedAnswer } from '../model/answer.ts'
import { type AnswerOf, answerSchemas, subjects } from '../model/answer-schemas.ts'
import { leastMustNots, type PreWorkProblem, preWorkProblems } from './plan/shape-file.ts'
import { wavesOf } from './plan/waves.ts'

/**
 * Finds the JSON in an agent's last message: the whole message, its last JSON block, or the last object in it. Null
 * if there is none.
 */
export function jsonIn(message: string): string | null {
  const whole = message.trim()
  if (isJson(whole)) return whole
  return lastFence(message) ?? lastObject(message)
}

function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Also a block that is not JSON: the judge of the answer reports its mistakes. */
function lastFence(message: string): string | null {
  const fences = [
    ...message.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gim),
  ]
  const last = fences.map(([, , inside = '']) => inside.trim()).findLast(inside => inside.startsWith('{'))
  return last ?? null
}

const mostStarts = 200

/** Between the last `}` and each `{` at the start of a line or after a space: the longest text that parses. */
function lastObject(message: string): string | null {
  const end = message.lastIndexOf('}')
  if (end === -1) return null
  const starts = [...message.slice(0, end).matchAll(/(?<=^|\s)\{/g)].map(({ index }) => index)
  for (const start of starts.slice(-mostStarts)) {
    const text = message.slice(start, end + 1)
    if (isJson(text)) return text
  }
  return null
}

/** `json`: the answer in a canonical form, without the agent's formatting. */
type JudgedAnswer = { ok: true; json: string } | { ok: false; problems: string[] }

const mostProblems = 12

export function judgeAnswerText(text: string, wanted: WantedAnswer): JudgedAnswer {
  if (text.length > mostAnswerBytes) return refused([tooLarge])
  if (text.trim() === '') return refused(['it is empty'])
  const parsed = parse(text)
  if ('problem' in parsed) return refused([parsed.problem])
  const judged = answerSchemas[wanted.schema].safeParse(numbersAsText(parsed.value, wanted))
  if (!judged.success) return refused(judged.error.issues.flatMap(issueWords))
  const problems = answerProblems(judged.data, wanted)
  return problems.length > 0 ? refused(problems) : { ok: true, json: JSON.stringify(judged.data) }
}

/** A row may be named by its number in the prompt, with or without its text: `2`, `2.`, `2. Which was chosen`. */
function numbersAsText(value: unknown, { schema, about = [] }: WantedAnswer): unknown {
  const subject = subjects[schema]
  if (!subject || !isRecord(value)) return value
  const { list, field } = subject
  const rows = value[list]
  if (!Array.isArray(rows)) return value
  const named = (said: unknown): unknown => {
    if (about.includes(String(said))) return said
    const [, number, text = ''] = /^\s*(\d{1,3})(?:[.)]\s*(.*))?$/s.exec(String(said)) ?? []
    const meant = about[Number(number) - 1]
    return meant !== undefined && (text === '' || text.trim() === meant) ? meant : said
  }
  return { ...value, [list]: rows.map(row => (isRecord(row) ? { ...row, [field]: named(row[field]) } : row)) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const tooLarge = `it is larger than ${mostAnswerBytes / 1_000} kB; answer in fewer words`

function refused(problems: string[]): JudgedAnswer {
  const more = problems.length - mostProblems
  const shown = problems.slice(0, mostProblems).map(one => one.slice(0, 400))
  return { ok: false, problems: more > 0 ? [...shown, `and ${more} more`] : shown }
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: `it is not JSON (${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200)})` }
  }
}

function issueWords(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.length === 0 ? 'the answer' : pathWords(issue.path)
  if (issue.code === 'unrecognized_keys')
    return [`${at} has fields that the schema does not know: ${issue.keys.slice(0, 8).join(', ')}`]
  return [`${at}: ${issue.message}`]
}

/** `criteria[0].command` */
function pathWords(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

/**
 * Mistakes in an answer that a schema cannot detect: words that address loop instead of answering, the same text in
 * every field, tasks that block each other, unanswered parts of the question.
 */
function answerProblems(value: unknown, { schema, about = [] }: WantedAnswer): string[] {
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
