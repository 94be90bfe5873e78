/**
 * The criteria of a loop from what was asked: `-p cmd`, `-p name=cmd`, `-p name:measurement=cmd`,
 * `--confirm name`, `--must-not name=cmd`. A name with spaces stands in double quotes.
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
import { nearest } from './nearest.ts'
import { invalid } from './value.ts'
import type { Values } from './values.ts'

type Criteria = Pick<Spec, 'criteria' | 'mustNot' | 'protect'>

export function criteriaFrom(values: Values): Result<Criteria> {
  const read = all([...values.values('promise').map(promise), ...values.values('confirm').map(confirmation)])
  if (!read.ok) return read
  const mustNot = all(values.values('must-not').map(forbidden))
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

// Not with spaces: `make test=all` is a command. Not all in capitals: `CI=1 npm test` is one too.
const named = /^(?:((?![A-Z0-9_]+[:=])[A-Za-z_][\w-]*)|"([^"\n]+)")(?::([a-z -]+))?=([\s\S]*)$/

/** Nothing but assignments and comments: a shell calls that a success, whatever the state of the work. */
function runsNothing(command: string): boolean {
  const rest = command.replaceAll(/^\s*#.*$/gm, '').trim()
  return rest.replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'";&|])*(?:\s+|$))+/, '') === ''
}

type Named = { name: string; type: string | null; command: string }

function splitName(text: string): Named | null {
  const [whole, bare, quoted, type, command = ''] = named.exec(text) ?? []
  const name = bare ?? quoted
  return whole === undefined || name === undefined
    ? null
    : { name, type: type ?? null, command: command.trim() }
}

function promise(typed: string): Result<Criterion> {
  const text = typed.trim()
  if (text === '') return invalid('The promise is empty. Give a command that exits 0 when the work is done.')
  if (text.includes('\0')) return invalid('The promise holds a NUL byte, which no command can.')
  const parts = splitName(text)
  if (runsNothing(parts?.command ?? text) && parts?.command !== '') {
    return invalid(
      `The promise ${text} runs nothing: it would always hold. A name in capitals stands in double quotes: -p '"LINT"=npm run lint'`,
    )
  }
  if (!parts) return ok({ name: text, command: text })
  const { name, command } = parts
  if (command === '') return invalid(`The promise ${name} has no command. Give it as: -p '${name}=<command>'`)
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

function forbidden(typed: string): Result<Forbidden> {
  const parts = splitName(typed.trim())
  if (parts?.command && parts.type === null) return ok({ name: parts.name, command: parts.command })
  return invalid(`--must-not is name=command: the loop pauses when the command exits 0; not "${typed}".`)
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
