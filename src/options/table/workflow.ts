/** The flags of `loop workflow`: values of variables, and the options of a start that hold for all its loops. */
import type { Flag } from './flag.ts'
import { groupFlags } from './group.ts'
import { startFlags } from './start.ts'

/** What each loop of a file says itself, or what makes no sense for several. */
const ofOneLoop = [
  'promise',
  'confirm',
  'must-not',
  'protect',
  'inject',
  'session',
  'on-complete',
  'on-failure',
  'hook-timeout',
  ...groupFlags.map(({ name }) => name),
]

export const workflowFlags: Flag[] = [
  {
    name: 'set',
    takes: 'name=value',
    repeat: true,
    help: 'the value of a variable of the workflow, as text',
  },
  {
    name: 'format',
    takes: 'text|mermaid|dot|json',
    default: 'text',
    help: 'how graph draws the workflow',
  },
  ...startFlags.filter(({ name }) => !ofOneLoop.includes(name)),
]
