/** The flags of `loop workflow`: values of variables, and the options of a start that apply to all its loops. */
import type { Flag } from './flag.ts'
import { groupFlags } from './group.ts'
import { startFlags } from './start.ts'

/** Options that each loop of a file has itself, or that make no sense for several loops. */
export const ofOneLoop = [
  'promise',
  'confirm',
  'must-not',
  'protect',
  'allow',
  'holdout',
  'inject',
  'session',
  'on-complete',
  'on-failure',
  'hook-timeout',
  ...groupFlags.map(({ name }) => name),
]

const setFlag: Flag = {
  name: 'set',
  takes: 'name=value',
  repeat: true,
  help: 'the value of a variable of the workflow, as text',
}

export const workflowFlags: Flag[] = [
  setFlag,
  {
    name: 'format',
    takes: 'text|mermaid|dot|json',
    default: 'text',
    help: 'how graph draws the workflow',
  },
  ...startFlags.filter(({ name }) => !ofOneLoop.includes(name)),
]

/** Extra flags of `start` if it runs a template, whose first variable is the prompt. */
export const startTemplateFlags: Flag[] = [
  {
    name: 'template',
    takes: 'name',
    help: 'run this template; the prompt is the value of its first variable. See: loop template list',
  },
  { ...setFlag, help: 'with --template, the value of another of its variables' },
]

export const templateFlags: Flag[] = [
  { name: 'from', takes: 'id', help: 'create: make it from the prompt and promise of this loop or group' },
  ...workflowFlags.filter(({ name }) => name !== 'format'),
]
