/**
 * cargo clippy and cargo check: diagnostics with a source position, in full, short and JSON format. A
 * diagnostic shared by a library and its tests appears once in text and twice in JSON. A source that does not
 * compile hides the problems of others.
 */
import { keyOfValue, listAt, type Printed } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'

const head = /^(?:warning|error)(?:\[[\w:]+\])?: /
const short = /^\S.*\.rs:\d+:\d+: (?:warning|error)(?:\[[\w:]+\])?: /
const byCargo = /^ +(?:Checking|Compiling|Finished) |^error: could not compile /
const compilerError = /^(?:\S.*\.rs:\d+:\d+: )?error\[E\d+\]: /

export const clippy: ProblemTool = said => inJson(said) ?? inLines(said)

function inJson({ json }: Printed): number | 'broken' | null {
  if (!json.some(value => keyOfValue(value, 'reason') === 'build-finished')) return null
  const messages = json
    .filter(value => keyOfValue(value, 'reason') === 'compiler-message')
    .map(value => keyOfValue(value, 'message'))
    .filter(message => listAt(message, 'spans').length > 0)
  const rendered = new Set(
    messages.map(message => String(keyOfValue(message, 'rendered')).split('\n  = ')[0]),
  )
  return [...rendered].some(text => compilerError.test(text ?? '')) ? 'broken' : rendered.size
}

function inLines({ lines }: Printed): number | 'broken' | null {
  if (!lines.some(line => byCargo.test(line))) return null
  if (lines.some(line => compilerError.test(line))) return 'broken'
  const inFull = lines.filter((line, index) => head.test(line) && /^ *--> /.test(lines[index + 1] ?? ''))
  return inFull.length + lines.filter(line => short.test(line)).length
}
