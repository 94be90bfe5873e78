/**
 * Judges the answer of a model: JSON of the named schema, about what was asked, and with real content. Every mistake
 * is returned in words for the next prompt. An answer decides nothing by itself: a claim of being done is refused.
 */
import type * as z from 'zod'
import { mostAnswerBytes } from '../../model/answer/name.ts'
import { answerSchemas, subjects } from '../../model/answer/schemas.ts'
import type { WantedAnswer } from '../../model/answer/wanted.ts'
import { answerProblems } from './problems.ts'

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
