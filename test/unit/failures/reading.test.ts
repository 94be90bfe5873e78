/** What is wrong with what a command of the user printed, as people read it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../../../src/failures/all.ts'
import type { Readings } from '../../../src/failures/reading.ts'
import { factWords } from '../../../src/failures/words.ts'

const said: { [K in keyof Readings]: [Readings[K], string][] } = {
  'measure-overdue': [[{ ms: 300_000 }, 'not known: its command took longer than 5m']],
  'measure-killed': [[{}, 'not known: its command was killed']],
  'measure-unrecognised': [
    [
      { wanted: 'coverage', exitCode: 1 },
      'not known: no coverage report is recognised in what its command left (exit 1)',
    ],
    [
      { wanted: 'problems', exitCode: 2 },
      'not known: no linter or type checker is recognised in what its command left (exit 2)',
    ],
  ],
  'metric-killed': [[{}, 'its command was killed']],
  'metric-failed': [[{ exitCode: 1 }, 'its command failed: exit 1']],
  'metric-silent': [[{}, 'its command printed nothing']],
  'metric-not-finite': [[{ line: 'NaN' }, 'its last line is not a finite number: "NaN"']],
  'metric-without-number': [[{ line: 'nothing' }, 'its last line has no number: "nothing"']],
  'metric-with-numbers': [[{ line: '3 of 4', count: 2 }, 'its last line has 2 numbers: "3 of 4". Print one']],
  'metric-not-alone': [
    [{ line: '900ms' }, 'its last line is not a number alone: "900ms". Print it without a unit'],
  ],
  'metric-too-large': [[{ line: '1e999' }, 'its last line is too large a number: "1e999"']],
  'metric-repeated': [
    [
      { line: 'score: 99', count: 2 },
      'it printed 2 lines like its last one: "score: 99". Any of them can be the number: print one',
    ],
  ],
  'script-unknown': [[{ program: 'npm', script: 'tets' }, 'npm knows no script "tets"']],
  'package-file-missing': [[{}, 'npm finds no package.json']],
  'make-rule-missing': [[{ target: 'x' }, 'make has no rule for "x"']],
  'makefile-missing': [[{}, 'there is no makefile']],
  'directory-missing': [[{ path: 'no where' }, 'there is no directory no where to go into']],
}

for (const [kind, rows] of Object.entries(said))
  test(`the words of ${kind}`, () => {
    for (const [data, words] of rows) assert.equal(factWords({ kind, ...(data as object) } as Facts), words)
  })
