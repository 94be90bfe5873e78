/** The commands that set loop up and keep it healthy: each is one value; its code is loaded when it is used. */
import { settings } from '../../options/setting.ts'
import { configFlags } from '../../options/table/command.ts'
import { defaultRetention } from '../../options/table/user.ts'
import type { CommandDefinition, Input } from '../command-table.ts'

export const setupCommands: CommandDefinition[] = [
  {
    name: 'doctor',
    usage: 'doctor [flags]',
    summary: 'check everything loop needs and keeps, and say how to mend what is wrong',
    words: 'what is wrong here',
    flags: [
      { name: 'restore', help: 'bring back the newest backup of a damaged store; the damaged file is kept' },
    ],
    forPeople: input => input.given('restore'),
    json: {
      doctor: 'doctor',
      'doctor --restore': 'restored',
    },
    examples: ['loop doctor', 'loop doctor --json', 'loop doctor --restore'],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'config',
    usage: 'config list | get <key> | set <key> <value> | unset <key> | path | trust | untrust',
    summary: 'show the defaults and where each comes from; set them for you or for a project',
    words: 'the defaults',
    flags: configFlags,
    keys: settings,
    forPeople: changesConfig,
    json: {
      config: 'settings',
      'config list': 'settings',
      'config get <key>': 'setting',
      'config set <key> <value>': 'settingChanged',
      'config unset <key>': 'settingChanged',
      'config path': 'configFiles',
      'config trust': 'trusted',
      'config untrust': 'trusted',
    },
    examples: [
      'loop config',
      'loop config set timeout 15m',
      'loop config set max_iterations 20 --project',
      'loop config get agent',
      'loop config trust',
    ],
    load: () => import('../commands/config.ts'),
  },
  {
    name: 'completion',
    usage: 'completion <bash|zsh|fish>',
    summary: 'print a script that lets your shell complete commands, flags, values and ids',
    words: 'for your shell',
    flags: [],
    json: { completion: { none: 'prints a script for a shell' } },
    examples: [
      `loop completion bash >> ~/.bash_completion   # or for this shell: source <(loop completion bash)`,
      `loop completion zsh > "\${fpath[1]}/_loop"`,
      'loop completion fish > ~/.config/fish/completions/loop.fish',
    ],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'plugin',
    usage: 'plugin install | uninstall <claude|opencode> [--user|--project]',
    summary: 'install or remove the plugin for sessions of Claude Code or opencode',
    words: 'for Claude and opencode',
    flags: [
      { name: 'user', help: 'in all your projects (the default)' },
      { name: 'project', help: 'in this project only' },
    ],
    forPeople: true,
    json: {
      'plugin install|uninstall <host>': 'plugin',
    },
    examples: [
      'loop plugin install claude',
      'loop plugin install opencode --project',
      'loop plugin uninstall claude',
    ],
    load: () => import('../commands/plugin.ts'),
  },
  {
    name: 'export',
    usage: 'export <id> [flags]',
    summary: 'write a loop into one archive: journal, prompts, outputs, diffs; without secrets',
    words: 'a loop as an archive',
    flags: [
      {
        name: 'output',
        short: 'o',
        takes: 'file',
        help: 'the file to write, - for stdout; without it, loop-<id>.tar.gz',
      },
      { name: 'force', help: 'overwrite a file that is there' },
    ],
    json: {
      'export <id>': 'exported',
    },
    examples: [
      'loop export @last',
      'loop export a1b2c3 -o report.tar.gz',
      'loop export a1b2c3 -o - | ssh host tar xz',
    ],
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'gc',
    usage: 'gc [flags]',
    summary: 'delete checkpoints, working copies and outputs of loops that ended a while ago',
    words: 'delete what is old',
    flags: [
      {
        name: 'checkpoint-retention',
        takes: 'time',
        default: defaultRetention.checkpoint,
        help: 'keep the checkpoints and working copies of loops that ended less than this long ago',
      },
      {
        name: 'output-retention',
        takes: 'time',
        default: defaultRetention.output,
        help: 'keep the output of the agents of loops that ended less than this long ago',
      },
      { name: 'keep-ends', help: 'keep the first and the last checkpoint of each loop, as loopd does' },
      { name: 'dry-run', help: 'show what would be freed, and delete nothing' },
      { name: 'yes', help: 'also delete what belongs to loops that the store does not know, without asking' },
    ],
    forPeople: input => !input.given('dry-run'),
    json: {
      gc: 'garbage',
      'gc … --dry-run': 'garbage',
    },
    examples: ['loop gc --dry-run', 'loop gc --checkpoint-retention 7d'],
    load: () => import('../commands/gc.ts'),
  },
]

/** Tells whether a command line of `config` sets something. */
export function changesConfig({ positionals: [action = ''] }: Input): boolean {
  return ['set', 'unset', 'trust', 'untrust'].includes(action)
}
