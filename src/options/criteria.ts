/**
 * The criteria of a loop from what was asked: `-p cmd`, `-p name=cmd`, `-p name:measurement=cmd`,
 * `--confirm name`, `--must-not name=cmd`. Where a name ends is options/criterion-name's business.
 */
import { all, ok, type Result } from '../model/failure.ts'
import { matchesGlob } from '../model/glob.ts'
import {
  type Criterion,
  type Forbidden,
  type Spec,
  type Verification,
  verifications,
} from '../model/loop/spec.ts'
import { splitName } from './criterion-name.ts'
import { nearest } from './nearest.ts'
import type { System } from './system.ts'
import { invalid } from './value.ts'
import type { Values } from './values.ts'

type Criteria = Pick<Spec, 'criteria' | 'mustNot' | 'protect'>

export function criteriaFrom(values: Values, system: System): Result<Criteria> {
  const read = all([
    ...values.values('promise').map(typed => promise(typed, system)),
    ...values.values('confirm').map(confirmation),
  ])
  if (!read.ok) return read
  const mustNot = all(values.values('must-not').map(typed => forbidden(typed, system)))
  if (!mustNot.ok) return mustNot
  const criteria = read.value
  if (!criteria.some(({ command }) => command !== null)) return noPromise(values)
  const names = [...criteria, ...mustNot.value].map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) return invalid(`There are two criteria of the name ${twice}. Give each a name of its own.`)
  const protect = protectedFrom(values)
  if (!protect.ok) return protect
  return ok({
    criteria,
    ...(mustNot.value.length > 0 && { mustNot: mustNot.value }),
    ...(protect.value.length > 0 && { protect: protect.value }),
  })
}

/** Nothing but assignments and comments: a shell calls that a success, whatever the state of the work. */
function runsNothing(command: string): boolean {
  const rest = command.replaceAll(/^\s*#.*$/gm, '').trim()
  return rest.replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'";&|])*(?:\s+|$))+/, '') === ''
}

function promise(typed: string, system: System): Result<Criterion> {
  const text = typed.trim()
  if (text === '') return invalid('The promise is empty. Give a command that exits 0 when the work is done.')
  if (text.includes('\0')) return invalid('The promise holds a NUL byte, which no command can.')
  const parts = splitName(text, system.hasProgram)
  if (runsNothing(parts?.command ?? text) && parts?.command !== '') {
    return invalid(
      `The promise ${text} runs nothing: it would always hold. A name in capitals stands in double quotes: -p '"LINT"=npm run lint'`,
    )
  }
  const { name, command } = parts ?? { name: text, command: text }
  if (command === '') return invalid(`The promise ${name} has no command. Give it as: -p '${name}=<command>'`)
  const problem = system.shellProblem(command)
  if (problem !== null) return unreadable(`The promise ${name}`, command, problem)
  if (!parts) return ok({ name, command })
  if (parts.type === null) return ok({ name, command })
  const type = verification(parts.type)
  if (!type.ok) return type
  if (type.value === 'assumption') {
    return invalid(
      `An assumption has no command: ${name} is then "execution output", or give it to --confirm.`,
    )
  }
  return ok({ name, command, verification: type.value })
}

const confirmable: readonly Verification[] = [
  'observation',
  'code review',
  'reasoned inference',
  'assumption',
]

function confirmation(typed: string): Result<Criterion> {
  const [, name = '', typeText] = /^\s*([^:]*?)\s*(?::([a-z -]+))?\s*$/.exec(typed) ?? []
  const bare = name.replace(/^"(.*)"$/, '$1')
  if (bare === '') return invalid('Say what a human is to confirm: --confirm "the page looks right"')
  const type = verification(typeText ?? 'observation')
  if (!type.ok) return type
  if (!confirmable.includes(type.value)) {
    return invalid(`"${type.value}" needs a command. Give it with: -p '"${bare}":${type.value}=<command>'`)
  }
  return ok({ name: bare, command: null, verification: type.value })
}

function verification(typed: string): Result<Verification> {
  const wanted = typed.trim().replaceAll('-', ' ')
  const found = verifications.find(type => type === wanted)
  if (found) return ok(found)
  const near = nearest(wanted, verifications)
  return invalid(
    `There is no verification type "${typed}". ${near ? `Did you mean "${near}"?` : `There are: ${verifications.join(', ')}.`}`,
  )
}

function forbidden(typed: string, system: System): Result<Forbidden> {
  const parts = splitName(typed, system.hasProgram)
  if (!parts?.command || parts.type !== null) {
    return invalid(`--must-not is name=command: the loop pauses when the command exits 0; not "${typed}".`)
  }
  const { name, command } = parts
  const problem = system.shellProblem(command)
  return problem === null ? ok({ name, command }) : unreadable(`--must-not ${name}`, command, problem)
}

/** Found before anything is run: to a shell this is a failure like any other, and an agent could never mend it. */
export function unreadable(what: string, command: string, problem: string): Result<never> {
  return invalid(
    `${what} is no command that /bin/sh can read: ${problem}. Check its quotes and brackets: ${command}`,
  )
}

function protectedFrom(values: Values): Result<string[]> {
  const globs = values.values('protect')
  if (globs.length > 0 && values.value('checkpoint') === 'none') {
    return invalid(
      '--protect needs checkpoints to see what has changed; it does not go with --checkpoint none.',
    )
  }
  for (const glob of globs) {
    if (glob.trim() === '') return invalid("--protect is empty. Give a glob: --protect 'test/**'")
    if (/^(\/|!|\.\.(\/|$))/.test(glob)) {
      return invalid(
        `--protect ${glob} matches no file of the work tree. Give a glob below it, like 'test/**'.`,
      )
    }
    try {
      matchesGlob('', glob)
    } catch {
      return invalid(`--protect ${glob} is no glob. Give one like 'test/**' or '*.lock'.`)
    }
  }
  return ok(globs)
}

function noPromise(values: Values): Result<never> {
  const confirm = values.given('confirm') ? ' --confirm comes on top of it.' : ''
  return invalid(
    `Give the command that decides when the work is done: -p "npm test".${confirm} (Planning from a spec alone comes later.)`,
  )
}
