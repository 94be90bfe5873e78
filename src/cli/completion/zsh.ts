/** The script for zsh: what _arguments is told about each command. */
import {
  type Completable,
  type CompletableFlag,
  type CompletableProgram,
  checkpointsCommand,
  idsCommand,
  quoted,
} from './words.ts'

export function zsh(programs: CompletableProgram[]): string {
  const names = programs.map(({ name }) => name).join(' ')
  return `#compdef ${names}
# zsh completion for loop and loopd. Put it as _loop into a directory of your fpath, or: source <(loop completion zsh)
_loop_ids() {
  local -a ids
  ids=(\${(f)"$(${idsCommand})"} @last)
  compadd -a ids
}

_loop_checkpoints() {
  local -a names
  names=(\${(f)"$(${checkpointsCommand('$words[2]')})"})
  compadd -a names
}

${programs.map(ofProgram).join('\n\n')}

_loop() {
  if [ "$service" = loopd ]; then
    _of_loopd
  else
    _of_loop
  fi
}

if [ "$funcstack[1]" = _loop ]; then
  _loop "$@"
else
  compdef _loop ${names}
fi`
}

function ofProgram({ name: program, commands }: CompletableProgram): string {
  return [
    ...commands.flatMap(command => secondFunction(program, command)),
    `_of_${program}() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(command => commandCase(program, command)).join('\n')}
  esac
}`,
  ].join('\n\n')
}

/** What is offered second depends on what stands first. */
function secondFunction(program: string, { name, second }: Completable): string[] {
  if (second === null || second === 'checkpoint') return []
  return [
    `_${program}_${name}_second() {
  case $words[2] in
    ${second.after.join('|')}) compadd ${second.words.join(' ')} ;;
  esac
}`,
  ]
}

function secondSpec(program: string, { name, second }: Completable): string[] {
  if (second === null) return []
  return [
    second === 'checkpoint' ? `'2:checkpoint:_loop_checkpoints'` : `'2:what:_${program}_${name}_second'`,
  ]
}

function commandCase(program: string, command: Completable): string {
  const { name, flags, argument } = command
  const first =
    argument === 'id' ? [`'1:loop:_loop_ids'`] : argument ? [`'1:what:(${argument.join(' ')})'`] : []
  const told = [...flags.flatMap(flagSpecs), ...first, ...secondSpec(program, command)]
    .map(spec => ` \\\n      ${spec}`)
    .join('')
  return `    ${name}) _arguments -s${told} ;;`
}

function flagSpecs(flag: CompletableFlag): string[] {
  const help = `[${flag.help.replaceAll(/[[\]:\\]/g, String.raw`\$&`)}]`
  const value = valueSpec(flag)
  const long = `--${flag.name}${value && '='}${help}${value}`
  const short = flag.short ? [`-${flag.short}${help}${value}`] : []
  return [long, ...short].map(quoted)
}

function valueSpec({ name, takes }: CompletableFlag): string {
  if (takes === null) return ''
  if (takes === 'file') return `:${name}:_files`
  return takes === 'text' ? `:${name}:` : `:${name}:(${takes.join(' ')})`
}
