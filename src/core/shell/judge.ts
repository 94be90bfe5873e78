/**
 * Decides whether a value may be placed where its reference stands in a command. It is refused where a program
 * would read it as code, as a program's name, and on the standard input of a shell. It marks the places; views
 * make the words.
 */
import {
  baseName,
  commandOptionIn,
  hasRunningOption,
  isFlagOf,
  isSubcommandOf,
  kindOfProgram,
  mayBeRun,
  readsCode,
  steers,
  takesCode,
} from './programs.ts'
import {
  type Element,
  type Refusal,
  type ShellReader,
  type SimpleCommand,
  troubled,
  type ValuePlace,
  type Word,
} from './reader.ts'

/** `isCommand`: the variable is declared as a command, whose value runs in a shell of its own. */
export function judge(reader: ShellReader, isCommand: (path: string) => boolean): void {
  for (const command of reader.commands) {
    if (changesMeaning(command))
      troubled(reader, `${command.words[0]?.raw}, which changes what an assignment does`)
    judgeCommand(command, reader, isCommand)
  }
  for (const place of reader.places) {
    if (place.quoting !== 'command' && isCommand(place.found.path))
      refuse([place], { why: 'not-alone', by: '' })
  }
  for (const pipeline of reader.pipelines) judgePipeline(pipeline)
}

/** `declare -i n` evaluates every later value of n as an expression; an alias turns a word into another command. */
function changesMeaning({ words: [program, ...args] }: SimpleCommand): boolean {
  const name = program?.text ?? ''
  if (['declare', 'typeset', 'integer', 'alias', 'shopt'].includes(name)) return true
  return kindOfProgram(name).is === 'exports' && args.some(({ text }) => /^-\w*[in]/.test(text ?? ''))
}

function judgePipeline(pipeline: Element[]): void {
  for (const [i, { runsInput, stdin }] of pipeline.entries()) {
    if (runsInput === null) continue
    const before = pipeline.slice(0, i).flatMap(({ places }) => places)
    refuse([...before, ...stdin], { why: 'standard-input', by: runsInput })
  }
}

function refuse(places: ValuePlace[], refusal: Refusal): void {
  for (const place of places) place.refusal ??= refusal
}

function refuseIn(words: Word[], refusal: Refusal): void {
  refuse(
    words.flatMap(({ places }) => places),
    refusal,
  )
}

const assignment = /^([A-Za-z_]\w*)\+?=/

function judgeCommand(
  command: SimpleCommand,
  reader: ShellReader,
  isCommand: (path: string) => boolean,
): void {
  const { words } = command
  const first = words.findIndex(({ raw }) => !assignment.test(raw))
  const assignments = first === -1 ? words : words.slice(0, first)
  for (const word of assignments) judgeAssignment(word)
  const [program, ...args] = first === -1 ? [] : words.slice(first)
  if (!program) return
  // make imports the environment as make variables and expands them.
  if (program.text && /^g?make$/.test(baseName(program.text)))
    refuseIn(assignments, { why: 'evaluator', by: program.text })
  const [place] = program.places
  if (place && isCommand(place.found.path) && place.quoting === 'bare' && isWhole(program, place)) {
    if (args.length === 0) place.quoting = 'command'
    return refuseIn(args, { why: 'unknown-program', by: program.raw })
  }
  refuse(program.places, { why: /^\w+\[/.test(program.raw) ? 'arithmetic' : 'program', by: program.raw })
  if (program.text === null || reader.functions.has(program.text)) {
    return refuseIn(args, { why: 'unknown-program', by: program.raw })
  }
  judgeProgram([program, ...args], command)
}

function isWhole({ raw }: Word, { found }: ValuePlace): boolean {
  return raw.length === found.end - found.start
}

function judgeAssignment({ raw, places }: Word): void {
  const [, name = ''] = assignment.exec(raw) ?? []
  if (steers(name)) refuse(places, { why: 'evaluator', by: name })
}

/** `words` starts with the program's name, which is a known literal. */
function judgeProgram(words: Word[], command: SimpleCommand): void {
  const [program, ...args] = words
  const name = program?.text ?? ''
  const kind = kindOfProgram(name)
  const code: Refusal = { why: 'evaluator', by: name }
  if (readsCode(name)) noteRunsInput(command, name)
  switch (kind.is) {
    case 'evaluator':
      if (args.some(isDynamic) || args.some(readsStdin) || isSession(name, args)) noteRunsInput(command, name)
      return refuseIn(args, code)
    case 'shell':
    case 'interpreter':
      return judgeInterpreter(name, args, command)
    case 'wrapper':
      return judgeWrapper(name, args, { command, ...kind.wrapper })
    case 'exports':
      return judgeExports(args, code)
    case 'tests':
      return judgeTests(name, args, code)
    case 'plain':
      return hasRunningOption(name) ? judgeOperands(name, args) : undefined
    case 'unknown':
      return judgeUnknown(name, args, command)
    default:
      return kind satisfies never
  }
}

/** bash evaluates subscripts in the name after -v, and a value could itself be that -v. */
function judgeTests(name: string, args: Word[], code: Refusal): void {
  if (name === 'printf') return refuseIn((args[0]?.text ?? '-v').startsWith('-v') ? args : [], code)
  refuseIn(
    args.filter((_, i) => i > 0 && /^-[vR]$/.test(args[i - 1]?.text ?? '-v')),
    code,
  )
}

/** A word that begins with a value could be read as an option, unless it follows `--` or an option's name. */
function judgeOperands(name: string, args: Word[]): void {
  const end = args.findIndex(({ text }) => text === '--' || text === '--end-of-options')
  for (const [i, { raw, places }] of args.slice(0, end === -1 ? args.length : end).entries()) {
    const isValue = args[i - 1]?.text?.startsWith('-') === true
    if (/^["']?\{\{/.test(raw) && !isValue) refuse(places, { why: 'option', by: name })
  }
}

function isDynamic({ text }: Word): boolean {
  return text === null
}

function readsStdin({ text }: Word): boolean {
  return /^\/dev\/(?:stdin|fd\/0)$|^\/proc\/self\/fd\/0$/.test(text ?? '')
}

/** ssh without a command runs a shell that reads standard input. */
function isSession(name: string, args: Word[]): boolean {
  return baseName(name) === 'ssh' && args.filter(({ text }) => !text?.startsWith('-')).length < 2
}

function noteRunsInput({ around }: SimpleCommand, name: string): void {
  for (const element of around) element.runsInput ??= name
}

/** Only the words after a literal script name are data, and only if no earlier option takes code. */
function judgeInterpreter(name: string, args: Word[], command: SimpleCommand): void {
  let script = false
  let code = false
  let before = '--'
  for (const { text, places } of args) {
    if (!script || code) refuse(places, { why: 'evaluator', by: name })
    if (text === null) code ||= !script
    else if (takesCode(name, text)) code = true
    else if (!/^[-+]/.test(text) && !isSubcommandOf(name, text))
      script ||= !/^[-+]/.test(before) || isFlagOf(name, before)
    before = text ?? ''
  }
  const isTold = code ? args.some(isDynamic) : !script || args.some(readsStdin)
  if (isTold || args.some(({ text }) => text === '-' || text === '-s')) noteRunsInput(command, name)
}

type Wrapped = { command: SimpleCommand; values: string; operands?: number; code?: RegExp }

function judgeWrapper(name: string, args: Word[], wrapped: Wrapped): void {
  const { command, values, code } = wrapped
  let left = wrapped.operands ?? 0
  let skips = false
  for (const [i, word] of args.entries()) {
    const isValue = skips
    skips = false
    if (isValue) refuse(word.places, { why: 'unknown-program', by: name })
    else if (assignment.test(word.raw)) judgeAssignment(word)
    else if (word.text === null || code?.test(word.text) || /^--[^=]+$/.test(word.text)) break
    else if (word.text.startsWith('-'))
      skips = values.includes(word.text.at(-1) ?? ' ') && word.text.length === 2
    else if (left > 0) left -= 1
    else {
      if (name === 'xargs' && args.slice(i).some(isCodeProgram)) noteRunsInput(command, name)
      return judgeProgram(args.slice(i), command)
    }
  }
  refuseIn(
    args.filter(({ raw }) => !assignment.test(raw)),
    { why: 'unknown-program', by: name },
  )
  if (args.some(isCodeProgram) || code !== undefined) {
    refuseIn(args, { why: 'unknown-program', by: name })
    noteRunsInput(command, name)
  }
}

function isCodeProgram({ text }: Word): boolean {
  return text !== null && mayBeRun(text)
}

/** A value may follow `NAME=`; elsewhere it would be read as an option or a name. */
function judgeExports(args: Word[], code: Refusal): void {
  const isPlain = !args.some(
    ({ text, raw }) => text?.startsWith('-') || (text === null && !assignment.test(raw)),
  )
  for (const word of args) {
    if (isPlain && assignment.test(word.raw)) judgeAssignment(word)
    else refuse(word.places, code)
  }
}

/**
 * Looks for a program among the arguments, as in `docker exec web sh -c …` and `find . -exec sh -c …`, and for
 * an option that takes code.
 */
function judgeUnknown(name: string, args: Word[], command: SimpleCommand): void {
  if (hasRunningOption(name)) judgeOperands(name, args)
  for (const [i, word] of args.entries()) {
    const option = commandOptionIn(args[i - 1]?.text ?? '')
    const joined = /=/.test(word.raw) ? commandOptionIn(word.raw) : null
    if (option || joined) refuse(word.places, { why: 'evaluator', by: `${name} ${option ?? joined}` })
    if (isCodeProgram(word)) judgeProgram(args.slice(i), command)
  }
}
