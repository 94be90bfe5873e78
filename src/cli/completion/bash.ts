/** The script for bash: one function that looks at the command, the word before, and the word to complete. */
import {
  type Completable,
  type CompletableFlag,
  type CompletableProgram,
  liveCommand,
  type Offer,
  spellings,
  valueTakers,
} from './words.ts'

export function bash(programs: CompletableProgram[]): string {
  return `# bash completion for loop and loopd. For this shell: source <(loop completion bash)
# Names of files, each as one word, however it is called; what was typed may be quoted.
_loop_files() {
  local IFS=$'\\n' typed=\${1//\\\\/}
  COMPREPLY=($(compgen -f -- "\${typed#[\\"\\']}"))
  compopt -o filenames 2>/dev/null
}

${programs.map(ofProgram).join('\n\n')}`
}

function ofProgram({ name: program, commands }: CompletableProgram): string {
  const names = commands.map(({ name }) => name).join(' ')
  const takers = commands.flatMap(command => valueTakers(command).map(flag => `${command.name}:${flag}`))
  return `_${program}_takes_value() {
  case $1 in
    ${takers.join('|') || "''"}) return 0 ;;
  esac
  return 1
}

_${program}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} first= at
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} help" -- "$word"))
    return
  fi
  # bash takes --flag=value for three words.
  [ "$before" = = ] && before=\${COMP_WORDS[COMP_CWORD-2]}
  [ "$word" = = ] && word=
  case $command:$before in
${commands.flatMap(({ name, flags }) => flags.filter(takes).map(flag => valueCase(name, flag))).join('\n')}
  esac
  if [[ $word == -* ]]; then
    case $command in
${commands.map(flagsCase).join('\n')}
    esac
    return
  fi
  for ((at = 2; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} == -* ]]; then
      _${program}_takes_value "$command:\${COMP_WORDS[at]}" && ((at++))
    else
      [ -z "$first" ] || return
      first=\${COMP_WORDS[at]}
    fi
  done
  if [ -n "$first" ]; then
    case $command:$first in
${commands.flatMap(secondCases).join('\n')}
    esac
    return
  fi
  case $command in
${commands.flatMap(argumentCase).join('\n')}
    help) COMPREPLY=($(compgen -W "${names}" -- "$word")) ;;
  esac
}

complete -F _${program} ${program}`
}

function takes(flag: CompletableFlag): boolean {
  return flag.takes !== null
}

/** `start:--agent`, `start:-p` */
function typed(command: string, flag: CompletableFlag): string[] {
  return spellings(flag).map(name => `${command}:${name}`)
}

function valueCase(command: string, flag: CompletableFlag): string {
  const names = typed(command, flag).join('|')
  const { takes: offer } = flag
  if (offer === null || offer === 'text') return `    ${names}) return ;;`
  return `    ${names}) ${offered(offer)}; return ;;`
}

/** The statement that offers these words; `$first` is the loop named earlier on the line. */
function offered(offer: Offer): string {
  if (offer === 'file') return '_loop_files "$word"'
  if (Array.isArray(offer)) return reply(offer.join(' '))
  // A variable is followed by its value without a space.
  if (offer === 'variables')
    return `${reply(`$(${liveCommand(offer, `"\${COMP_WORDS[@]}"`)})`)}; compopt -o nospace 2>/dev/null`
  return reply(`$(${liveCommand(offer, '"$first"')})`)
}

function reply(words: string): string {
  return `COMPREPLY=($(compgen -W "${words}" -- "$word"))`
}

function flagsCase({ name, flags }: Completable): string {
  return `      ${name}) COMPREPLY=($(compgen -W "${flags.flatMap(spellings).join(' ')}" -- "$word")) ;;`
}

function argumentCase({ name, argument }: Completable): string[] {
  return argument === null ? [] : [`    ${name}) ${offered(argument)} ;;`]
}

function secondCases({ name, second }: Completable): string[] {
  return second.map(({ after, offers }) => {
    const before = after === null ? `${name}:*` : after.map(verb => `${name}:${verb}`).join('|')
    return `      ${before}) ${offered(offers)} ;;`
  })
}
