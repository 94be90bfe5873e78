/**
 * Puts references into a shell command without putting any value into its text: `{{x}}` becomes the expansion of an
 * environment variable, quoted as its place needs, so a value cannot become code. One state machine follows quotes:
 *   plain ─'─> single ─'─> plain ─"─> double ─"─> plain;  in plain and double: $( ─> plain of a new frame ─)─> back
 * What it does not follow (heredocs, backquotes, arithmetic, …) refuses every value; so does a program that runs text.
 */
import { environmentName, type FoundReference, findReferences } from './text/references.ts'

const forms = {
  plain: (name: string) => `"$${name}"`,
  double: (name: string) => `\${${name}}`,
  single: (name: string) => `'"$${name}"'`,
  command: (name: string) => `/bin/sh -c "$${name}"`,
}
type SplicePlace = FoundReference & { form: keyof typeof forms; pipeline: number; refusal: Refusal | null }
/** The top, a subshell or a substitution. `isTarget`: the next word belongs to a redirection. */
type Frame = { quote: 'plain' | 'single' | 'double'; words: Token[]; word: Token | null; isTarget: boolean }
/** `frames`: the last is the innermost. `unsure`: what is not followed. */
type Scan = {
  text: string
  at: number
  frames: Frame[]
  commands: { words: Token[]; pipeline: number }[]
  places: SplicePlace[]
  pipeline: number
  isCompound: boolean
  unsure: string | null
}
const foreign: Refusal = { why: 'foreign', by: '${{' }
type Spliced = { command: string; paths: string[]; refused: (FoundReference & Refusal)[] }

/** `isCommand`: the variable is declared as a command, whose value runs in a shell of its own. */
export function splice(text: string, isCommand: (path: string) => boolean = () => false): Spliced {
  const found = findReferences(text)
  const { unsure, places } = judged(scanned(text, found), isCommand)
  if (unsure !== null) {
    const refusal: Refusal = { why: 'trouble', by: unsure }
    const read = found.filter(({ kind }) => kind !== 'escaped')
    const refused = read.map(one => ({ ...one, ...(one.kind === 'foreign' ? foreign : refusal) }))
    return { command: text, paths: [], refused }
  }
  let command = ''
  let at = 0
  for (const { start, end, path, kind, form } of places) {
    command += text.slice(at, kind === 'escaped' ? start - 1 : start)
    command += kind === 'escaped' ? text.slice(start, end) : forms[form](environmentName(path))
    at = end
  }
  const paths = places.flatMap(({ refusal, kind, path }) => (refusal || kind === 'escaped' ? [] : [path]))
  const refused = places.flatMap(place => (place.refusal ? [{ ...place, ...place.refusal }] : []))
  return { command: command + text.slice(at), paths: [...new Set(paths)], refused }
}

/** In a text with compounds, a value of any command can reach any other. */
function judged(scan: Scan, isCommand: (path: string) => boolean): Scan {
  const { commands, places, isCompound } = scan
  const verdicts = commands.flatMap(({ words, pipeline }) => {
    const [program, ...args] = withoutAssignments(words)
    const isWhole = ({ path, start, end, form }: SplicePlace) =>
      isCommand(path) && form === 'plain' && start === program?.start && end === start + program.raw.length
    const whole = args.length === 0 ? places.find(isWhole) : undefined
    if (whole) whole.form = 'command'
    const verdict = verdictOn(whole ? words.slice(0, -1) : words)
    return verdict ? [{ ...verdict, pipeline }] : []
  })
  for (const place of places) {
    if (place.form === 'command' || place.kind === 'escaped') continue
    const reaching = verdicts.find(one => isCompound || one.ofText || one.pipeline === place.pipeline)
    if (place.kind === 'foreign') place.refusal = foreign
    else if (isCommand(place.path)) place.refusal = { why: 'not-alone', by: '' }
    else if (reaching) place.refusal = { why: reaching.why, by: reaching.by }
  }
  return scan
}

const newFrame = (): Frame => ({ quote: 'plain', words: [], word: null, isTarget: false })
const innermost = ({ frames }: Scan): Frame => frames.at(-1) ?? newFrame()

function scanned(text: string, found: FoundReference[]): Scan {
  const references = new Map(found.map(one => [one.kind === 'escaped' ? one.start - 1 : one.start, one]))
  const state = { pipeline: 0, isCompound: false, unsure: null }
  const scan: Scan = { text, at: 0, frames: [newFrame()], commands: [], places: [], ...state }
  while (scan.at < text.length && scan.unsure === null) {
    const reference = references.get(scan.at)
    if (reference) takeReference(scan, reference)
    else step(scan)
  }
  const isOpen = scan.frames.length > 1 || innermost(scan).quote !== 'plain'
  if (isOpen) scan.unsure ??= 'a quote or ( that is not closed'
  endCommand(scan, '')
  return scan
}

function takeReference(scan: Scan, found: FoundReference): void {
  const frame = innermost(scan)
  scan.places.push({ ...found, form: frame.quote, pipeline: scan.pipeline, refusal: null })
  const leads = frame.word === null || frame.word.text === ''
  add(scan, found.kind === 'escaped' ? scan.text.slice(found.start, found.end) : null)
  scan.at = found.end
  if (found.kind === 'escaped') return
  if (frame.word) frame.word.leads ||= leads
  for (const { word } of scan.frames) if (word) word.hasValue = true
}

/** Adds text to the word; null for what is known only at run time. */
function add(scan: Scan, text: string | null): void {
  const frame = innermost(scan)
  frame.word ??= { start: scan.at, raw: '', text: '', hasValue: false, leads: false }
  frame.word.text = text === null || frame.word.text === null ? null : frame.word.text + text
}

const parameter = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-]|\{\w+(?:(?::?[-+=?]|[%#])[^\\'"`${}]*)?\})/y
/** The first that matches is taken. `where` is tested against the quotes, and `start` at the start of a word. */
const rules: [where: RegExp, form: RegExp, act: (scan: Scan, found: string) => unknown][] = [
  [/single/, /'/y, changeQuote],
  [/plain|double/, /`/y, stop('backquotes')],
  [/plain|double/, /\$\(\(|\$\[/y, stop('arithmetic')],
  [/plain|double/, /\$\(/y, open],
  [/plain|double/, parameter, scan => add(scan, null)],
  [/plain|double/, /\$\{/y, stop('${…}')],
  // A continued line without a blank before it could join the halves of an operator.
  [/plain|double/, /(?<=[ \t])\\\n/y, () => {}],
  [/plain|double/, /\\(?:\n|$)/y, stop('a backslash at the end of a line')],
  [/double/, /"/y, changeQuote],
  [/double/, /\\[^$`"\\]/y, add],
  [/plain|double/, /\\[^]/y, (scan, found) => add(scan, found.slice(1))],
  [/plain/, /\$['"]/y, stop("$'…'")],
  [/plain/, /<</y, stop('a heredoc')],
  [/plain/, /[<>]\(|\(\(|;[;&]|&>|\|&/y, (scan, found) => stop(found)(scan)],
  [/plain start/, /#[^\n]*|\d+(?=[<>])/y, () => {}],
  [/plain/, /['"]/y, changeQuote],
  [/plain/, /[ \t]+/y, endWord],
  [/plain/, /&&|\|\||[;&|\n]/y, endCommand],
  [/plain/, /[<>]+[&|]?/y, scan => Object.assign(endWord(scan), { isTarget: true })],
  [/plain/, /\(/y, open],
  [/plain/, /\)/y, close],
  // bash expands these into something else.
  [/plain/, /[*?[{]/y, scan => add(scan, null)],
  [/./, /[^]/y, add],
]

function step(scan: Scan): void {
  const { quote, word } = innermost(scan)
  for (const [where, form, act] of rules) {
    form.lastIndex = scan.at
    const found = where.test(word ? quote : `${quote} start`) ? form.exec(scan.text)?.[0] : undefined
    if (found === undefined) continue
    act(scan, found)
    scan.at += found.length
    return
  }
}

function stop(by: string): (scan: Scan) => unknown {
  return scan => Object.assign(scan, { unsure: by })
}

function changeQuote(scan: Scan, mark: string): void {
  add(scan, '')
  const frame = innermost(scan)
  frame.quote = frame.quote !== 'plain' ? 'plain' : mark === '"' ? 'double' : 'single'
}

function open(scan: Scan, found: string): void {
  if (found === '$(') add(scan, null)
  else if (endWord(scan).words.length > 0) scan.unsure = 'a ( after a word'
  scan.isCompound ||= found === '('
  scan.frames.push(newFrame())
}

function close(scan: Scan): void {
  endCommand(scan, ')')
  scan.frames.pop()
  if (scan.frames.length === 0) scan.unsure = 'a ) without its ('
}

function endWord(scan: Scan): Frame {
  const frame = innermost(scan)
  const { word, isTarget, words } = frame
  if (word === null) return frame
  word.raw = scan.text.slice(word.start, scan.at)
  if (word.raw === '[') word.text = '['
  Object.assign(frame, { word: null, isTarget: false })
  const isReserved = /^(?:if|then|elif|else|fi|while|until|for|do|done|[!{}])$/.test(word.raw)
  if (isReserved && words.length === 0 && word.raw !== '!') scan.isCompound = true
  if (!isTarget && (!isReserved || words.length > 0 || word.raw === 'for')) words.push(word)
  return frame
}

/** Only a pipe connects two commands, outside of compounds and substitutions. */
function endCommand(scan: Scan, operator: string): void {
  const frame = endWord(scan)
  if (frame.words.length > 0) scan.commands.push({ words: frame.words, pipeline: scan.pipeline })
  Object.assign(frame, { words: [], isTarget: false })
  if (operator !== '|' && scan.frames.length === 1) scan.pipeline += 1
}

/**
 * Which programs read code: the words of a command decide whether a value may stand in its pipeline. The rule is blunt:
 * in doubt it is code. Nothing is lost by it, since "$LOOP_VAR_x" can be written there by hand.
 */

/** Why a value may not stand there. `by`: the program or construct that would read it as code. */
export type Refusal = {
  why: 'evaluator' | 'program' | 'unknown-program' | 'option' | 'not-alone' | 'foreign' | 'trouble'
  by: string
}
/** `text`: null if it is known only at run time. `hasValue`: a value stands in it; `leads`: at its beginning. */
type Token = { start: number; raw: string; text: string | null; hasValue: boolean; leads: boolean }

/** Builtins that change how the shell reads everything after them: they refuse the values of the whole text. */
const shellState = names('eval . source trap alias declare typeset shopt let enable function coproc select')
/** They run a file; the words after its name are data. */
const scripted = names('sh bash dash zsh ksh mksh ash node nodejs python pypy perl ruby php')
/** The code is in their arguments, their input is data. */
const filters = names('sed awk gawk mawk nawk jq yq')
/** They read code, or take the name of a variable, in which bash looks for code. */
const evaluators =
  names(`eval fish csh tcsh rbash deno bun lua luajit tclsh expect osascript Rscript R julia elixir groovy scala ghci pwsh
  powershell ts-node tsx jshell irb guile sbcl emacs vim vi nvim ex ed gdb lldb ssh mosh rsh su runuser watch parallel
  script tmux screen at batch crontab make gmake bc dc m4 psql mysql mariadb sqlite mongosh mongo redis-cli xpath read
  unset getopts mapfile readarray bind complete compgen hash fc wait`)
/** They run another program, perhaps one of those. */
const wrappers =
  names(`env sudo doas nice ionice timeout stdbuf time nohup setsid command builtin exec busybox chroot
  taskset xargs npx pnpx bunx uvx flock`)
const readsCode = new Set([...scripted, ...filters, ...evaluators, ...wrappers])
/** Their arguments are data, even `-c` and `sh`. */
const plain = names('echo grep egrep fgrep notify-send printf test [ for export readonly local')
/** They have an option that runs a program, so a value must not become an option. */
const optionRunners = names('tar rsync scp sftp git hg svn find sort zip man less wget curl')
const asValue =
  /^(?:git (?:commit|tag|merge) (?:-a?m|--message)|git (?:log --grep|rev-parse --verify)|find \S* -(?:i?name|path))$/
/** An option of any program whose value is a command: `--exec`, `--rsh=…`, `-execdir`. */
const commandOption =
  /^(?:-c|-(?:exec|execdir|ok|okdir)|--[a-z-]*(?:eval|exec|execute|command|cmd|program|entrypoint|rsh|shell|editor|pager|promise)[a-z-]*)(?==|$)/
/** Variables that a program reads as code or as a path to it, or whose value bash reads as arithmetic. */
const steering =
  /^(?:PS[0-4]|PROMPT_COMMAND|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|LD_\w+|DYLD_\w+|NODE_OPTIONS|PERL5\w*|PYTHON(?:STARTUP|PATH|HOME)|RUBYOPT|GIT_\w+|\w*(?:EDITOR|PAGER)|VISUAL|BROWSER|MAKEFLAGS|PATH|OPTIND|S?RANDOM|HISTCMD)$/
/** A file that is written out, and is not standard input. */
const isFile = /^(?!.*\/(?:dev|proc)\/)(?:[\w@].*[./]|\.{0,2}\/)/
const takesFile = /^-\w*f|^-$|^--(?:file|from-file|exec)|^\/dev\//
const assignment = /^([A-Za-z_]\w*)\+?=/

/** `ofText`: it refuses the values of the whole text, not only those of its pipeline. */
function verdictOn(words: readonly Token[]): (Refusal & { ofText?: boolean }) | null {
  const named = words.map(({ raw, hasValue }) => (hasValue ? (assignment.exec(raw)?.[1] ?? '') : ''))
  const steered = named.find(name => steering.test(name))
  if (steered) return { why: 'evaluator', by: steered }
  const [program, ...args] = withoutAssignments(words)
  if (!program) return null
  const { text, raw, hasValue } = program
  if (text === null || !/^(?:[\w./~+@:%-]+|\[)$/.test(text))
    return { why: hasValue ? 'program' : 'unknown-program', by: raw }
  const name = familyOf(text)
  if (shellState.has(name)) return { why: 'evaluator', by: text, ofText: true }
  if (scripted.has(name) && isFile.test(args[0]?.text ?? '')) return null
  if (filters.has(name) && args.every(word => !takesFile.test(word.text ?? '-f'))) return null
  if (readsName(name, args)) return { why: 'evaluator', by: text }
  if (plain.has(name)) return null
  const code = [program, ...args].map(word => word.text ?? '').findLast(word => readsCode.has(familyOf(word)))
  if (!code) return verdictOnOptions(text, args)
  return { why: wrappers.has(familyOf(code)) ? 'unknown-program' : 'evaluator', by: code }
}

function withoutAssignments(words: readonly Token[]): readonly Token[] {
  const first = words.findIndex(({ raw }) => !assignment.test(raw))
  return first === -1 ? [] : words.slice(first)
}

/** Where bash looks for code in the name of a variable. A value could itself be the -v of `test` or `printf`. */
function readsName(name: string, args: readonly Token[]): boolean {
  const first = args[0]?.text ?? null
  if (name === 'printf') return first === null || first.startsWith('-')
  if (name === 'for') return !/^[A-Za-z_]\w*$/.test(first ?? '') || steering.test(first ?? '')
  if (name === 'test' || name === '[')
    return args.some(({ hasValue }, i) => hasValue && i > 0 && /^-[vR]$/.test(args[i - 1]?.text ?? '-v'))
  return /^(?:export|readonly|local)$/.test(name) && !args.every(({ raw }) => /^\w+(?:\+?=|$)/.test(raw))
}

function verdictOnOptions(program: string, args: readonly Token[]): Refusal | null {
  const end = args.findIndex(({ text }) => /^--(?:end-of-options)?$/.test(text ?? ''))
  for (const [i, { raw, hasValue, leads }] of args.entries()) {
    const before = args[i - 1]?.text ?? ''
    const option = commandOption.exec(before) ?? commandOption.exec(raw.replaceAll(/["'\\]/g, ''))
    if (hasValue && option) return { why: 'evaluator', by: `${program} ${option[0]}` }
    const isOperand = (end !== -1 && i > end) || asValue.test(`${program} ${args[0]?.text} ${before}`)
    if (leads && !isOperand && optionRunners.has(familyOf(program))) return { why: 'option', by: program }
  }
  return null
}

/** The program's name without its directory and version: `python3.12`, `lua5.4`, `sqlite3`. */
function familyOf(name: string): string {
  return name.replace(/^.*\//s, '').replace(/(?<=[A-Za-z])[\d.-]+$/, '')
}

function names(text: string): Set<string> {
  return new Set(text.split(/\s+/))
}
