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
export type Token = { start: number; raw: string; text: string | null; hasValue: boolean; leads: boolean }

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
export function verdictOn(words: readonly Token[]): (Refusal & { ofText?: boolean }) | null {
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

export function withoutAssignments(words: readonly Token[]): readonly Token[] {
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
