/** The commands that sessions, agents and promises use rather than people: each is one value; its code is loaded when it is used. */
import { checkFlags } from '../../options/table/check.ts'
import { initFlags } from '../../options/table/command.ts'
import type { CommandDefinition } from '../command-table.ts'

export const programCommands: CommandDefinition[] = [
  {
    name: 'init',
    usage: 'init <name> [flags]',
    summary: 'prepare a run inside this session: its directory, and the promise that ends it',
    flags: initFlags,
    forPeople: true,
    json: {
      'init <name> -p <command>': 'loop',
      'init <name>': 'sessionRun',
    },
    examples: ['loop init login-feature', 'loop init login-feature --goal "users can log in" -p "npm test"'],
    load: () => import('../commands/init.ts'),
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
    json: {
      hook: {
        none: 'speaks the protocol of the session that calls it: JSON in, JSON out, with or without --json',
      },
    },
    examples: [`echo '{"session_id":"s1","cwd":"/project"}' | loop hook stop`],
    load: () => import('../commands/hook.ts'),
  },
  {
    name: 'mcp',
    usage: 'mcp',
    summary: 'serve loops as tools by the Model Context Protocol, on stdin and stdout',
    flags: [],
    json: {
      mcp: { none: 'speaks the Model Context Protocol: its tools have schemas of their own' },
    },
    examples: ['loop mcp', 'claude mcp add loop -- loop mcp'],
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'check',
    usage: 'check <what> [flags]',
    summary: 'judge a step from inside its promise: red, green, proof, change, report and others',
    flags: checkFlags,
    json: {
      'check <what> …': 'check',
    },
    examples: [
      `loop start "write a failing test for the empty cart" -p '"$LOOP_PROGRAM" check red --test "npm test"'`,
      `loop start "make it pass" -p '"$LOOP_PROGRAM" check green --test "npm test"'`,
    ],
    load: () => import('../commands/check.ts'),
  },
]
