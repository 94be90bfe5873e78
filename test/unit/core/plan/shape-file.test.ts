/** SHAPE.md in both of its forms, and the gate before the work. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { preWorkProblems, readShapeFile, shapeFileText } from '../../../../src/core/plan/shape-file.ts'
import { verifications } from '../../../../src/model/loop/words.ts'
import { type PlanShape, phaseCombinations, planShape } from '../../../../src/model/plan.ts'

const shape: PlanShape = {
  goal: 'Users can log in with a token',
  scope: 'src/auth and its tests',
  constraints: ['no new dependencies'],
  assumptions: ['tokens are checked in one place'],
  criteria: [
    { name: 'tests pass', command: 'npm test', verification: 'execution output' },
    { name: 'API: returns 200', command: 'curl -f "$URL" | grep `date +%Y`', verification: 'measurement' },
    { name: 'UI renders', command: null, verification: 'observation' },
  ],
  mustNot: [
    { name: 'new dependency', command: '! git diff --quiet HEAD package.json' },
    { name: 'tests deleted', command: 'test $(ls test | wc -l) -lt 4' },
  ],
  phases: 'plan → tasks',
  documents: { requirements: null, design: null, plan: null },
  points: 5,
  alt: 'sessions in cookies',
  risk: null,
}

test('the page that loop writes has its headings, and reads back as the same lists', () => {
  const text = shapeFileText(shape)
  assert.deepEqual(text.match(/^##? .*$/gm), [
    '# Shape: Users can log in with a token',
    '## Criteria',
    '## MustNot',
    '## Verification',
  ])
  const read = readShapeFile(text)
  assert.deepEqual(read?.criteria, shape.criteria)
  assert.deepEqual(read?.mustNot, shape.mustNot)
  assert.equal(read?.fields.get('goal'), shape.goal)
  assert.equal(read?.fields.get('phases'), 'plan → tasks')
  assert.deepEqual(preWorkProblems(read ?? assert.fail()), [])
})

const keyForms: [string, string][] = [
  [
    'lists and a map',
    `criteria:
  - tests pass
  - API returns 200
  - UI renders
mustNot:
  - name: break the public API
    command: npm run api-diff
  - data loss
verification:
  tests pass: execution output
  API returns 200: execution output
  UI renders: observation
`,
  ],
  [
    'in a block of YAML, with other keys around',
    `# Shape

notes:
  - criteria are below

\`\`\`yaml
criteria: [tests pass, API returns 200, UI renders]
mustNot:
- name: "break the public API"
  command: npm run api-diff
- data loss
verification: {tests pass: execution output, API returns 200: execution output, UI renders: observation}
\`\`\`
`,
  ],
  [
    'the type beside each criterion',
    `- criteria:
  - tests pass: execution output
  - API returns 200 (execution output)
  - "UI renders": observation
- mustNot:
  - break the public API: \`npm run api-diff\`
  - data loss
- verification:
`,
  ],
]
for (const [name, text] of keyForms) {
  test(`the keys of the first source: ${name}`, () => {
    const read = readShapeFile(text)
    assert.deepEqual(
      read?.criteria.map(({ name: criterion, verification }) => [criterion, verification]),
      [
        ['tests pass', 'execution output'],
        ['API returns 200', 'execution output'],
        ['UI renders', 'observation'],
      ],
    )
    assert.deepEqual(read?.mustNot, [
      { name: 'break the public API', command: 'npm run api-diff' },
      { name: 'data loss', command: null },
    ])
  })
}

test('a file without criteria is no shape', () => {
  for (const text of ['', '# Shape\n\nnothing', 'criteria:\n', '## Criteria\n\n## MustNot\n\n- x\n', '\0\0'])
    assert.equal(readShapeFile(text), null, JSON.stringify(text))
})

test('what is missing before the work', () => {
  const problems = preWorkProblems({
    criteria: [
      { name: 'a', command: 'true', verification: null },
      { name: 'b', command: null, verification: 'execution output' },
      { name: 'c', command: null, verification: 'observation' },
      { name: 'd', command: null, verification: 'assumption' },
      { name: 'c', command: null, verification: 'code review' },
    ],
    mustNot: [{ name: 'e', command: null }],
  })
  assert.deepEqual(problems, [
    { kind: 'same-name', name: 'c' },
    { kind: 'no-type', name: 'a' },
    { kind: 'no-command', name: 'b', verification: 'execution output' },
    { kind: 'assumption', name: 'd' },
    { kind: 'must-not-without-command', name: 'e' },
    { kind: 'few-must-nots', count: 1 },
  ])
  assert.deepEqual(preWorkProblems({ criteria: [], mustNot: [] }), [
    { kind: 'no-criteria' },
    { kind: 'few-must-nots', count: 0 },
  ])
})

test('any shape survives being written and read', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 2, maxLength: 40 })
    .map(text => text.trim())
    .filter(text => Array.from(text).length >= 2 && !/[\r\n\0\u2028\u2029\v\f\x85]/.test(text))
  const shapes = fc.record({
    criteria: fc.array(
      fc.record({ name: word, command: word, verification: fc.constantFrom(...verifications) }),
      { minLength: 1, maxLength: 5 },
    ),
    mustNot: fc.array(fc.record({ name: word, command: word }), { maxLength: 4 }),
    phases: fc.constantFrom(...phaseCombinations),
  })
  fc.assert(
    fc.property(shapes, made => {
      const whole = planShape.parse({ ...shape, ...made })
      const read = readShapeFile(shapeFileText(whole))
      assert.deepEqual(read?.criteria, whole.criteria)
      assert.deepEqual(read?.mustNot, whole.mustNot)
    }),
  )
})

test('a text of any kind is read without an error', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void readShapeFile(`criteria:\n${text}`)))
})
