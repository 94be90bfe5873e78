/** The script for fish: one line for each thing that can be completed, and the condition under which. */
import {
  type Completable,
  type CompletableFlag,
  type CompletableProgram,
  checkpointsCommand,
  idsCommand,
  quoted,
} from './words.ts'

export function fish(programs: CompletableProgram[]): string {
  return `# fish completion for loop and loopd. To keep it: loop completion fish > ~/.config/fish/completions/loop.fish
# fish looks for that of loopd under its own name: ln -s loop.fish ~/.config/fish/completions/loopd.fish
function __loop_ids
  ${idsCommand}
  echo @last
end

function __loop_checkpoints
  set -l words (commandline -opc)
  test (count $words) -ge 3; or return
  ${checkpointsCommand('$words[3]')}
end

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

function commandLines(line: string, { name, flags, argument, second }: Completable): string[] {
  const when = `${line} -n '__fish_seen_subcommand_from ${name}'`
  return [
    ...flags.map(flag => `${when} ${flagWords(flag)}`),
    ...(argument === 'id' ? [`${when} -a '(__loop_ids)'`] : []),
    ...(Array.isArray(argument) ? [firstLine(line, name, argument)] : []),
    ...secondLines(line, name, second),
  ]
}

/** Offered until one of them is there. */
function firstLine(line: string, name: string, words: string[]): string {
  const list = words.join(' ')
  const when = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${list}`
  return `${line} -n '${when}' -a ${quoted(list)}`
}

function secondLines(line: string, name: string, second: Completable['second']): string[] {
  if (second === null) return []
  const seen = `__fish_seen_subcommand_from ${name}`
  if (second === 'checkpoint') return [`${line} -n '${seen}' -a '(__loop_checkpoints)'`]
  const also = `__fish_seen_subcommand_from ${second.after.join(' ')}`
  return [`${line} -n '${seen}; and ${also}' -a ${quoted(second.words.join(' '))}`]
}

function flagWords({ name, short, help, takes }: CompletableFlag): string {
  const spelled = `-l ${name}${short ? ` -s ${short}` : ''} -d ${quoted(help)}`
  if (takes === null) return spelled
  if (takes === 'file') return `${spelled} -r -F`
  return takes === 'text' ? `${spelled} -x` : `${spelled} -x -a ${quoted(takes.join(' '))}`
}
