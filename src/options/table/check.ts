/** The flags of `loop check`. Each check uses some of them. */
import type { Flag } from './flag.ts'

export const checkFlags: Flag[] = [
  { name: 'test', takes: 'command', help: 'red, green, proof, pins: runs the tests' },
  {
    name: 'target',
    takes: 'path',
    help: 'pins, bench: the source that it is about; a directory is all below it',
  },
  {
    name: 'since',
    takes: 'step',
    help: 'proof, faster, documented, verified: compared with how this step of the workflow began',
  },
  { name: 'new-since', takes: 'step', help: 'proof: a test is new that was not there when this step began' },
  { name: 'in', takes: 'path', help: 'change: there, and not elsewhere' },
  { name: 'not-larger', help: 'change: the code has no more lines than before' },
  { name: 'lint', takes: 'command', help: 'lint: runs the linter; an empty one is none' },
  { name: 'file', takes: 'path', help: 'report, findings, verified, faster: the report' },
  { name: 'section', takes: 'title', repeat: true, help: 'report: this section is there and says something' },
  {
    name: 'entries',
    takes: 'title=n',
    repeat: true,
    help: 'report: this section has so many entries, each with a place that exists and a quote of it',
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
  { name: 'gain', takes: 'percent', default: '10', help: 'faster: so much less time' },
]
