/**
 * The criteria of a loop from the request: `-p cmd`, `-p name=cmd`, `-p name:measurement=cmd`, `--confirm name`,
 * `--must-not name=cmd`. options/criteria finds the end of a name.
 */
import { all, invalid, ok, type Result } from '../model/failure.ts'
import { matchesGlob } from '../model/glob.ts'
import type { Criterion, Forbidden, Spec, Verification } from '../model/loop/spec.ts'
import { verifications } from '../model/loop/words.ts'
import { nearest } from './nearest.ts'
import type { System } from './system.ts'
import { type Values } from './values.ts'

type Criteria = Pick<Spec, 'criteria' | 'mustNot' | 'protect' | 'allow' | 'holdout'>

/** `planned`: the plan will find the criteria. */
export function criteriaFrom(values: Values, system: System, planned?: true): Result<Criteria> {
  const read = all([
    ...values.values('promise').map(typed => promise(typed, system)),
    ...values.values('confirm').map(confirmation),
  ])
  if (!read.ok) return read
  const mustNot = all(values.values('must-not').map(typed => forbidden(typed, system)))
  if (!mustNot.ok) return mustNot
  const criteria = planned ? [laterCriterion] : read.value
  if (!planned && !criteria.some(({ command }) => command !== null)) return noPromise(values)
  const names = [...criteria, ...mustNot.value].map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) return invalid({ kind: 'criterion-twice', name: twice })
  const protect = globsFrom(values, 'protect')
  if (!protect.ok) return protect
  const allow = globsFrom(values, 'allow')
  if (!allow.ok) return allow
  const holdout = wholeCommand(values, 'holdout', system)
  if (!holdout.ok) return holdout
  return ok({
    criteria,
    ...(mustNot.value.length > 0 && { mustNot: mustNot.value }),
    ...(protect.value.length > 0 && { protect: protect.value }),
    ...(allow.value.length > 0 && { allow: allow.value }),
    ...(holdout.value !== null && { holdout: system.seal(holdout.value) }),
  })
}

const laterCriterion: Criterion = { name: 'plan', command: null, verification: 'observation' }

/** Only assignments and comments: a shell reports success for these, whatever the state of the work. */
function runsNothing(command: string): boolean {
  const rest = command.replaceAll(/^\s*#.*$/gm, '').trim()
  return rest.replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'";&|])*(?:\s+|$))+/, '') === ''
}

function promise(typed: string, system: System): Result<Criterion> {
  const text = typed.trim()
  if (text === '') return invalid({ kind: 'empty-promise' })
  if (text.includes('\0')) return invalid({ kind: 'nul-in-promise' })
  const parts = splitName(text, system.hasProgram)
  if (runsNothing(parts?.command ?? text) && parts?.command !== '') {
    return invalid({ kind: 'promise-runs-nothing', text })
  }
  const { name, command } = parts ?? { name: text, command: text }
  if (command === '') return invalid({ kind: 'promise-without-command', name })
  const problem = system.shellProblem(command)
  if (problem !== null) return unreadable(`The promise ${name}`, command, problem)
  if (!parts) return ok({ name, command })
  if (parts.type === null) return ok({ name, command })
  const type = verification(parts.type)
  if (!type.ok) return type
  if (type.value === 'assumption') {
    return invalid({ kind: 'assumption-with-command', name })
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
  if (bare === '') return invalid({ kind: 'empty-confirm' })
  const type = verification(typeText ?? 'observation')
  if (!type.ok) return type
  if (!confirmable.includes(type.value)) {
    return invalid({ kind: 'verification-needs-command', type: type.value, name: bare })
  }
  return ok({ name: bare, command: null, verification: type.value })
}

function verification(typed: string): Result<Verification> {
  const wanted = typed.trim().replaceAll('-', ' ')
  const found = verifications.find(type => type === wanted)
  if (found) return ok(found)
  const near = nearest(wanted, verifications)
  return invalid({ kind: 'unknown-verification-type', typed, near, known: [...verifications] })
}

function forbidden(typed: string, system: System): Result<Forbidden> {
  const parts = splitName(typed, system.hasProgram)
  if (!parts?.command || parts.type !== null) {
    return invalid({ kind: 'bad-must-not', typed })
  }
  const { name, command } = parts
  const problem = system.shellProblem(command)
  return problem === null ? ok({ name, command }) : unreadable(`--must-not ${name}`, command, problem)
}

/** Found before anything is run: to a shell this is a failure like any other, and an agent could never mend it. */
function unreadable(what: string, command: string, problem: string): Result<never> {
  return invalid({ kind: 'unreadable-command', what, why: problem, command })
}

/** An option that is a command as a whole; null where it is not given. */
export function wholeCommand(values: Values, name: string, system: System): Result<string | null> {
  const command = values.value(name)
  if (command === null) return ok(null)
  if (command.trim() === '') return invalid({ kind: 'empty-hook', flag: name })
  const problem = system.shellProblem(command)
  return problem === null ? ok(command) : unreadable(`--${name}`, command, problem)
}

function globsFrom(values: Values, flag: 'protect' | 'allow'): Result<string[]> {
  const globs = values.values(flag)
  if (globs.length > 0 && values.value('checkpoint') === 'none') {
    return invalid({ kind: 'globs-without-checkpoints', flag })
  }
  for (const glob of globs) {
    if (glob.trim() === '') return invalid({ kind: 'empty-glob', flag })
    if (/^(\/|!|\.\.(\/|$))/.test(glob)) {
      return invalid({ kind: 'glob-outside', flag, glob })
    }
    try {
      matchesGlob('', glob)
    } catch {
      return invalid({ kind: 'no-glob', flag, glob })
    }
  }
  return ok(globs)
}

function noPromise(values: Values): Result<never> {
  return invalid({ kind: 'no-promise', confirms: values.given('confirm') })
}

/**
 * Splits `name=command`, `name:type=command` and `"any name"=command`. A command can contain a `=` too: text that a
 * shell would understand is never split, so a name of several words counts only if its first word is not something
 * that a shell would run. The command is not judged.
 */

type NamedCommand = { name: string; type: string | null; command: string }

/** One word, or anything in double quotes. An upper-case word is an assignment: `CI=1 npm test`. */
const oneWord =
  /^(?:((?![A-Z_][A-Z0-9_]*[:=])[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*)|"([^"\n]+)")(?::([a-z -]+))?=([\s\S]*)$/u

const severalWords = /^([\p{L}\p{M}\p{N}_.,% \t]+?)(?::([a-z -]+))?([ \t]*)=(?!=)([\s\S]*)$/u

/** Builtins and reserved words of /bin/sh (POSIX, dash, and bash where that is sh). */
const shellWords = new Set(
  `alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done
  echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs
  kill let local logout mapfile newgrp popd printf pushd pwd read readarray readonly return select set shift shopt
  source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while .`.split(
    /\s+/,
  ),
)

/** Null if the whole text is a command. */
export function splitName(text: string, isProgram: (word: string) => boolean): NamedCommand | null {
  const typed = text.trim()
  const [, bare, quoted, type, command] = oneWord.exec(typed) ?? []
  if (command === undefined) return splitWords(typed, isProgram)
  if (bare !== undefined && type === undefined && isAssignment(bare, command)) return null
  return named(bare ?? quoted ?? '', type, command)
}

function splitWords(typed: string, isProgram: (word: string) => boolean): NamedCommand | null {
  const [, words = '', type, space = '', command] = severalWords.exec(typed) ?? []
  if (command === undefined) return null
  const [first = '', ...more] = words.trim().split(/\s+/)
  if (shellWords.has(first) || isProgram(first)) return null
  const last = more.at(-1) ?? first
  const assigns = type === undefined && space === '' && /^[A-Z_][A-Z0-9_]*$/.test(last)
  return assigns ? null : named([first, ...more].join(' '), type, command)
}

function named(name: string, type: string | undefined, command: string): NamedCommand {
  return { name, type: type ?? null, command: command.trim() }
}

/** `x=$(…); test "$x" = 1`, `n=3; test $n -gt 2`, `foo=1 npm test`: a value follows the =, not a command. */
function isAssignment(name: string, value: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name)) return false
  if (new RegExp(`\\$\\{?${name}\\b`).test(value)) return true
  return /^(?:\d+(?:\s|;|&&|$)|`[^`]*`\s*(?:;|&&|\|\||\n|$)|\$\([^()]*\)\s*(?:;|&&|\|\||\n|$))/.test(value)
}
