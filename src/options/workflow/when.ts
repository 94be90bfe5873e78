/**
 * Parses a condition: `completed(x)`, `failed(x)`, `skipped(x)`, `outputs.x.field == "v"`, `!=`, `&&`, `||`, `!`,
 * parentheses. There are no other expressions: computations belong in a command. Evaluation: core/workflow.
 */
import { endings, type When } from '../../model/group/workflow.ts'
import { nearest } from '../nearest.ts'

/** The position of a loop's or output's name in it. */
export type Named = { loop: string; field: string | null; start: number; end: number }

type WhenProblem = { start: number; end: number; message: string; hint: string | null }

type Token = { text: string; start: number; end: number }

const form = /\s*(?:(&&|\|\||==|!=|!|\(|\))|("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|([A-Za-z0-9][\w.-]*)|(\S))/gy

const mostTokens = 200
const whole = 'Such as: completed(build) && outputs.build.version == "2"'

type Cursor = { tokens: Token[]; at: number; named: Named[]; end: number }

export function parseWhen(text: string): { when: When; named: Named[] } | { problem: WhenProblem } {
  const tokens = Array.from(text.matchAll(form), match => {
    const token = match[0].trimStart()
    const end = match.index + match[0].length
    return { text: token, start: end - token.length, end }
  })
  const cursor: Cursor = { tokens, at: 0, named: [], end: text.trimEnd().length }
  if (tokens.length > mostTokens) return { problem: problemAt(cursor, 'The condition is too long.', whole) }
  const when = either(cursor)
  if ('problem' in when) return when
  if (peek(cursor)) return { problem: problemAt(cursor, `"${peek(cursor)}" has no place here.`, whole) }
  return { when, named: cursor.named }
}

type Read = When | { problem: WhenProblem }

function either(cursor: Cursor): Read {
  return joined(cursor, '||', both)
}

function both(cursor: Cursor): Read {
  return joined(cursor, '&&', term)
}

function joined(cursor: Cursor, sign: '||' | '&&', read: (cursor: Cursor) => Read): Read {
  const terms: When[] = []
  do {
    const one = read(cursor)
    if ('problem' in one) return one
    terms.push(one)
  } while (take(cursor, sign))
  const [first, ...more] = terms
  return first && more.length === 0 ? first : { op: sign === '&&' ? 'and' : 'or', terms }
}

function term(cursor: Cursor): Read {
  if (take(cursor, '!')) {
    const one = term(cursor)
    return 'problem' in one ? one : { op: 'not', term: one }
  }
  if (take(cursor, '(')) {
    const one = either(cursor)
    if ('problem' in one || take(cursor, ')')) return one
    return { problem: problemAt(cursor, 'A ) is missing.', whole) }
  }
  const name = cursor.tokens[cursor.at]
  if (!name || !/^[A-Za-z0-9]/.test(name.text)) {
    const what = name ? `"${name.text}" is no condition.` : 'The condition ends too early.'
    return { problem: problemAt(cursor, what, whole) }
  }
  cursor.at += 1
  return name.text.startsWith('outputs.') ? comparison(cursor, name) : ended(cursor, name)
}

function ended(cursor: Cursor, name: Token): Read {
  const how = endings.find(word => word === name.text)
  if (!how) {
    const near = nearest(name.text, endings)
    const hint = near
      ? `Did you mean ${near}(…)?`
      : `There are: ${endings.map(word => `${word}(x)`).join(', ')}, outputs.x.field`
    return { problem: { start: name.start, end: name.end, message: `"${name.text}" is no condition.`, hint } }
  }
  if (!take(cursor, '('))
    return { problem: problemAt(cursor, `${how} needs the id of a loop: ${how}(build).`, null) }
  const loop = cursor.tokens[cursor.at]
  if (!loop || !/^[A-Za-z0-9][\w-]*$/.test(loop.text))
    return { problem: problemAt(cursor, `${how} needs the id of a loop: ${how}(build).`, null) }
  cursor.at += 1
  if (!take(cursor, ')')) return { problem: problemAt(cursor, 'A ) is missing.', `${how}(${loop.text})`) }
  cursor.named.push({ loop: loop.text, field: null, start: loop.start, end: loop.end })
  return { op: 'ended', loop: loop.text, how }
}

function comparison(cursor: Cursor, name: Token): Read {
  const [, loop, field, ...more] = name.text.split('.')
  if (!loop || !field || more.length > 0) {
    const message = `"${name.text}" names no output: outputs.<loop>.<name>.`
    return { problem: { start: name.start, end: name.end, message, hint: null } }
  }
  const is = take(cursor, '==') ? 'equal' : take(cursor, '!=') ? 'different' : null
  if (!is)
    return { problem: problemAt(cursor, `${name.text} is compared with == or !=.`, `${name.text} == "yes"`) }
  const value = cursor.tokens[cursor.at]
  if (!value || !/^["']/.test(value.text) || value.text.length < 2)
    return {
      problem: problemAt(cursor, 'An output is compared with a text in quotes.', `${name.text} == "yes"`),
    }
  cursor.at += 1
  cursor.named.push({ loop, field, start: name.start, end: name.end })
  return { op: 'output', loop, field, is, value: unquoted(value.text) }
}

function unquoted(text: string): string {
  const inside = text.slice(1, -1)
  return text.startsWith("'") ? inside : inside.replaceAll(/\\(.)/g, (_, character: string) => character)
}

function peek({ tokens, at }: Cursor): string | null {
  return tokens[at]?.text ?? null
}

function take(cursor: Cursor, text: string): boolean {
  if (peek(cursor) !== text) return false
  cursor.at += 1
  return true
}

function problemAt({ tokens, at, end }: Cursor, message: string, hint: string | null): WhenProblem {
  const token = tokens[at] ?? { start: end, end: end + 1 }
  return { start: token.start, end: token.end, message, hint }
}
