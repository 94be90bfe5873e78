/**
 * What no known runner printed: the errors of compilers, the target at which make stopped, and the sum and the marks
 * that home-made runners print. It is a guess, so it counts only where no runner is recognised; the values are read by
 * `test-output`.
 */
import { numberOf } from './printed.ts'
import { atLine, type FailureReport, firstSaid, type TestRunner } from './runner.ts'

const tally =
  /^ *\d{1,9} (?:tests?|specs?|checks?), \d{1,9} pass(?:ed|ing|es)?, \d{1,9} fail(?:ed|ing|ures?)?(?:, \d{1,9} \w+)*[.!]?$/

/**
 * Read in this order. A name is what comes nearest to one: of a compiler its message, of make the target.
 */
export const otherReports: readonly FailureReport[][] = [
  [
    ...[
      /^([^\s:()]+\.\w+)(?::|\()(\d+)(?::|,\d+\):|:\d+:|:\d+ -) (?:fatal )?error(?: TS\d+)?: (.+)$/,
      /^(?:vet: )?([^\s:]+\.go):(\d+):(?:\d+:)? (.+)$/,
      /^\[ERROR\] (\S+\.(?:java|kt)):\[(\d+),\d+\] (.+)$/,
    ].map(
      (form): FailureReport => ({
        is: form,
        head: form,
        end: /^/,
        read: ([, file = '', line, name]) => ({
          name,
          place: { file, line: Number(line) },
          how: 'load',
          said: '',
        }),
      }),
    ),
    {
      is: /^ *--> \S+:\d+:\d+$/,
      head: /^error(?:\[E\d+\])?: (?!could not compile|test failed|doctest failed|aborting|\d+ target)(.+)$/,
      end: /^$/,
      read: () => ({ how: 'load', said: '' }),
    },
  ],
  [
    {
      is: tally,
      head: /^ *(?:[✗✘✖×]|\[?FAIL(?:ED)?\]?:?|not ok(?: \d+)?(?: -)?) +(\S.*)$/,
      end: tally,
      read: (_, body) => ({ said: firstSaid(body) }),
    },
  ],
  [
    {
      is: /^g?make(?:\[\d+\])?: \*\*\* \[/,
      head: /^g?make(?:\[\d+\])?: \*\*\* \[(?:([^\s:\]]+):(\d+): )?([^\]]+)\] (Error \d+|.*)$/,
      end: /^/,
      read: ([, file, line, target, said]) => ({
        name: `make ${target}`,
        place: file === undefined ? undefined : { file, line: Number(line) },
        how: 'error',
        said,
      }),
    },
  ],
]

/** `46 tests, 40 passed, 6 failed`, of a runner that is not known. */
export const tallied: Pick<TestRunner, 'summaries'> = {
  summaries: atLine(tally, line => {
    const failed = numberOf(line, 'fail(?:ed|ing|ures?)?')
    return {
      failed,
      run: failed + numberOf(line, 'pass(?:ed|ing|es)?'),
      skipped: numberOf(line, 'skipped', 'pending'),
    }
  }),
}
