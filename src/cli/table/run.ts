/** The commands that start or continue loops: each is one value; its code is loaded when it is used. */
import { resumeFlags } from '../../options/table/command.ts'
import { hookFlags, verboseFlag } from '../../options/table/flag.ts'
import { planFlags } from '../../options/table/group.ts'
import { startFlags } from '../../options/table/start.ts'
import { startTemplateFlags, templateFlags, workflowFlags } from '../../options/table/workflow.ts'
import type { CommandDefinition } from '../command-table.ts'

export const runCommands: CommandDefinition[] = [
  {
    name: 'start',
    usage: 'start <prompt> -p <cmd> [flags]',
    summary: 'run an agent until the promise holds; a prompt of - is read from stdin',
    words: 'until the promise holds',
    flags: [...startFlags, ...planFlags, ...startTemplateFlags],
    forPeople: input =>
      input.given('trust') ||
      input.given('session') ||
      ((input.given('background') || hookFlags.some(name => input.given(name))) && !input.given('dry-run')),
    json: {
      'start …': 'loop',
      'start … --session': 'loop',
      'start … --template <name>': 'loop',
      'start … -b': 'started',
      'start … --dry-run': 'loopPlanned',
      'start … --best-of <N> … --dry-run': 'groupPlanned',
    },
    examples: [
      `loop start "fix the failing tests" -p "npm test"`,
      `loop start "make the build pass" -p "make" -n 20 --timeout 15m --agent claude --fallback-agent codex`,
      `loop start - -p "cargo test" --agent custom --agent-cmd 'my-agent --yes' < task.md`,
      `loop start "the total of an empty cart is NaN" --template bugfix`,
      `loop start "port it to ESM" -p "npm test" --session   # typed, or run by the agent, inside a session`,
    ],
    load: () => import('../commands/start.ts'),
  },
  {
    name: 'demo',
    usage: 'demo [best-of|workflow|plan]',
    summary: 'run a real loop, or several, on a small sample project: no key, no network',
    words: 'see it: no key, no net',
    flags: [verboseFlag, { name: 'plain', help: 'plain log lines, also on a terminal' }],
    json: {
      'demo …': 'loop',
    },
    examples: ['loop demo', 'loop demo best-of', 'loop demo workflow', 'loop demo plan'],
    load: () => import('../commands/demo.ts'),
  },
  {
    name: 'workflow',
    usage: 'workflow run <file> | validate <file> | graph <file> | status <id> | schema',
    summary: 'run, check or draw a workflow: loops that depend on each other, in a YAML file',
    words: 'loops that need others',
    flags: workflowFlags,
    forPeople: input => input.given('trust') || (input.given('background') && !input.given('dry-run')),
    json: {
      'workflow run <file>': 'loop',
      'workflow status <id>': 'loop',
      'workflow run <file> … -b': 'started',
      'workflow run <file> … --dry-run': 'workflow',
      'workflow validate <file>': 'workflowValidated',
      'workflow graph <file>': 'workflowGraph',
      'workflow schema': { none: 'prints the JSON schema of workflow files, as workflow.schema.json has it' },
    },
    examples: [
      'loop workflow run implement-feature.yaml --set feature=user-auth --dry-run',
      'loop workflow validate implement-feature.yaml --set feature=user-auth',
      'loop workflow graph implement-feature.yaml --format mermaid',
      'loop workflow schema > workflow.schema.json',
    ],
    load: () => import('../commands/workflow.ts'),
  },
  {
    name: 'template',
    usage: 'template list | show <name> | run <name> | create <name> [--from <id>]',
    summary: 'run, show or make a template: a workflow with variables, for work that comes again',
    words: 'work that comes again',
    flags: templateFlags,
    forPeople: input =>
      input.positionals[0] === 'create' ||
      input.given('trust') ||
      (input.given('background') && !input.given('dry-run')),
    json: {
      'template run <name>': 'loop',
      'template run <name> … -b': 'started',
      'template list': 'templates',
      'template show <name>': 'template',
      'template create <name>': 'templateCreated',
      'template create <name> … --dry-run': 'templateCreated',
      'template run <name> … --dry-run': 'workflow',
    },
    examples: [
      'loop template list',
      'loop template show tdd',
      'loop template run tdd --set feature="an empty cart has the total 0" --dry-run',
      'loop template create release-notes --from @last',
    ],
    load: () => import('../commands/template.ts'),
  },
  {
    name: 'resume',
    usage: 'resume <id> [flags]',
    summary: 'continue a paused, failed, crashed or cancelled loop, or one whose process died',
    words: 'go on with a loop',
    flags: resumeFlags,
    forPeople: true,
    json: {
      'resume <id>': 'loop',
      'resume --session': ['loop', 'sessionRun'],
      'resume <id> -b': 'started',
    },
    examples: ['loop resume @last', 'loop resume a1b2c3 --max-iterations 20'],
    load: () => import('../commands/resume.ts'),
  },
]
