/**
 * How programs treat their arguments and standard input, as far as it decides whether a value may stand there.
 * Most programs take data, shells and interpreters take code, wrappers run another program. In doubt it is
 * code.
 */

/** Shells: `-c` and standard input are code; the words after a script's name are data. */
const shells = words('sh bash dash zsh ksh mksh ash fish csh tcsh rbash')

/** Programs with a language of their own that can be given on the command line. */
const interpreters = words(
  `node nodejs deno bun python pypy perl ruby php lua luajit tclsh expect osascript Rscript R julia elixir
  groovy scala ghci pwsh powershell sed ts-node tsx jshell irb guile sbcl jq yq emacs vim vi nvim ex ed gdb lldb`,
)

/** Programs that evaluate their arguments as code or as names, or join them into a command line. */
const evaluators = words(
  `eval . source trap alias awk gawk mawk nawk ssh mosh rsh su runuser watch parallel script tmux screen at batch
  crontab make gmake bc dc m4 psql mysql mariadb sqlite sqlite3 mongosh mongo redis-cli xpath
  let declare typeset read unset getopts mapfile readarray bind complete compgen enable coproc
  hash fc wait`,
)

/** Programs that run the commands on their standard input. */
const readers = words(
  'at batch crontab bc dc m4 psql mysql mariadb sqlite sqlite3 mongosh mongo ed ex gdb lldb',
)

/** Programs whose arguments are always data. */
const plain = words(
  `echo grep egrep fgrep cat ls cd cp mv rm mkdir rmdir touch head tail wc sort uniq cut tr diff cmp true false :
  notify-send loop tar gzip gunzip curl wget gcc cc clang basename dirname realpath stat sleep exit return set shift
  kill pwd date tee which exec-path`,
)

/** Programs with an option that runs another program, so a value must not become an option. */
const optionRunners = words('tar rsync scp sftp git hg svn find sort zip man less wget curl')

/** Programs that run another program, which follows their options and the given number of operands. */
type Wrapper = { values: string; operands?: number; code?: RegExp }

const wrappers: Record<string, Wrapper> = {
  env: { values: 'uC', code: /^-[A-Za-z0-9]*S|^--split/ },
  sudo: { values: 'ugpCDRThrtcU', code: /^-[A-Za-z]*[si]|^--(?:shell|login)/ },
  doas: { values: 'uC', code: /^-[A-Za-z]*s/ },
  nice: { values: 'n' },
  ionice: { values: 'cnptu' },
  timeout: { values: 'ks', operands: 1 },
  stdbuf: { values: 'ioe' },
  time: { values: 'fo' },
  nohup: { values: '' },
  setsid: { values: '' },
  command: { values: '' },
  builtin: { values: '' },
  exec: { values: 'a' },
  busybox: { values: '' },
  chroot: { values: '', operands: 1 },
  taskset: { values: '', operands: 1 },
  xargs: { values: 'InPdaLsE' },
  npx: { values: 'p', code: /^-c$|^--call/ },
  pnpx: { values: 'p', code: /^-c$/ },
  bunx: { values: '' },
  uvx: { values: '' },
  flock: { values: 'wE', operands: 1, code: /^-[A-Za-z]*c|^--command/ },
}

/** An option that takes code, of any interpreter. */
const codeOption =
  /^-[A-Za-z0-9]*[cCeEprRBx]|^--(?:eval|print|exec|execute|command|expression|run|require|import|init|rcfile|init-file)/

const codeOfShell = /^-[A-Za-z]*c|^--(?:command|rcfile|init-file|init-command)/

/** Environment variables that a shell or another program reads as code, or as a path to code. */
const steering =
  /^(?:PS[0-4]|PROMPT_COMMAND|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|LD_\w+|DYLD_\w+|NODE_OPTIONS|PERL5\w*|PYTHON(?:STARTUP|PATH|HOME)|RUBYOPT|GIT_\w+|\w*(?:EDITOR|PAGER)|VISUAL|BROWSER|MAKEFLAGS|PATH)$/

type ProgramKind =
  | { is: 'shell' | 'evaluator' | 'interpreter' | 'plain' | 'unknown' | 'exports' | 'tests' }
  | { is: 'wrapper'; wrapper: Wrapper }

export function kindOfProgram(name: string): ProgramKind {
  const base = baseName(name)
  const wrapper = Object.hasOwn(wrappers, base) ? wrappers[base] : undefined
  if (wrapper) return { is: 'wrapper', wrapper }
  if (isOneOf(evaluators, base)) return { is: 'evaluator' }
  if (isOneOf(shells, base)) return { is: 'shell' }
  if (isOneOf(interpreters, base)) return { is: 'interpreter' }
  if (['export', 'readonly', 'local'].includes(base)) return { is: 'exports' }
  if (['test', '[', 'printf'].includes(base)) return { is: 'tests' }
  return { is: plain.has(base) ? 'plain' : 'unknown' }
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The version suffix is allowed: `python3.12`, `lua5.4`. */
function isOneOf(names: Set<string>, base: string): boolean {
  return names.has(base) || names.has(base.replace(/[\d.-]+$/, ''))
}

function isJq(name: string): boolean {
  return ['jq', 'yq'].includes(baseName(name))
}

/** Tells whether a word makes the interpreter run code: `-e`, `--eval=…`, `deno eval`. */
export function takesCode(interpreter: string, word: string): boolean {
  const isShell = kindOfProgram(interpreter).is === 'shell'
  if (isJq(interpreter)) return false
  const options = isShell ? codeOfShell : codeOption
  return options.test(word) || ['eval', 'repl'].includes(word)
}

/** Tells whether another program may run this argument: `docker exec web sh -c …`. */
export function mayBeRun(word: string): boolean {
  const { is } = kindOfProgram(word)
  return (
    is === 'shell' ||
    is === 'interpreter' ||
    ['eval', 'ssh', 'su', 'awk', 'gawk', 'mawk'].includes(baseName(word))
  )
}

/** An option of any program whose value is a command: `--exec`, `--rsh=…`, `-execdir`. */
const commandOption =
  /^(?:-c|-(?:exec|execdir|ok|okdir)|--[a-z-]*(?:eval|exec|execute|command|cmd|program|entrypoint|rsh|shell|editor|pager)[a-z-]*)(?==|$)/

export function commandOptionIn(word: string): string | null {
  return commandOption.exec(word)?.[0] ?? null
}

export function hasRunningOption(name: string): boolean {
  return optionRunners.has(baseName(name))
}

/** A subcommand of deno or bun, before the script. */
export function isSubcommandOf(interpreter: string, word: string): boolean {
  return ['deno', 'bun'].includes(baseName(interpreter)) && ['run', 'x', 'exec', 'task'].includes(word)
}

/** An interpreter's option without a value: the next word is the script. */
export function isFlagOf(interpreter: string, option: string): boolean {
  if (kindOfProgram(interpreter).is === 'shell') return /^(?:--|[-+][A-NP-Za-np-z]+)$/.test(option)
  if (isJq(interpreter)) return /^-\w+$|^--(?:arg|argjson|rawfile|slurpfile)$/.test(option)
  return /^(?:--|-[munBsEOqvIbwiz]+|--test|--check)$/.test(option)
}

export function readsCode(name: string): boolean {
  return isOneOf(readers, baseName(name))
}

export function steers(variable: string): boolean {
  return steering.test(variable)
}

/** Tells whether a word of the text can be the name of a program that takes code. */
export function namesShell(text: string): boolean {
  return text.split(/[\s;&|()<>'"`\\]+/).some(mayBeRun)
}

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/))
}
