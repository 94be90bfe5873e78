/**
 * The commands as data for help, completion and the reference. The code of a command, commands/<name>, is loaded
 * when it is used.
 */

import type { Result } from '../model/failure.ts'
import { type Setting, settings } from '../options/setting.ts'
import { checkFlags } from '../options/table/check.ts'
import {
  applyFlags,
  cancelFlags,
  configFlags,
  diffFlags,
  doctorFlags,
  exportFlags,
  gcFlags,
  historyFlags,
  initFlags,
  listFlags,
  logsFlags,
  pickFlags,
  pluginFlags,
  reportFlags,
  resumeFlags,
  rollbackFlags,
  statusFlags,
  watchFlags,
} from '../options/table/command.ts'
import type { Flag } from '../options/table/flag.ts'
import { planFlags } from '../options/table/plan.ts'
import { startFlags } from '../options/table/start.ts'
import { startTemplateFlags, templateFlags, workflowFlags } from '../options/table/workflow.ts'
import type { Values } from '../options/values.ts'
import { planningCommands } from './table/planning.ts'

/** A command line: the values of its flags, and its arguments. */
export type Input = Values & { positionals: string[]; env: NodeJS.ProcessEnv }

/** Runs the command: returns the exit code, or a failure that main prints. */
export type CommandRun = (input: Input) => Promise<Result<number>>

export type CommandRow = {
  /** The program; loop if absent. */
  program?: 'loopd'
  name: string
  usage: string
  summary: string
  flags: Flag[]
  /** The configuration keys that its help mentions. */
  keys?: Setting[]
  examples: string[]
  load(): Promise<{ default: CommandRun }>
}

export const commands: CommandRow[] = [
  {
    name: 'start',
    usage: 'start <prompt> -p <cmd> [flags]',
    summary: 'run an agent until the promise holds; a prompt of - is read from stdin',
    flags: [...startFlags, ...planFlags, ...startTemplateFlags],
    examples: [
      `loop start "fix the failing tests" -p "npm test"`,
      `loop start "make the build pass" -p "make" -n 20 --timeout 15m --agent claude --fallback-agent codex`,
      `loop start - -p "cargo test" --agent custom --agent-cmd 'my-agent --yes' < task.md`,
      `loop start "the total of an empty cart is NaN" --template bugfix`,
      `loop start "port it to ESM" -p "npm test" --session   # typed, or run by the agent, inside a session`,
    ],
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'status',
    usage: 'status [id]',
    summary: 'show open loops and the newest that ended; with an id, one loop in detail',
    flags: statusFlags,
    examples: ['loop status', 'loop status a1b', 'loop status @last --json', 'loop status -w'],
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'watch',
    usage: 'watch <id>',
    summary: 'watch a loop or a group live and steer it by keys; ? shows them, q leaves it running',
    flags: watchFlags,
    examples: [
      'loop watch @last',
      'loop watch a1b2c3',
      'loop watch a1b2c3 --plain',
      'loop watch a1b2c3 --json',
    ],
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'list',
    usage: 'list [flags]',
    summary: 'list all loops, newest first; those of this directory come before the others',
    flags: listFlags,
    examples: ['loop list --status failed --since 7d', 'loop list --json --limit 50'],
    load: () => import('./commands/list.ts'),
  },
  {
    name: 'report',
    usage: 'report [flags]',
    summary: 'report on all loops: waiting for you, failed and why, running, done; cost and changes',
    flags: reportFlags,
    examples: ['loop report', 'loop report --since yesterday', 'loop report --since 7d --json'],
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'logs',
    usage: 'logs <id> [flags]',
    summary: 'show what the agent said and did, or what the promise printed',
    flags: logsFlags,
    examples: [
      'loop logs @last',
      'loop logs a1b2c3 -f',
      'loop logs a1b2c3 --iteration 2',
      'loop logs a1b2c3 --promise',
      'loop logs a1b2c3 --announcements',
      'loop logs a1b2c3 --line 48210',
      `loop logs a1b2c3 --json | jq -r '.text // empty'`,
    ],
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'history',
    usage: 'history <id> [flags]',
    summary: 'list the iterations of a loop: verdict, duration, changes and cost',
    flags: historyFlags,
    examples: ['loop history @last', 'loop history a1b2c3 --diff 2', 'loop history a1b2c3 -v'],
    load: () => import('./commands/history.ts'),
  },
  {
    name: 'diff',
    usage: 'diff <id> [A..B] [--after]',
    summary: 'print what a loop changed, or what changed between two checkpoints, as an exact patch',
    flags: diffFlags,
    examples: [
      'loop diff @last',
      'loop diff a1b2c3 1..3 --after',
      'loop diff a1b2c3 initial..iter-002-after | git apply -R',
    ],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'resume',
    usage: 'resume <id> [flags]',
    summary: 'continue a paused, failed, crashed or cancelled loop, or one whose process died',
    flags: resumeFlags,
    examples: ['loop resume @last', 'loop resume a1b2c3 --max-iterations 20'],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'compare',
    usage: 'compare <id>',
    summary: 'show the attempts of a group side by side, every measure, and why one was chosen',
    flags: [],
    examples: ['loop compare @last', 'loop compare a1b2c3 --json'],
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'pick',
    usage: 'pick <id> <attempt> [--file path]',
    summary: 'bring an attempt of a group into the work tree, or only some files of it',
    flags: pickFlags,
    examples: ['loop pick a1b2c3 2', 'loop pick a1b2c3 3-root-cause --file src/cart.js'],
    load: () => import('./commands/pick.ts'),
  },
  {
    name: 'apply',
    usage: 'apply <id> [--merge|--mine|--theirs]',
    summary: 'bring the result of a group, or of a loop that worked in a copy, into the work tree',
    flags: applyFlags,
    examples: ['loop apply a1b2c3', 'loop apply a1b2c3 --theirs'],
    load: () => import('./commands/apply.ts'),
  },
  {
    name: 'pause',
    usage: 'pause <id>',
    summary: 'pause a loop after this iteration; loop resume continues it',
    flags: [],
    examples: ['loop pause a1b2c3'],
    load: () => import('./commands/pause.ts'),
  },
  ...planningCommands,
  {
    name: 'inject',
    usage: 'inject <id> <text>',
    summary: 'tell the agent something in its next iteration, once; a text of - is read from stdin',
    flags: [{ name: 'file', takes: 'path', help: 'the text is in this file' }],
    examples: [
      'loop inject a1b2c3 "Focus on the UserService class"',
      'loop inject @last --file ./hints.txt',
      'echo "try mocking the database" | loop inject a1b2c3 -',
    ],
    load: () => import('./commands/inject.ts'),
  },
  {
    name: 'answer',
    usage: 'answer <id> [yes|no|text]',
    summary: 'answer the question of a loop or group; without an answer, show the question',
    flags: [],
    examples: ['loop answer @last', 'loop answer a1b2c3 yes', 'loop answer a1b2c3 "the button is too small"'],
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'checkpoint',
    usage: 'checkpoint <id> [name]',
    summary: 'save the work tree as it is now, under a name of your own',
    flags: [],
    examples: ['loop checkpoint a1b2c3', 'loop checkpoint @last before-the-rewrite'],
    load: () => import('./commands/checkpoint.ts'),
  },
  {
    name: 'rollback',
    usage: 'rollback <id> <checkpoint>',
    summary: 'bring the work tree back to a checkpoint; what is there now is saved first',
    flags: rollbackFlags,
    examples: [
      'loop rollback a1b2c3 3',
      'loop rollback a1b2c3 initial --dry-run',
      'loop rollback a1b2c3 --undo',
    ],
    load: () => import('./commands/rollback.ts'),
  },
  {
    name: 'cancel',
    usage: 'cancel <id>',
    summary: 'stop a loop now and end every process of its agent; the files stay as they are',
    flags: cancelFlags,
    examples: ['loop cancel a1b2c3', 'loop cancel @last --rollback'],
    load: () => import('./commands/cancel.ts'),
  },
  {
    name: 'workflow',
    usage: 'workflow run <file> | validate <file> | graph <file> | status <id> | schema',
    summary: 'run, check or draw a workflow: loops that depend on each other, in a YAML file',
    flags: workflowFlags,
    examples: [
      'loop workflow run implement-feature.yaml --set feature=user-auth --dry-run',
      'loop workflow validate implement-feature.yaml --set feature=user-auth',
      'loop workflow graph implement-feature.yaml --format mermaid',
      'loop workflow schema > workflow.schema.json',
    ],
    load: () => import('./commands/workflow.ts'),
  },
  {
    name: 'template',
    usage: 'template list | show <name> | run <name> | create <name> [--from <id>]',
    summary: 'run, show or make a template: a workflow with variables, for work that comes again',
    flags: templateFlags,
    examples: [
      'loop template list',
      'loop template show tdd',
      'loop template run tdd --set feature="an empty cart has the total 0" --dry-run',
      'loop template create release-notes --from @last',
    ],
    load: () => import('./commands/template.ts'),
  },
  {
    name: 'check',
    usage: 'check <what> [flags]',
    summary: 'judge a step from inside its promise: red, green, proof, change, report and others',
    flags: checkFlags,
    examples: [
      `loop start "write a failing test for the empty cart" -p '"$LOOP_PROGRAM" check red --test "npm test"'`,
      `loop start "make it pass" -p '"$LOOP_PROGRAM" check green --test "npm test"'`,
    ],
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'init',
    usage: 'init <name> [flags]',
    summary: 'prepare a run inside this session: its directory, and the promise that ends it',
    flags: initFlags,
    examples: ['loop init login-feature', 'loop init login-feature --goal "users can log in" -p "npm test"'],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'hook',
    usage: 'hook stop | session-start',
    summary: 'answer the plugin of a session: JSON on stdin, JSON on stdout',
    flags: [
      {
        name: 'deadline',
        takes: 'time',
        help: 'answer within this time (55m), even if the promise still runs',
      },
    ],
    examples: [`echo '{"session_id":"s1","cwd":"/project"}' | loop hook stop`],
    load: () => import('./commands/hook.ts'),
  },
  {
    name: 'plugin',
    usage: 'plugin install | uninstall <claude|opencode> [--user|--project]',
    summary: 'install or remove the plugin for sessions of Claude Code or opencode',
    flags: pluginFlags,
    examples: [
      'loop plugin install claude',
      'loop plugin install opencode --project',
      'loop plugin uninstall claude',
    ],
    load: () => import('./commands/plugin.ts'),
  },
  {
    name: 'config',
    usage: 'config list | get <key> | set <key> <value> | unset <key> | path | trust | untrust',
    summary: 'show the defaults and where each comes from; set them for you or for a project',
    flags: configFlags,
    keys: settings,
    examples: [
      'loop config',
      'loop config set timeout 15m',
      'loop config set max_iterations 20 --project',
      'loop config get agent',
      'loop config trust',
    ],
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'export',
    usage: 'export <id> [flags]',
    summary: 'write a loop into one archive: journal, prompts, outputs, diffs; without secrets',
    flags: exportFlags,
    examples: [
      'loop export @last',
      'loop export a1b2c3 -o report.tar.gz',
      'loop export a1b2c3 -o - | ssh host tar xz',
    ],
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'doctor',
    usage: 'doctor [flags]',
    summary: 'check everything loop needs and keeps, and say how to mend what is wrong',
    flags: doctorFlags,
    examples: ['loop doctor', 'loop doctor --json', 'loop doctor --restore'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    usage: 'completion <bash|zsh|fish>',
    summary: 'print a script that lets your shell complete commands, flags, values and ids',
    flags: [],
    examples: [
      `loop completion bash >> ~/.bash_completion   # or for this shell: source <(loop completion bash)`,
      `loop completion zsh > "\${fpath[1]}/_loop"`,
      'loop completion fish > ~/.config/fish/completions/loop.fish',
    ],
    // Gets the table as an argument: importing it would put it into a separate file that every command loads.
    load: async () => ({ default: (await import('./commands/completion.ts')).default(commands) }),
  },
  {
    name: 'gc',
    usage: 'gc [flags]',
    summary: 'delete checkpoints, working copies and outputs of loops that ended a while ago',
    flags: gcFlags,
    examples: ['loop gc --dry-run', 'loop gc --checkpoint-retention 7d'],
    load: () => import('./commands/gc.ts'),
  },
  {
    name: 'ui',
    usage: 'ui',
    summary: 'open the web page of loopd, which is started if it does not run',
    flags: [
      { name: 'print', help: 'print the address, which works once and for a minute, and open nothing' },
    ],
    examples: ['loop ui', 'loop ui --print'],
    load: () => import('./commands/ui.ts'),
  },
  {
    name: 'mcp',
    usage: 'mcp',
    summary: 'serve loops as tools by the Model Context Protocol, on stdin and stdout',
    flags: [],
    examples: ['loop mcp', 'claude mcp add loop -- loop mcp'],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'demo',
    usage: 'demo [best-of|workflow|plan]',
    summary: 'run a real loop, or several, on a small sample project: no key, no network',
    flags: [{ name: 'plain', help: 'plain log lines, also on a terminal' }],
    examples: ['loop demo', 'loop demo best-of', 'loop demo workflow', 'loop demo plan'],
    load: () => import('./commands/demo.ts'),
  },
]
