/** The commands that sessions, agents and promises use rather than people: each is one value; its code is loaded when it is used. */
import { initFlags } from '../../options/table/command.ts'
import type { Flag } from '../../options/table/flag.ts'
import type { CommandDefinition } from '../command-table.ts'

/** The flags of `loop check`. Each check uses some of them. */
const checkFlags: Flag[] = [
  { name: 'test', takes: 'command', help: 'red, green, proof, pins: runs the tests' },
  {
    name: 'target',
    takes: 'path',
    help: 'pins, bench: the source file, or a directory for all files below it',
  },
  {
    name: 'since',
    takes: 'step',
    help: 'proof, faster, documented, verified: compare with the tree at the beginning of this step of the workflow',
  },
  {
    name: 'new-since',
    takes: 'step',
    help: 'proof: a test counts as new if it did not exist when this step began',
  },
  { name: 'in', takes: 'path', help: 'change: the code below this path has to change' },
  { name: 'not-larger', help: 'change: the code has no more lines than before' },
  { name: 'lint', takes: 'command', help: 'lint: runs the linter; an empty command means no linter' },
  { name: 'file', takes: 'path', help: 'report, findings, verified, faster: the report' },
  { name: 'section', takes: 'title', repeat: true, help: 'report: this section exists and is not empty' },
  {
    name: 'entries',
    takes: 'title=n',
    repeat: true,
    help: 'report: this section has at least so many entries, each with an existing place and a quote from it',
  },
  { name: 'keep', takes: 'title', repeat: true, help: 'report: this section is what it was before the step' },
  { name: 'not', takes: 'path', help: 'documented: this file does not count' },
  { name: 'bench', takes: 'command', help: 'bench, faster: runs the benchmark' },
  {
    name: 'bench-files',
    takes: 'glob',
    repeat: true,
    help: 'bench, faster: the files of the benchmark, which must stay what they were',
  },
  { name: 'gain', takes: 'percent', default: '10', help: 'faster: the least gain in time, in percent' },
]

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
