/**
 * The files that a command holds others against: operands of diff and cmp, what a result is compared with
 * (`test "$(sh greet.sh)" = "$(cat want.txt)"`), patterns, sums, schemas and rules that an option names. They judge,
 * although the command only looks at them.
 */
import type { Call } from './calls.ts'
import { kindOfCall, operandsOf } from './program-kinds.ts'

type Words = Pick<Call, 'program' | 'args'>

const tests = /^(?:test|\[|\[\[|expr)$/
const substitution = /\$\(|`/
/** `$(cat want.txt)`, `$(sha256sum < want.txt)`: the text between the signs. */
const substituted = /(?:\$\(|`)([^()`]*(?:\([^()]*\)[^()`]*)*)/g
/** A program of the tree that says what is wanted. */
const oracle = /^(?:want|expect|ref(?:erence)?|oracle|golden|truth|answer)/i

/** Does the command compare what a program says with a file? */
export function holdsAgainst({ program, args }: Words): boolean {
  if (kindOfCall({ program, args }) === 'comparer') return true
  return tests.test(program) && isComparison(args) && args.some(word => filesRead(word).length > 0)
}

/** Both sides are known only at run time: with a plain word on one side, the file itself is what is looked at. */
function isComparison(args: readonly string[]): boolean {
  return args.some((word, at) => {
    if (!/^(?:==?|!=|:|-(?:eq|ne|lt|le|gt|ge))$/.test(word)) return false
    return [args[at - 1] ?? '', args[at + 1] ?? ''].every(
      side => substitution.test(side) || side.includes('$'),
    )
  })
}

/** What stands on one side of a comparison only: `$(grep -c a main.tf) = $(grep -c b main.tf)` holds nothing against it. */
function heldIn(args: readonly string[]): string[] {
  const sides = args.map(word => [...new Set(filesRead(word))])
  const all = sides.flat()
  return [...new Set(all)].filter(file => all.indexOf(file) === all.lastIndexOf(file))
}

function filesRead(word: string): string[] {
  const commands = Array.from(word.matchAll(substituted), ([, text = '']) => text.split('|')).flat()
  return commands.flatMap(text => {
    const [program = '', ...rest] = text.replaceAll('<', ' < ').trim().split(/\s+/)
    const isRun = /^(?:shell|interpreter|package-runner|make)$/.test(kindOfCall({ program, args: rest }))
    if (isRun || program.includes('/')) return rest.filter(one => oracle.test(one))
    return rest.filter(one => one !== '<' && one !== '' && !one.startsWith('-'))
  })
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
export function comparedBy(call: Call): string[] {
  const { program, args } = call
  // `cc @flags main.c` has its options in a file.
  const listed = args.filter(word => /^@[\w./-]+$/.test(word)).map(word => word.slice(1))
  const given = [...givenByOption(call), ...(program === 'curl' ? [] : listed)]
  if (kindOfCall(call) === 'comparer') return [...operandsOf(call), ...given, ...inputOf(call)]
  if (isJoining(call)) return [...operandsOf(call), ...(call.isHeld ? call.input.files : [])]
  if (tests.test(program)) return isComparison(args) ? [...heldIn(args), ...given] : given
  return [...given, ...(/grep$|^rg$/.test(program) ? args.flatMap(filesRead) : [])]
}

/** It holds a table against what programs say: `sh greet.sh | paste - want.txt`, `awk '{ "sh greet.sh " $1 | getline }' table`. */
function isJoining({ program, args, input, isHeld }: Call): boolean {
  if (
    isHeld &&
    kindOfCall({ program, args }) !== 'shell' &&
    !/^(?:node|python[\d.]*|ruby|perl)$/.test(program)
  )
    return true
  if (program.endsWith('awk') && args.some(word => /\bgetline\b|\bsystem\s*\(/.test(word))) return true
  return /^(?:paste|join)$/.test(program) && input.calls.length > 0
}

/** The files at the standard input of a call, also through `cat` or `sort` before a pipe. `isRun`: that runs what it reads. */
export function inputOf({ input }: Call, isRun = false): string[] {
  const read = input.calls.flatMap(call => {
    const isRead =
      /^(?:cat|head|tail|sed|grep|sort|shuf|tac|awk|tr|cut|uniq)$/.test(call.program) ||
      (isRun && kindOfCall(call) === 'inspector' && !/^(?:find|ls|git|stat|du|file)$/.test(call.program))
    return isRead && !isWritten(call) ? [...operandsOf(call), ...call.input.files] : []
  })
  return [...input.files, ...read].filter(word => word !== '')
}
