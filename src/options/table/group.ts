/** The options that turn a start into a group: several attempts, or one in a copy. */
import type { Flag } from './flag.ts'

export const groupFlags: Flag[] = [
  {
    name: 'best-of',
    takes: 'N',
    help: 'make N attempts (2 to 8) at once, each in a copy of the work tree with an approach of its own, and bring the best into the tree',
  },
  {
    name: 'best-of-metric',
    takes: 'min:cmd|max:cmd',
    help: 'with --best-of, choose the passing attempt for which this command prints the smallest or largest number',
  },
  {
    name: 'best-of-manual',
    help: 'with --best-of, you choose among the attempts (loop compare, loop answer)',
  },
  {
    name: 'best-of-waves',
    takes: 'N',
    help: 'with --best-of, 2: a second round of attempts, whose prompts say how the first went',
  },
  {
    name: 'best-of-judge',
    help: 'with --best-of, ask the agent about attempts that nothing else tells apart: their changes without names, in both orders; if the answers differ, neither is preferred',
  },
  { name: 'first-wins', help: 'with --best-of, the first attempt that passes ends the others' },
  {
    name: 'serial-promise',
    help: 'with --best-of, run one promise at a time: for tests that share a database or a port',
  },
  {
    name: 'copy-setup',
    takes: 'cmd',
    config: true,
    help: 'the command that prepares a new copy, such as "npm ci --offline", instead of sharing dependency directories',
  },
  {
    name: 'isolated',
    help: 'work in a copy, so that you can go on in the tree, and bring the result back at the end',
  },
]
