/** The commands of the program loopd: each is one value; its code is loaded when it is used. */
import { settings } from '../../options/setting.ts'
import { configFlags } from '../../options/table/command.ts'
import type { CommandDefinition } from '../command-table.ts'
import { changesConfig } from './setup.ts'

const rows: CommandDefinition[] = [
  {
    name: 'start',
    usage: 'start [flags]',
    summary: 'run loops in the background, also those that an earlier loopd left open',
    flags: [
      {
        name: 'foreground',
        help: 'stay in the foreground; Ctrl-C ends it after the iterations, a second Ctrl-C at once',
      },
      { name: 'verbose', short: 'v', help: 'with --foreground: show the log' },
    ],
    forPeople: true,
    json: {
      'loopd start': 'daemonStarted',
      'loopd start --foreground': { none: 'prints nothing on stdout; its log is on stderr and in its file' },
    },
    examples: ['loopd start', 'loopd start --foreground -v'],
    load: () => import('../commands/loopd-start.ts'),
  },
  {
    name: 'stop',
    usage: 'stop [flags]',
    summary: 'end loopd when the iterations under way have ended; the next loopd continues the loops',
    flags: [
      { name: 'now', help: 'end it at once; agents that run go on, and the next loopd attaches to them' },
    ],
    forPeople: true,
    json: {
      'loopd stop': 'daemonEnded',
    },
    examples: ['loopd stop', 'loopd stop --now'],
    load: () => import('../commands/loopd-stop.ts'),
  },
  {
    name: 'status',
    usage: 'status',
    summary: 'show whether loopd runs, what it hosts, where it serves, and what is wrong',
    flags: [],
    json: {
      'loopd status': 'daemon',
    },
    examples: ['loopd status', 'loopd status --json'],
    load: () => import('../commands/loopd-status.ts'),
  },
  {
    name: 'config',
    usage: 'config list | get <key> | set <key> <value> | unset <key> | path',
    summary: 'do the same as loop config; loopd reads a changed value by itself',
    flags: configFlags,
    keys: settings.filter(setting => !setting.project),
    forPeople: changesConfig,
    json: {
      'loopd config': { none: 'prints what loop config prints' },
    },
    examples: ['loopd config set max_concurrent_loops 8', 'loopd config get web_ui_port'],
    load: () => import('../commands/config.ts'),
  },
  {
    name: 'service',
    usage: 'service install | uninstall | print',
    summary: 'install a systemd unit for you: it starts loopd at login, and again after a crash',
    flags: [],
    forPeople: ({ positionals }) => positionals[0] !== 'print',
    json: {
      'loopd service install|uninstall|print': 'service',
    },
    examples: ['loopd service install', 'loopd service print'],
    load: () => import('../commands/loopd-service.ts'),
  },
]

export const daemonCommands: CommandDefinition[] = rows.map(row => ({ ...row, program: 'loopd' }))

export function daemonHelp(): string {
  const width = Math.max(...daemonCommands.map(({ name }) => name.length))
  return [
    'loopd runs loops in the background.',
    '',
    'loop start -b starts it by itself. Its death loses nothing: agents go on, and the next loopd attaches to them.',
    '',
    'Commands:',
    ...daemonCommands.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`),
    '',
    'More about a command: loopd <command> --help',
  ].join('\n')
}
