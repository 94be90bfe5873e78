/**
 * The files that a command holds others against: operands of diff and cmp, what a result is compared with
 * (`test "$(sh greet.sh)" = "$(cat want.txt)"`), patterns, sums, schemas and rules that an option names. They judge,
 * although the command only looks at them.
 */
import type { Call } from './calls.ts'
import { kindOfCall, operandsOf } from './program-kinds.ts'

type Words = Pick<Call, 'program' | 'args'>

const tests = /^(?:test|\[|\[\[)$/
const substitution = /\$\(|`/
/** `$(cat want.txt)`, `$(< want.txt)`, `$(head -1 want.txt)` */
const readFile = /(?:\$\(|`)\s*(?:(?:cat|head|tail|sort|tr|sed|jq|wc)\b|<)([^()|`]*)/g

/** Does the command compare what a program says with a file? */
export function holdsAgainst({ program, args }: Words): boolean {
  if (kindOfCall({ program, args }) === 'comparer') return true
  return tests.test(program) && isComparison(args) && args.some(word => filesRead(word).length > 0)
}

/** Both sides are known only at run time: with a plain word on one side, the file itself is what is looked at. */
function isComparison(args: readonly string[]): boolean {
  return args.some((word, at) => {
    if (!/^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge))$/.test(word)) return false
    return [args[at - 1] ?? '', args[at + 1] ?? ''].every(
      side => substitution.test(side) || side.includes('$'),
    )
  })
}

function filesRead(word: string): string[] {
  return Array.from(word.matchAll(readFile), ([, rest = '']) => rest)
    .flatMap(rest => rest.split(/\s+/))
    .filter(one => one !== '' && !one.startsWith('-'))
}

/** Options by which a command is given what it judges by. */
const byOption =
  /^--?(?:.*(?:conf|schema|rule|pattern|baseline|ignore|require|import|loader|preload|set-?up|plugin|preset|reporter|env-file|slurpfile|rawfile|argfile|from-file|dictionary|expected).*|rcfile)$/
/** The same in one letter, by the programs that mean it so. */
const byLetter: Record<string, RegExp> = {
  f: /^(?:[ef]?grep|rg|g?awk|mawk|sed|jq)$/,
  c: /^(?:\w+sum|eslint|yamllint|mypy|pylint|jest|pytest|mocha|prettier|stylelint|tsc|hadolint|markdownlint|ajv)$/,
  s: /^ajv$/,
  r: /^(?:node|mocha|ajv|spectral|tsx|ts-node|nyc|c8)$/,
  p: /^tsc$/,
}

/** `awk -f sum.awk sales.csv | diff - want.txt`: a program in a file of its own, whose output is compared. */
export function isWritten({ program, args, isRead }: Pick<Call, 'program' | 'args' | 'isRead'>): boolean {
  return isRead && /^(?:g?awk|mawk|sed|jq)$/.test(program) && args.some(word => /^-\w*f$/.test(word))
}

/** The files that an option of the call names as what it judges by. */
export function givenByOption({ program, args }: Words): string[] {
  return args.flatMap((word, at) => {
    if (!word.startsWith('-')) return []
    const [, option = word, value = args[at + 1] ?? ''] = /^(--?[\w-]+)=(.*)$/.exec(word) ?? []
    const letter = /^-\w*(\w)$/.exec(option)?.[1] ?? ''
    const isMeant = byOption.test(option) || byLetter[letter]?.test(program)
    const isCheck = option === '--check' && program.endsWith('sum')
    return isMeant || isCheck ? [value] : []
  })
}

/** All that the call holds something against. */
export function comparedBy(call: Words): string[] {
  const { program, args } = call
  const given = givenByOption(call)
  if (kindOfCall(call) === 'comparer') return [...operandsOf(call), ...given]
  if (tests.test(program)) return isComparison(args) ? [...args.flatMap(filesRead), ...given] : given
  return [...given, ...(/grep$|^rg$/.test(program) ? args.flatMap(filesRead) : [])]
}
