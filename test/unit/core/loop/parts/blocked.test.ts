import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedReason } from '../../../../../src/core/loop/parts/human.ts'

const rows: [string, string | null][] = [
  ['I tried.\nBLOCKED: the database is not reachable', 'the database is not reachable'],
  ['**BLOCKED:** no access to the registry', 'no access to the registry'],
  ['`BLOCKED: no key`\n\n', 'no key'],
  ['BLOCKED: no key\nThen I went on and did it.', null],
  ['BLOCKED:', null],
  ['The build is BLOCKED: see above', null],
  ['', null],
]

test('an agent that cannot go on says so in its last line, and only there', () => {
  for (const [said, reason] of rows) assert.equal(blockedReason(said), reason, said)
})
