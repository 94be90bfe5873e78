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
    help: 'with --best-of, of the attempts that pass the one with the smallest or largest number that this command prints',
  },
  {
    name: 'best-of-manual',
    help: 'with --best-of, you choose among the attempts (loop compare, loop answer)',
  },
  {
    name: 'best-of-waves',
    takes: 'N',
    help: 'with --best-of, 2: a second round of attempts is told how the first went',
  },
  {
    name: 'best-of-judge',
    help: 'with --best-of, ask the agent about attempts that nothing else tells apart: their changes without names, in both orders; where the answers differ, nobody is preferred',
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
    help: 'makes a new copy ready, such as "npm ci --offline", in place of sharing dependency directories',
  },
  {
    name: 'isolated',
    help: 'work in a copy, so that you can go on in the tree, and bring the result back at the end',
  },
]
