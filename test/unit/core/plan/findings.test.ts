/** A BLOCKER needs evidence; findings keep their identity over rounds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  compareRounds,
  type FindingEvidence,
  findingId,
  type JudgedFinding,
  judgeFindings,
  type ReviewReport,
} from '../../../../src/core/plan/findings.ts'
import type { Severity } from '../../../../src/model/group/words.ts'
import { type Finding, finding } from '../../../../src/model/plan.ts'

function said(severity: Severity, rule = 'unchecked input', quote = '  return Number(text)'): Finding {
  return finding.parse({
    severity,
    rule,
    file: 'src/amount.ts',
    line: 12,
    quote,
    problem: 'NaN reaches the database',
    fix: 'refuse what is no number',
  })
}

const id = findingId(said('BLOCKER'))
const known = (verified: boolean | null, verdict: FindingEvidence['verdict'] = null) =>
  new Map([[id, { verified, verdict }]])

const rows: [string, [ReviewReport[], ReadonlyMap<string, FindingEvidence>], Severity, string[]][] = [
  ['alone', [[{ maker: 'claude', findings: [said('BLOCKER')] }], new Map()], 'SUGGESTION', []],
  ['verified', [[{ maker: 'claude', findings: [said('BLOCKER')] }], known(true)], 'BLOCKER', ['verified']],
  [
    'looked at and not found',
    [[{ maker: 'claude', findings: [said('BLOCKER')] }], known(false)],
    'SUGGESTION',
    [],
  ],
  [
    'said by two reviewers of one maker',
    [
      [
        { maker: 'claude', findings: [said('BLOCKER')] },
        { maker: 'claude', findings: [said('BLOCKER')] },
      ],
      new Map(),
    ],
    'SUGGESTION',
    [],
  ],
  [
    'said by two makers',
    [
      [
        { maker: 'claude', findings: [said('BLOCKER')] },
        { maker: 'codex', findings: [said('BLOCKER')] },
      ],
      new Map(),
    ],
    'BLOCKER',
    ['two makers'],
  ],
  [
    'a blocker for one, a warning for the other',
    [
      [
        { maker: 'claude', findings: [said('BLOCKER')] },
        { maker: 'codex', findings: [said('WARNING')] },
      ],
      new Map(),
    ],
    'SUGGESTION',
    [],
  ],
  [
    'its command failed',
    [[{ maker: 'claude', findings: [said('BLOCKER')] }], known(null, 'FAIL')],
    'BLOCKER',
    ['failed command'],
  ],
  [
    'its command passed',
    [[{ maker: 'claude', findings: [said('BLOCKER')] }], known(null, 'PASS')],
    'SUGGESTION',
    [],
  ],
  [
    'its command could not be judged',
    [[{ maker: 'claude', findings: [said('BLOCKER')] }], known(null, 'ERROR')],
    'SUGGESTION',
    [],
  ],
  [
    'a warning that nobody looked at',
    [[{ maker: 'claude', findings: [said('WARNING')] }], new Map()],
    'WARNING',
    [],
  ],
  [
    'a warning that is not so',
    [[{ maker: 'claude', findings: [said('WARNING')] }], known(false)],
    'SUGGESTION',
    [],
  ],
]
for (const [name, [reports, evidence], severity, grounds] of rows) {
  test(`${name}: ${severity}`, () => {
    const [found, ...more] = judgeFindings(reports, evidence)
    assert.equal(more.length, 0, 'it is one finding')
    assert.deepEqual([found?.severity, found?.grounds], [severity, grounds])
  })
}

test('a finding is the same whatever its line number, its indentation and its words are', () => {
  const other = { ...said('WARNING'), line: 90, quote: 'return   Number(text)', problem: 'other words' }
  assert.equal(findingId(other), id)
  assert.notEqual(findingId({ ...other, file: 'src/other.ts' }), id)
  assert.notEqual(findingId({ ...other, rule: 'naming' }), id)
  assert.match(id, /^f-[0-9a-f]{10}$/)
})

test('over rounds a finding is fixed, still there, or new', () => {
  const judge = (...findings: Finding[]): JudgedFinding[] =>
    judgeFindings([{ maker: 'claude', findings }], new Map())
  const before = judge(said('WARNING', 'one'), said('WARNING', 'two'))
  const now = judge(said('WARNING', 'two'), said('WARNING', 'three'))
  const { fixed, still, fresh } = compareRounds(before, now)
  assert.deepEqual(
    [fixed, still, fresh].map(list => list.map(({ rule }) => rule)),
    [['one'], ['two'], ['three']],
  )
})

test('the heaviest come first', () => {
  const findings = [said('SUGGESTION', 'a1'), said('WARNING', 'b1'), said('BLOCKER', 'c1')]
  const evidence = new Map([[findingId(said('BLOCKER', 'c1')), { verified: true, verdict: null }]])
  const found = judgeFindings([{ maker: 'claude', findings }], evidence)
  assert.deepEqual(
    found.map(({ rule }) => rule),
    ['c1', 'b1', 'a1'],
  )
})
