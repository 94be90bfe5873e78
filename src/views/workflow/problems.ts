/** Mistakes in a file for people: file:line:column, the line with a caret below it, what to do. */
import type { Problem } from '../../model/problem.ts'
import { spelledOut } from '../text/plain-text.ts'
import { count } from '../words/message.ts'

const widest = 120

export function problemLines(problems: readonly Problem[]): string[] {
  const files = new Set(problems.map(({ file }) => file))
  const where = files.size === 1 ? ` in ${spelledOut([...files][0] ?? '')}` : ''
  return [
    ...problems.flatMap(problem => [...picture(problem), '']),
    `${count(problems.length, 'problem')}${where}.`,
  ]
}

function picture({ file, line, column, endLine, endColumn, message, hint, source }: Problem): string[] {
  const end = endLine === line ? endColumn : source.length + 1
  // A long line is shown from a little before the position.
  const from = column > widest - 20 ? column - 40 : 0
  const shown = spelledOut(source.slice(from, from + widest))
  const before = spelledOut(source.slice(from, column - 1))
  const marked = spelledOut(source.slice(column - 1, Math.min(end - 1, from + widest)))
  const number = String(line)
  const gutter = ' '.repeat(number.length)
  return [
    `${spelledOut(file)}:${line}:${column}: ${spelledOut(message)}`,
    `  ${number} | ${shown}`,
    `  ${gutter} | ${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}`,
    ...(hint === null ? [] : [`  ${gutter} = ${spelledOut(hint)}`]),
  ]
}
