/** The script for zsh: the arguments of _arguments for each command. */
import {
  type Completable,
  type CompletableFlag,
  type CompletableProgram,
  type LiveKind,
  liveCommand,
  liveKinds,
  type Offer,
  quoted,
} from './words.ts'

export function zsh(programs: CompletableProgram[]): string {
  const names = programs.map(({ name }) => name).join(' ')
  return `#compdef ${names}
# zsh completion for loop and loopd. Put it as _loop into a directory of your fpath, or: source <(loop completion zsh)
${liveKinds.map(liveFunction).join('\n\n')}

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
    'help:help for a command'
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
    help) (( CURRENT == 2 )) && _describe command commands ;;
  esac
}`,
  ].join('\n\n')
}

/** `$line[1]` is the first argument of the command, also behind flags. No space between a variable and its value. */
function liveFunction(kind: LiveKind): string {
  const about = kind === 'variables' ? '"${words[@]}"' : '"$line[1]"'
  return `_loop_${kind}() {
  local -a found
  found=(\${(f)"$(${liveCommand(kind, about)})"})
  compadd "$@"${kind === 'variables' ? " -S ''" : ''} -a found
}`
}

/** The second argument depends on the first. */
function secondFunction(program: string, { name, second }: Completable): string[] {
  if (second.length === 0) return []
  const cases = second.map(({ after, offers }) => `    ${after?.join('|') ?? '*'}) ${offeredBy(offers)} ;;`)
  return [`_${program}_${name}_second() {\n  case $line[1] in\n${cases.join('\n')}\n  esac\n}`]
}

function offeredBy(offer: Offer): string {
  if (offer === 'file') return '_files'
  return Array.isArray(offer) ? `compadd "$@" ${offer.join(' ')}` : `_loop_${offer} "$@"`
}

function commandCase(program: string, command: Completable): string {
  const { name, flags, argument, second } = command
  const told = [
    ...flags.flatMap(flagSpecs),
    ...(argument === null ? [] : [`'1:what:${actionOf(argument)}'`]),
    ...(second.length === 0 ? [] : [`'2:what:_${program}_${name}_second'`]),
    // Text of the user, such as a prompt: flags may follow it.
    "'*: : '",
  ]
    .map(spec => ` \\\n      ${spec}`)
    .join('')
  return `    ${name}) _arguments -s${told} ;;`
}

/** The action in the syntax of _arguments. */
function actionOf(offer: Offer): string {
  if (offer === 'file') return '_files'
  return Array.isArray(offer) ? `(${offer.join(' ')})` : `_loop_${offer}`
}

function flagSpecs(flag: CompletableFlag): string[] {
  const help = `[${flag.help.replaceAll(/[[\]:\\]/g, String.raw`\$&`)}]`
  const value = valueSpec(flag)
  const often = flag.isRepeatable ? '*' : ''
  const long = `${often}--${flag.name}${value && '='}${help}${value}`
  const short = flag.short ? [`${often}-${flag.short}${help}${value}`] : []
  return [long, ...short].map(quoted)
}

function valueSpec({ name, takes }: CompletableFlag): string {
  if (takes === null) return ''
  return takes === 'text' ? `:${name}:` : `:${name}:${actionOf(takes)}`
}
