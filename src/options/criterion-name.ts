/**
 * Splits `name=command`, `name:type=command` and `"any name"=command`. A command can contain a `=` too: text that a
 * shell would understand is never split, so a name of several words counts only if its first word is not something
 * that a shell would run. The command is not judged.
 */

type Named = { name: string; type: string | null; command: string }

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
export function splitName(text: string, isProgram: (word: string) => boolean): Named | null {
  const typed = text.trim()
  const [, bare, quoted, type, command] = oneWord.exec(typed) ?? []
  if (command === undefined) return splitWords(typed, isProgram)
  if (bare !== undefined && type === undefined && isAssignment(bare, command)) return null
  return named(bare ?? quoted ?? '', type, command)
}

function splitWords(typed: string, isProgram: (word: string) => boolean): Named | null {
  const [, words = '', type, space = '', command] = severalWords.exec(typed) ?? []
  if (command === undefined) return null
  const [first = '', ...more] = words.trim().split(/\s+/)
  if (shellWords.has(first) || isProgram(first)) return null
  const last = more.at(-1) ?? first
  const assigns = type === undefined && space === '' && /^[A-Z_][A-Z0-9_]*$/.test(last)
  return assigns ? null : named([first, ...more].join(' '), type, command)
}

function named(name: string, type: string | undefined, command: string): Named {
  return { name, type: type ?? null, command: command.trim() }
}

/** `x=$(…); test "$x" = 1`, `n=3; test $n -gt 2`, `foo=1 npm test`: a value follows the =, not a command. */
function isAssignment(name: string, value: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name)) return false
  if (new RegExp(`\\$\\{?${name}\\b`).test(value)) return true
  return /^(?:\d+(?:\s|;|&&|$)|`[^`]*`\s*(?:;|&&|\|\||\n|$)|\$\([^()]*\)\s*(?:;|&&|\|\||\n|$))/.test(value)
}
