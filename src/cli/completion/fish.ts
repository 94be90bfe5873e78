/** The script for fish: one line for each thing that can be completed, and the condition under which. */
import { type Completable, type CompletableFlag, checkpointsCommand, idsCommand, quoted } from './words.ts'

export function fish(commands: Completable[]): string {
  const names = commands.map(({ name }) => name)
  return `# fish completion for loop. To keep it: loop completion fish > ~/.config/fish/completions/loop.fish
function __loop_ids
  ${idsCommand}
  echo @last
end

function __loop_checkpoints
  set -l words (commandline -opc)
  test (count $words) -ge 3; or return
  ${checkpointsCommand('$words[3]')}
end

complete -c loop -f
${commands.map(({ name, summary }) => `complete -c loop -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
complete -c loop -n __fish_use_subcommand -a help -d 'help for a command'
complete -c loop -n '__fish_seen_subcommand_from help' -a ${quoted(names.join(' '))}
${commands.flatMap(commandLines).join('\n')}`
}

function commandLines({ name, flags, argument, second }: Completable): string[] {
  const when = `complete -c loop -n '__fish_seen_subcommand_from ${name}'`
  const words = argument === 'id' ? '(__loop_ids)' : argument?.join(' ')
  return [
    ...flags.map(flag => `${when} ${flagWords(flag)}`),
    ...(words === undefined ? [] : [`${when} -a ${quoted(words)}`]),
    ...secondLines(name, second),
  ]
}

function secondLines(name: string, second: Completable['second']): string[] {
  if (second === null) return []
  const seen = `__fish_seen_subcommand_from ${name}`
  if (second === 'checkpoint') return [`complete -c loop -n '${seen}' -a '(__loop_checkpoints)'`]
  const also = `__fish_seen_subcommand_from ${second.after.join(' ')}`
  return [`complete -c loop -n '${seen}; and ${also}' -a ${quoted(second.words.join(' '))}`]
}

function flagWords({ name, short, help, takes }: CompletableFlag): string {
  const spelled = `-l ${name}${short ? ` -s ${short}` : ''} -d ${quoted(help)}`
  if (takes === null) return spelled
  if (takes === 'file') return `${spelled} -r -F`
  return takes === 'text' ? `${spelled} -x` : `${spelled} -x -a ${quoted(takes.join(' '))}`
}
