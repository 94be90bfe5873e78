/**
 * Judges the answer of a model: JSON of the named schema, about what was asked, and with real content. Every mistake
 * is returned in words for the next prompt. An answer decides nothing by itself: a claim of being done is refused.
 */
import type * as z from 'zod'
import { mostAnswerBytes } from '../../model/answer/name.ts'
import { answerSchemas, subjects } from '../../model/answer/schemas.ts'
import type { WantedAnswer } from '../../model/answer/wanted.ts'
import { answerProblems } from './problems.ts'

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
