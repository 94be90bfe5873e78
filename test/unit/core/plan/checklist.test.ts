/** The eight rows of the checklist before the work: the source's words, and what makes a row unclear. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  checklistRows,
  type StartFacts,
  startChecklist,
  unclearRows,
} from '../../../../src/core/plan/gates.ts'
import { checklistLines } from '../../../../src/views/plan/announce.ts'

const clear: StartFacts = {
  score: 9,
  fit: 55,
  shape: 'tool',
  reversibility: '2B',
  criteria: ['tests pass', 'lint clean'],
  tasks: ['T-001', 'T-002', 'T-003'],
  taskList: 'shop-login',
  stateCriteria: ['tests pass', 'lint clean'],
  announcement: '[LOOP] Starting | Shape: Tool (9/10) | Workflow: A | Steps: 3 | Budget: $25',
}

test('the rows are those of the source, in its order', () => {
  const text = readFileSync(new URL('../../../recordings/seeds/checklist.txt', import.meta.url), 'utf8')
  const said = text
    .trim()
    .split('\n')
    .map(line =>
      line
        .replace(/^□ /, '')
        .replace(/ \(.*\)$/, '')
        .replace(/: \[LOOP\].*$/, ''),
    )
  assert.deepEqual([...checklistRows], said)
})

test('every row shows what it found', () => {
  assert.equal(
    checklistLines(startChecklist(clear)).join('\n'),
    `☑ Score the spec: 9/10
☑ Determine shape: tool, fit 55
☑ Classify reversibility: Type 2B
☑ Extract success criteria from spec: tests pass, lint clean
☑ Decompose into concrete steps: 3 steps
☑ Create task with state schema: list shop-login
☑ Write .loop/state.json with criteria array: 2 criteria
☑ Announce: [LOOP] Starting | Shape: Tool (9/10) | Workflow: A | Steps: 3 | Budget: $25`,
  )
})

const unclear: [Partial<StartFacts>, string][] = [
  [{ score: null }, 'Score the spec'],
  [{ shape: null }, 'Determine shape'],
  [{ shape: 'blocked' }, 'Determine shape'],
  [{ reversibility: null }, 'Classify reversibility'],
  [{ criteria: [], stateCriteria: [] }, 'Extract success criteria from spec'],
  [{ tasks: [] }, 'Decompose into concrete steps'],
  [{ taskList: null }, 'Create task with state schema'],
  [{ stateCriteria: ['tests pass'] }, 'Write .loop/state.json with criteria array'],
  [{ announcement: null }, 'Announce'],
]
for (const [change, row] of unclear) {
  test(`${JSON.stringify(change)} leaves "${row}" unclear`, () => {
    const rows = startChecklist({ ...clear, ...change })
    assert.equal(unclearRows(rows)[0], row)
    assert.ok(checklistLines(rows).includes(`□ ${row}: unclear`))
  })
}
