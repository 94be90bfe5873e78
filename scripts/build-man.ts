/**
 * Writes the manual pages of `loop` and `loopd` from their commands, like the help and docs/reference/commands.md. The
 * text is that of the tables: here it only gets the marks that man understands.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type CommandDefinition, commands } from '../src/cli/command-table.ts'
import { daemonCommands } from '../src/cli/table/loopd.ts'
import { version } from '../src/model/version.ts'
import { commonFlags } from '../src/options/table/command.ts'
import type { Flag } from '../src/options/table/flag.ts'

const programs = {
  loop: {
    what: 'run a coding agent again and again until a promise holds',
    text: [
      'A promise is a command that exits 0 when the work is done. loop runs it itself, before the first iteration and after each one, and believes nothing else. It saves the work tree around every iteration and records every step in a journal, so a crash loses nothing.',
      'Begin with: loop demo',
    ],
    own: commands,
  },
  loopd: {
    what: 'host loops in the background',
    text: [
      'loop start \\-b starts it when it is needed. It continues every loop after a crash or a restart.',
    ],
    own: daemonCommands,
  },
}
const codes = [
  ['0', 'completed'],
  ['1', 'failed, or paused by loop'],
  ['2', 'cancelled, or paused by you'],
  ['3', 'crashed'],
  ['4', 'invalid arguments'],
  ['5', 'no daemon'],
]

/** Writes dist/man/loop.1 and dist/man/loopd.1. */
export function buildMan(): void {
  mkdirSync('dist/man', { recursive: true })
  for (const name of Object.keys(programs) as (keyof typeof programs)[])
    writeFileSync(`dist/man/${name}.1`, manPage(name))
}

export function manPage(name: keyof typeof programs): string {
  const { what, text, own } = programs[name]
  const other = name === 'loop' ? 'loopd' : 'loop'
  return `${[
    `.TH ${name.toUpperCase()} 1 "" "loop ${version}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${what}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.I command',
    '[flags]',
    '.SH DESCRIPTION',
    ...text.flatMap(paragraph => ['.PP', paragraph]),
    '.SH COMMANDS',
    ...own.flatMap(command => commandLines(name, command)),
    '.SH FLAGS OF EVERY COMMAND',
    ...commonFlags.flatMap(flagLines),
    '.SH EXIT STATUS',
    ...codes.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, meaning]),
    '.SH FILES',
    '.TP',
    '.I ~/.config/daedalos/loop/config.yaml',
    'Defaults of yours; see loop config.',
    '.TP',
    '.I ~/.local/share/daedalos/loop',
    'Journals, checkpoints and logs.',
    '.TP',
    '.I ~/.cache/daedalos/loop',
    'What can be made again.',
    '.SH SEE ALSO',
    `.BR ${other} (1),`,
    'the guide in docs/guide of the package',
  ].join('\n')}\n`
}

function commandLines(program: string, { usage, summary, flags, examples }: CommandDefinition): string[] {
  return [
    `.SS ${program} ${escaped(usage)}`,
    escaped(summary),
    ...flags.flatMap(flagLines),
    '.PP',
    'Examples:',
    '.PP',
    '.nf',
    ...examples.map(example => `    ${escaped(example)}`),
    '.fi',
  ]
}

function flagLines(flag: Flag): string[] {
  const { name, short, takes, help, default: usual } = flag
  return [
    '.TP',
    `.B ${escaped(`${short ? `-${short}, ` : ''}--${name}${takes ? ` <${takes}>` : ''}`)}`,
    escaped(`${help}${usual ? ` (default ${usual})` : ''}`),
  ]
}

/** Text as man prints it: no hyphen becomes a dash, no line begins with what it takes for a request. */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
}
