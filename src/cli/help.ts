/** The help texts, from the data of the commands, in lines of at most 100 columns. */

import type { Setting } from '../options/setting.ts'
import { commonFlags } from '../options/table/command.ts'
import type { Flag } from '../options/table/flag.ts'
import { wrap } from '../views/layout/fit.ts'
import type { CommandRow } from './command-table.ts'

export function helpFor(command: CommandRow, program = 'loop'): string {
  return [
    `${program} ${command.usage}`,
    '',
    command.summary,
    '',
    'Flags:',
    ...[...command.flags, ...commonFlags].map(flagLine),
    '',
    ...(command.flags.some(flag => flag.config)
      ? ['Set other defaults with: loop config set. What holds now: loop config list', '']
      : []),
    ...(command.keys ? ['Keys:', ...command.keys.map(keyLine), ''] : []),
    'Examples:',
    ...command.examples.map(example => `  ${example}`),
    '',
    'Exit codes: 0 completed, 1 failed, 2 cancelled or paused, 3 crashed, 4 invalid, 5 no daemon.',
  ].join('\n')
}

export function helpForAll(commands: { name: string; summary: string }[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'loop runs a coding agent again and again until a promise holds.',
    '',
    'A promise is a command that exits 0 when the work is done; loop runs it itself and believes nothing else.',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => beside(name, summary, width + 2)),
    '',
    'Examples:',
    '  loop demo',
    `  loop start "fix the failing tests" -p "npm test" --agent custom --agent-cmd 'my-agent --yes'`,
    '  loop status',
    '',
    'More about a command: loop <command> --help',
  ].join('\n')
}

function flagLine(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : '    '
  return line(`${short}--${flag.name}${flag.takes ? ` <${flag.takes}>` : ''}`, flag)
}

function keyLine(setting: Setting): string {
  return line(`${setting.key} <${setting.takes ?? 'true|false'}>`, setting)
}

function line(name: string, flag: Flag): string {
  const notes = [flag.default && `default ${flag.default}`, flag.env && `$${flag.env}`]
    .filter(Boolean)
    .join(', ')
  return beside(name, `${flag.help}${notes ? ` (${notes})` : ''}`, 30)
}

const mostColumns = 100

/** A name, and a text in a column beside it; below it where the name is too long for its own. */
function beside(name: string, text: string, width: number): string {
  const indent = ' '.repeat(width + 3)
  const lines = wrap(text, mostColumns - indent.length)
  const first = name.length > width ? `${name}\n${indent}` : `${name.padEnd(width)} `
  return `  ${first}${lines.join(`\n${indent}`)}`
}
