/** The flags of `loop check`. Each check uses some of them. */
import type { Flag } from './flag.ts'

export const checkFlags: Flag[] = [
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
