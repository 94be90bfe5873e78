/**
 * The rules of .gitignore files, with git's semantics: in a file the last match wins, and a deeper file wins over a
 * higher one. Parsed here because a `git check-ignore` for each new file would cost more than the whole scan;
 * test/conformance/checkpoint/ignore-rules.test.ts compares it with git. Text is latin1, one character per byte.
 * Git's rule that nothing below an ignored directory can be included again is kept by the caller, which does not
 * enter such a directory.
 */

type Rule = { negated: boolean; directoryOnly: boolean; wholePath: boolean; matches(text: string): boolean }

/** The rules of one file. `place` turns a path of the tree into a path relative to the directory of that file. */
export type Rules = { place(path: string): string; rules: readonly Rule[] }

/** The rules of a .gitignore in `directory` of the tree. */
export function rulesIn(directory: string, text: string): Rules {
  const skip = directory === '' ? 0 : directory.length + 1
  return { place: path => path.slice(skip), rules: parse(text) }
}

/** The rules of a .gitignore above the tree. `prefix`: the path of the tree from there, with a slash at its end. */
export function rulesAbove(prefix: string, text: string): Rules {
  return { place: path => prefix + path, rules: parse(text) }
}

/** `stack`: the rules of all files that apply, from the outermost directory to the innermost. */
export function isIgnored(stack: readonly Rules[], path: string, isDirectory: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const { place, rules } = stack[at] as Rules
    const placed = place(path)
    const rule = rules.findLast(
      one => (isDirectory || !one.directoryOnly) && one.matches(one.wholePath ? placed : name),
    )
    if (rule) return !rule.negated
  }
  return false
}

function parse(text: string): Rule[] {
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => withoutTrailingSpaces(line.replace(/\r$/, '')))
    .flatMap(line => parseRule(line) ?? [])
}

function withoutTrailingSpaces(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ' ') continue
    if (line[at] === '\\') at += 1
    end = at + 1
  }
  return line.slice(0, end)
}

function parseRule(line: string): Rule | null {
  const negated = line.startsWith('!')
  let pattern = negated ? line.slice(1) : line
  const directoryOnly = pattern.endsWith('/')
  if (directoryOnly) pattern = pattern.slice(0, -1)
  const wholePath = pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  return pattern === '' ? null : { negated, directoryOnly, wholePath, matches: matcher(pattern) }
}

function matcher(pattern: string): (text: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return text => text === pattern
  const suffix = /^\*([^*?[\\/]+)$/.exec(pattern)?.[1]
  if (suffix !== undefined) return text => text.endsWith(suffix) && !text.includes('/')
  const expression = expressionOf(pattern)
  return expression ? text => expression.test(text) : () => false
}

/** Null for a pattern that matches nothing in git: an unclosed bracket, a backslash at the end. */
function expressionOf(pattern: string): RegExp | null {
  let source = ''
  for (let at = 0; at < pattern.length; ) {
    const [, stars] = /^(\*+)/.exec(pattern.slice(at)) ?? []
    if (stars !== undefined) {
      const found = starsAt(pattern, at, stars.length)
      source += found.source
      at = found.next
    } else if (pattern[at] === '[') {
      const found = bracketAt(pattern, at)
      if (!found) return null
      source += found.source
      at = found.next
    } else if (pattern[at] === '\\') {
      if (at + 1 === pattern.length) return null
      source += byte(pattern.charCodeAt(at + 1))
      at += 2
    } else {
      source += pattern[at] === '?' ? '[^/]' : byte(pattern.charCodeAt(at))
      at += 1
    }
  }
  return new RegExp(`^${source}$`, 's')
}

type Piece = { source: string; next: number }

/**
 * Two stars match across directories only where they stand alone between slashes. Git compares the literal text
 * before the first wildcard separately, so stars right after that text count as standing at the start.
 */
function starsAt(pattern: string, at: number, count: number): Piece {
  const next = at + count
  const isStart = at === pattern.search(/[*?[\\]/)
  const alone = (isStart || pattern[at - 1] === '/') && (next === pattern.length || pattern[next] === '/')
  if (count < 2 || !alone) return { source: '[^/]*', next }
  return next === pattern.length ? { source: '.*', next } : { source: '(?:.*/)?', next: next + 1 }
}

function bracketAt(pattern: string, start: number): Piece | null {
  let at = start + 1
  const negated = pattern[at] === '!' || pattern[at] === '^'
  if (negated) at += 1
  const bytes = new Set<number>()
  let previous = 0
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    if (at >= pattern.length) return null
    const [named, name] = /^\[:([^\]]*?):\]/.exec(pattern.slice(at)) ?? []
    if (named !== undefined) {
      const members = classes[name ?? '']
      if (!members) return null
      for (const code of asciiOf(members)) bytes.add(code)
      previous = 0
      at += named.length
      continue
    }
    const isRange =
      pattern[at] === '-' && previous !== 0 && at + 1 < pattern.length && pattern[at + 1] !== ']'
    if (isRange) at += 1
    if (pattern[at] === '\\') at += 1
    if (at >= pattern.length) return null
    const code = pattern.charCodeAt(at)
    for (let one = isRange ? previous : code; one <= code; one += 1) bytes.add(one)
    previous = isRange ? 0 : code
    at += 1
  }
  bytes.delete(slash)
  const members = [...bytes].map(byte).join('')
  if (negated) return { source: `[^/${members}]`, next: at + 1 }
  return { source: members === '' ? '[]' : `[${members}]`, next: at + 1 }
}

function asciiOf(members: RegExp): number[] {
  return Array.from({ length: 128 }, (_, code) => code).filter(code =>
    members.test(String.fromCharCode(code)),
  )
}

const slash = 0x2f

const classes: Record<string, RegExp> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

function byte(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}
