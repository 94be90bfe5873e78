/**
 * The script for fish: one line per thing that can be completed, with its condition. Conditions count the arguments
 * without flags and their values, so that a flag may stand anywhere.
 */
import {
  type Completable,
  type CompletableFlag,
  type CompletableProgram,
  type LiveKind,
  liveCommand,
  liveKinds,
  type Offer,
  quoted,
  valueTakers,
} from './words.ts'

export function fish(programs: CompletableProgram[]): string {
  return `# fish completion for loop and loopd. To keep it: loop completion fish > ~/.config/fish/completions/loop.fish
# fish looks for that of loopd under its own name: ln -s loop.fish ~/.config/fish/completions/loopd.fish
function __loop_takes_value
  switch "$argv"
    case ${programs.flatMap(takersOf).map(quoted).join(' ')}
      return 0
  end
  return 1
end

# The command and its arguments before the cursor.
function __loop_words
  set -l line (commandline -opc)
  set -l program (string replace -r '.*/' '' -- $line[1])
  set -l command
  set -l is_value no
  for word in $line[2..-1]
    if test $is_value = yes
      set is_value no
    else if string match -qr -- '^-.' $word
      __loop_takes_value $program $command $word; and set is_value yes
    else
      set -q command[1]; or set command $word
      echo $word
    end
  end
end

# Is this the command, are there so many words with it, and is its first argument one of these?
function __loop_at
  set -l words (__loop_words)
  test "$words[1]" = "$argv[1]"; or return 1
  set -q argv[2]; or return 0
  test (count $words) -eq $argv[2]; or return 1
  set -q argv[3]; or return 0
  contains -- "$words[2]" $argv[3..-1]
end

${liveKinds.map(liveFunction).join('\n\n')}

${programs.map(ofProgram).join('\n\n')}`
}

function takersOf({ name: program, commands }: CompletableProgram): string[] {
  return commands.flatMap(command => valueTakers(command).map(typed => `${program} ${command.name} ${typed}`))
}

function ofProgram({ name: program, commands }: CompletableProgram): string {
  const names = commands.map(({ name }) => name)
  const line = `complete -c ${program}`
  const first = `${line} -n '__loop_at ""'`
  return `${line} -f
${commands.map(({ name, summary }) => `${first} -a ${name} -d ${quoted(summary)}`).join('\n')}
${first} -a help -d 'help for a command'
${line} -n '__loop_at help 1' -a ${quoted(names.join(' '))}
${commands.flatMap(command => commandLines(line, command)).join('\n')}`
}

/** `$words[2]` is the first argument of the command. */
function liveFunction(kind: LiveKind): string {
  const [source, about] =
    kind === 'variables' ? ['commandline -opc', '$words'] : ['__loop_words', '$words[2]']
  return `function __loop_${kind}
  set -l words (${source})
  ${liveCommand(kind, about)}
end`
}

function commandLines(line: string, { name, flags, argument, second }: Completable): string[] {
  return [
    ...flags.map(flag => `${line} -n '__loop_at ${name}' ${flagWords(flag)}`),
    ...(argument === null ? [] : [`${line} -n '__loop_at ${name} 1' ${offered(argument)}`]),
    ...second.map(({ after, offers }) => {
      const place = ['__loop_at', name, '2', ...(after ?? [])].join(' ')
      return `${line} -n '${place}' ${offered(offers)}`
    }),
  ]
}

function offered(offer: Offer): string {
  if (offer === 'file') return '-F'
  return Array.isArray(offer) ? `-a ${quoted(offer.join(' '))}` : `-a '(__loop_${offer})'`
}

function flagWords({ name, short, help, takes }: CompletableFlag): string {
  const spelled = `-l ${name}${short ? ` -s ${short}` : ''} -d ${quoted(help)}`
  if (takes === null) return spelled
  if (takes === 'file') return `${spelled} -r -F`
  return takes === 'text' ? `${spelled} -x` : `${spelled} -x ${offered(takes)}`
}
