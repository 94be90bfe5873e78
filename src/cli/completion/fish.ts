/** The script for fish: one line per thing that can be completed, with its condition. */
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

export function fish(programs: CompletableProgram[]): string {
  return `# fish completion for loop and loopd. To keep it: loop completion fish > ~/.config/fish/completions/loop.fish
# fish looks for that of loopd under its own name: ln -s loop.fish ~/.config/fish/completions/loopd.fish
${liveKinds.map(liveFunction).join('\n\n')}

${programs.map(ofProgram).join('\n\n')}`
}

function ofProgram({ name: program, commands }: CompletableProgram): string {
  const names = commands.map(({ name }) => name)
  const line = `complete -c ${program}`
  return `${line} -f
${commands.map(({ name, summary }) => `${line} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
${line} -n __fish_use_subcommand -a help -d 'help for a command'
${line} -n '__fish_seen_subcommand_from help' -a ${quoted(names.join(' '))}
${commands.flatMap(command => commandLines(line, command)).join('\n')}`
}

/** `$words[3]` is the first argument of the command. */
function liveFunction(kind: LiveKind): string {
  const about = kind === 'variables' ? '$words' : '$words[3]'
  return `function __loop_${kind}
  set -l words (commandline -opc)
  ${liveCommand(kind, about)}
end`
}

function commandLines(line: string, { name, flags, argument, second }: Completable): string[] {
  const seen = `__fish_seen_subcommand_from ${name}`
  return [
    ...flags.map(flag => `${line} -n '${seen}' ${flagWords(flag)}`),
    ...(argument === null ? [] : [`${line} -n '${firstCondition(name, argument)}' ${offered(argument)}`]),
    ...second.map(({ after, offers }) => {
      const also = after === null ? '' : `; and __fish_seen_subcommand_from ${after.join(' ')}`
      return `${line} -n '${seen}${also}' ${offered(offers)}`
    }),
  ]
}

/** Words are offered until one of them is on the line. */
function firstCondition(name: string, argument: Offer): string {
  const seen = `__fish_seen_subcommand_from ${name}`
  return Array.isArray(argument) ? `${seen}; and not __fish_seen_subcommand_from ${argument.join(' ')}` : seen
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
