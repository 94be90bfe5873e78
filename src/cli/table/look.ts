/** The commands that show loops and what they did: each is one value; its code is loaded when it is used. */
import type { Flag } from '../../options/table/flag.ts'
import type { CommandDefinition } from '../command-table.ts'

const afterB: Flag = {
  name: 'after',
  help: 'with A..B, also what iteration B changed; without it, 1..3 goes from before iteration 1 to before iteration 3. A and B may also be names of checkpoints',
}

export const lookCommands: CommandDefinition[] = [
  {
    name: 'watch',
    usage: 'watch <id>',
    summary: 'watch a loop or a group live and steer it by keys; ? shows them, q leaves it running',
    words: 'live, with keys',
    flags: [
      {
        name: 'plain',
        help: 'plain lines as things happen, also on a terminal: for screen readers and logs',
      },
    ],
    json: {
      'watch <id>': { lines: 'event' },
    },
    examples: [
      'loop watch @last',
      'loop watch a1b2c3',
      'loop watch a1b2c3 --plain',
      'loop watch a1b2c3 --json',
    ],
    load: () => import('../commands/watch.ts'),
  },
  {
    name: 'status',
    usage: 'status [id]',
    summary: 'show open loops and the newest that ended; with an id, one loop in detail',
    words: 'all loops; -w live',
    flags: [{ name: 'watch', short: 'w', help: 'show it again and again, until the loop rests' }],
    json: {
      status: 'list',
      'status -w': { lines: 'list' },
      'status <id>': 'loop',
      'status <id> -w': { lines: 'loop' },
    },
    examples: ['loop status', 'loop status a1b', 'loop status @last --json', 'loop status -w'],
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'logs',
    usage: 'logs <id> [flags]',
    summary: 'show what the agent said and did, or what the promise printed',
    words: 'what the agent said',
    flags: [
      { name: 'follow', short: 'f', help: 'follow the output until the loop rests' },
      { name: 'promise', help: 'what the promise printed, not the agent; iteration 0 is the baseline' },
      { name: 'hook', help: 'what --on-complete or --on-failure printed' },
      { name: 'iteration', takes: 'N', help: 'the output of iteration N; without it, of the newest' },
      {
        name: 'line',
        takes: 'N|A..B',
        help: 'line N with the lines around it, or the lines A to B; fast however large the output is',
      },
      {
        name: 'announcements',
        help: 'what loop itself said, in its exact form: the lines [LOOP], the status block after each iteration, the end',
      },
      { name: 'raw', help: 'the bytes exactly as printed, not the text that loop makes of them' },
    ],
    json: {
      'logs <id>': { lines: 'logItem' },
      'logs <id> --promise': { lines: 'logPromise' },
      'logs <id> --hook': { lines: 'logHook' },
      'logs <id> --line <N>': { lines: 'logLine' },
      'logs <id> --announcements': 'announcements',
    },
    examples: [
      'loop logs @last',
      'loop logs a1b2c3 -f',
      'loop logs a1b2c3 --iteration 2',
      'loop logs a1b2c3 --promise',
      'loop logs a1b2c3 --announcements',
      'loop logs a1b2c3 --line 48210',
      `loop logs a1b2c3 --json | jq -r '.text // empty'`,
    ],
    load: () => import('../commands/logs.ts'),
  },
  {
    name: 'history',
    usage: 'history <id> [flags]',
    summary: 'list the iterations of a loop: verdict, duration, changes and cost',
    words: 'the iterations',
    flags: [
      {
        name: 'diff',
        takes: 'N|A..B',
        help: 'what iteration N changed, or what changed between two checkpoints, as an exact patch',
      },
      afterB,
      { name: 'verbose', short: 'v', help: 'also show the prompts, and what the agent printed' },
    ],
    json: {
      'history <id>': 'history',
      'history <group>': 'groupHistory',
      'history <id> --diff <N>': 'diff',
    },
    examples: ['loop history @last', 'loop history a1b2c3 --diff 2', 'loop history a1b2c3 -v'],
    load: () => import('../commands/history.ts'),
  },
  {
    name: 'diff',
    usage: 'diff <id> [A..B] [--after]',
    summary: 'print what a loop changed, or what changed between two checkpoints, as an exact patch',
    words: 'what was changed',
    flags: [afterB],
    json: {
      'diff <id>': 'diff',
      'diff <id> <A..B>': 'diff',
    },
    examples: [
      'loop diff @last',
      'loop diff a1b2c3 1..3 --after',
      'loop diff a1b2c3 initial..iter-002-after | git apply -R',
    ],
    load: () => import('../commands/diff.ts'),
  },
  {
    name: 'compare',
    usage: 'compare <id>',
    summary: 'show the attempts of a group side by side, every measure, and why one was chosen',
    words: 'attempts side by side',
    flags: [],
    json: {
      'compare <group>': 'compare',
    },
    examples: ['loop compare @last', 'loop compare a1b2c3 --json'],
    load: () => import('../commands/compare.ts'),
  },
  {
    name: 'report',
    usage: 'report [flags]',
    summary: 'report on all loops: waiting for you, failed and why, running, done; cost and changes',
    words: 'the morning report',
    flags: [
      {
        name: 'since',
        takes: 'when',
        default: '12h',
        help: 'what happened since then: 12h, 7d, today, yesterday, 2026-11-16, 2026-11-16T22:00',
      },
    ],
    json: {
      report: 'report',
    },
    examples: ['loop report', 'loop report --since yesterday', 'loop report --since 7d --json'],
    load: () => import('../commands/report.ts'),
  },
  {
    name: 'list',
    usage: 'list [flags]',
    summary: 'list all loops, newest first; those of this directory come before the others',
    words: 'every loop there was',
    flags: [
      {
        name: 'status',
        takes: 'status',
        repeat: true,
        help: 'only loops in this status; several with commas, or given several times',
      },
      { name: 'agent', takes: 'name', help: 'only loops of this agent' },
      {
        name: 'since',
        takes: 'when',
        help: 'only loops started since then: 2h, 7d, today, yesterday, 2026-11-16, 2026-11-16T22:00',
      },
      { name: 'limit', takes: 'N', help: 'at most N loops' },
    ],
    json: {
      list: 'list',
    },
    examples: ['loop list --status failed --since 7d', 'loop list --json --limit 50'],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'ui',
    usage: 'ui',
    summary: 'open the web page of loopd, which is started if it does not run',
    words: 'the web page',
    flags: [
      { name: 'print', help: 'print the address, which works once and for a minute, and open nothing' },
    ],
    forPeople: true,
    json: {
      ui: 'page',
    },
    examples: ['loop ui', 'loop ui --print'],
    load: () => import('../commands/ui.ts'),
  },
]
