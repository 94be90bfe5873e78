/**
 * The help texts, made from the data of the commands, in lines that fit the terminal and have at most 100 columns; the
 * overview fits one screen of 80. An example is never broken: it is there to be copied.
 */

import { breakersAsHelped } from '../model/loop/breakers.ts'
import type { Setting } from '../options/setting.ts'
import { commonFlags } from '../options/table/command.ts'
import type { Flag } from '../options/table/flag.ts'
import { wrap } from '../views/layout/columns.ts'
import type { CommandDefinition } from './command-table.ts'

/** `columns`: of the terminal. */
type HelpWish = { program?: string; columns?: number | null }

export function helpFor(command: CommandDefinition, { program = 'loop', columns }: HelpWish = {}): string {
  const width = Math.max(leastColumns, Math.min(mostColumns, columns ?? mostColumns))
  return [
    `${program} ${command.usage}`,
    '',
    ...wrap(command.summary, width),
    '',
    ...flagLines(command, width),
    ...(command.flags.some(flag => flag.config)
      ? [...wrap('Set other defaults with: loop config set. What holds now: loop config list', width), '']
      : []),
    ...(command.keys ? ['Keys:', ...command.keys.map(key => keyLine(key, width)), ''] : []),
    'Examples:',
    ...command.examples.flatMap(example => exampleLines(example, width)),
    '',
    ...wrap(
      'Exit codes: 0 completed, 1 failed, 2 cancelled or paused, 3 crashed, 4 invalid, 5 no daemon.',
      width,
    ),
  ].join('\n')
}

/** A long example continues in the next line as a shell reads it, so that it can still be copied. */
function exampleLines(example: string, width: number): string[] {
  if (example.length + 2 <= width) return [`  ${example}`]
  const [command = '', comment] = example.split(/ +(?=# )/)
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  const rows: string[] = []
  for (const word of words) {
    const row = rows.at(-1)
    if (row !== undefined && row.length + word.length + 7 <= width) rows[rows.length - 1] = `${row} ${word}`
    else rows.push(word)
  }
  const last = rows.length - 1
  return [
    ...rows.map((row, i) => `${i === 0 ? '  ' : '    '}${row}${i < last ? ' \\' : ''}`),
    ...(comment === undefined ? [] : [`    ${comment}`]),
  ]
}

/** `start` has too many flags for one list. */
function flagLines({ name, flags }: CommandDefinition, width: number): string[] {
  const all = [...flags, ...commonFlags]
  const lines = (some: Flag[]) => some.map(flag => flagLine(flag, width))
  if (name !== 'start') return ['Flags:', ...lines(all), '']
  const known = startSections.flatMap(([, names]) => names)
  const rest = all.filter(flag => !known.includes(flag.name)).map(flag => flag.name)
  const sections: [string, string[]][] = [...startSections, ['More', rest]]
  return sections.flatMap(([title, names]) => {
    const own = names.flatMap(one => all.find(flag => flag.name === one) ?? [])
    return own.length === 0 ? [] : [`${title}:`, ...lines(own), '']
  })
}

/** On one screen of 80 columns and 24 rows, with the prompt of the shell below it, grouped by task. */
export function helpForAll(
  tasks: [task: string, rows: CommandDefinition[]][],
  forPrograms: CommandDefinition[],
): string {
  return [
    'loop runs a coding agent again and again until a promise holds: a command that',
    'exits 0 when the work is done. loop runs it itself and believes nothing else.',
    '',
    ...tasks.flatMap(([task, rows]) => taskLines(task, rows)),
    `        ${forPrograms.map(({ name }) => name).join(', ')}: for sessions, agents and promises`,
    'Begin with: loop demo. More about a command: loop <command> --help',
  ].join('\n')
}

/** Two commands in a row. */
function taskLines(task: string, rows: CommandDefinition[]): string[] {
  const cells = rows.map(({ name, words = '' }) => `${name.padEnd(10)} ${words.padEnd(24)}`)
  return Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) => {
    const label = (i === 0 ? task : '').padEnd(7)
    return `${label} ${cells.slice(2 * i, 2 * i + 2).join('  ')}`.trimEnd()
  })
}

function flagLine(flag: Flag, width: number): string {
  const short = flag.short ? `-${flag.short}, ` : '    '
  return line(`${short}--${flag.name}${flag.takes ? ` <${flag.takes}>` : ''}`, flag, width)
}

function keyLine(setting: Setting, width: number): string {
  return line(`${setting.key} <${setting.takes ?? 'true|false'}>`, setting, width)
}

const [leastColumns, mostColumns] = [60, 100]
/** Of a name; the text beside it begins after it. */
const nameColumns = 30

/** A name with a text in the column beside it; below it if the name is too long. */
function line(name: string, flag: Flag, width: number): string {
  const notes = [flag.default && `default ${flag.default}`, flag.env && `$${flag.env}`]
    .filter(Boolean)
    .join(', ')
  const indent = ' '.repeat(nameColumns + 3)
  const lines = wrap(`${flag.help}${notes ? ` (${notes})` : ''}`, width - indent.length)
  const first = name.length > nameColumns ? `${name}\n${indent}` : `${name.padEnd(nameColumns)} `
  return `  ${first}${lines.join(`\n${indent}`)}`
}

const startSections: [title: string, flags: string[]][] = [
  [
    'What is done',
    [
      'template',
      'set',
      'inject',
      'context-mode',
      'task-list',
      'answers',
      'ask-later',
      'force',
      'fresh',
      'shape-rule',
      'cwd',
      'session',
    ],
  ],
  [
    'When it is done',
    [
      'promise',
      'confirm',
      'must-not',
      'holdout',
      'verify-timeout',
      'fail-fast',
      'no-baseline',
      'counsel',
      'reviewers',
      'review-light',
    ],
  ],
  ['Agent', ['agent', 'agent-cmd', 'model', 'fallback-agent', 'price', 'max-wait', 'limit-backoff']],
  [
    'Limits',
    [
      'max-iterations',
      'budget',
      'timeout',
      'idle-timeout',
      'max-output',
      ...breakersAsHelped.map(({ flag }) => flag),
    ],
  ],
  [
    'Safety',
    [
      'checkpoint',
      'checkpoint-ignored',
      'protect',
      'allow',
      'sandbox',
      'sandbox-write',
      'sandbox-network',
      'pass-env',
      'trust',
      'state',
    ],
  ],
  [
    'Groups',
    [
      'best-of',
      'best-of-metric',
      'best-of-manual',
      'best-of-waves',
      'best-of-judge',
      'first-wins',
      'serial-promise',
      'copy-setup',
      'isolated',
    ],
  ],
  [
    'Output, and where it runs',
    [
      'background',
      'priority',
      'fleet',
      'notify',
      'on-complete',
      'on-failure',
      'hook-timeout',
      'verbose',
      'plain',
      'dry-run',
      'yes',
      'no-input',
      'json',
      'help',
    ],
  ],
]
