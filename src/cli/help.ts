/**
 * The help texts, made from the data of the commands, in lines of at most 100 columns; the overview fits one screen
 * of 80.
 */

import type { Setting } from '../options/setting.ts'
import { commonFlags } from '../options/table/command.ts'
import type { Flag } from '../options/table/flag.ts'
import { wrap } from '../views/layout/fit.ts'
import type { CommandRow } from './command-table.ts'
import { forPrograms, startSections, tasks } from './help-tasks.ts'

export function helpFor(command: CommandRow, program = 'loop'): string {
  return [
    `${program} ${command.usage}`,
    '',
    command.summary,
    '',
    ...flagLines(command),
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

/** `start` has too many flags for one list. */
function flagLines({ name, flags }: CommandRow): string[] {
  const all = [...flags, ...commonFlags]
  if (name !== 'start') return ['Flags:', ...all.map(flagLine), '']
  const known = startSections.flatMap(([, names]) => names)
  const rest = all.filter(flag => !known.includes(flag.name)).map(flag => flag.name)
  const sections: [string, string[]][] = [...startSections, ['More', rest]]
  return sections.flatMap(([title, names]) => {
    const own = names.flatMap(one => all.find(flag => flag.name === one) ?? [])
    return own.length === 0 ? [] : [`${title}:`, ...own.map(flagLine), '']
  })
}

/** On one screen of 80 columns and 24 rows, grouped by task. */
export function helpForAll(commands: { name: string }[]): string {
  const names = new Set(commands.map(({ name }) => name))
  const known = [...forPrograms, ...tasks.flatMap(([, rows]) => rows.map(([name]) => name))]
  const rest = [...names].filter(name => !known.includes(name)).map((name): [string, string] => [name, ''])
  return [
    'loop runs a coding agent again and again until a promise holds: a command that',
    'exits 0 when the work is done. loop runs it itself and believes nothing else.',
    '',
    ...[...tasks, ['more', rest] as (typeof tasks)[number]].flatMap(([task, rows]) =>
      taskLines(
        task,
        rows.filter(([name]) => names.has(name)),
      ),
    ),
    `        ${forPrograms.filter(name => names.has(name)).join(', ')}: for sessions, agents and promises`,
    'Begin with: loop demo, or: loop start "fix the failing tests" -p "npm test"',
    'More about a command: loop <command> --help',
  ].join('\n')
}

/** Two commands in a row. */
function taskLines(task: string, rows: [string, string][]): string[] {
  const cells = rows.map(([name, words]) => `${name.padEnd(10)} ${words.padEnd(24)}`)
  return Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) => {
    const label = (i === 0 ? task : '').padEnd(7)
    return `${label} ${cells.slice(2 * i, 2 * i + 2).join('  ')}`.trimEnd()
  })
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

/** A name with a text in the column beside it; below it if the name is too long. */
function beside(name: string, text: string, width: number): string {
  const indent = ' '.repeat(width + 3)
  const lines = wrap(text, mostColumns - indent.length)
  const first = name.length > width ? `${name}\n${indent}` : `${name.padEnd(width)} `
  return `  ${first}${lines.join(`\n${indent}`)}`
}
