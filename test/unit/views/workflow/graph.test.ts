/** A workflow as a drawing, with names that attack each format; and mistakes with their caret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workflowGraphJson } from '../../../../src/documents/workflow.ts'
import { problemLines } from '../../../../src/failures/workflow.ts'
import { graphDot, graphMermaid, graphText, workflowPlan } from '../../../../src/views/text/workflow.ts'
import { readFile, workflowOf } from '../../../rig/workflow-file.ts'

const hostile = `"];\\n x --> y; <script>alert(1)</script> \\l click n0 \u001B[2J\u202E`

const workflow = workflowOf(
  `name: ${JSON.stringify(hostile)}
loops:
  - id: build
    prompt: do it
    promise: npm test
    matrix: {os: [linux, ${JSON.stringify(`b${hostile.slice(0, 12)}`)}]}
  - id: check
    prompt: check
    promise: npm test {{x}}
    depends_on: build
    when: failed(build) && !skipped(build)
    confirm: sure?
    retry: {max: 2}
`,
  { set: { x: hostile } },
)

function assertPlain(text: string): void {
  assert.doesNotMatch(text, /[\p{Cf}]|(?=\p{Cc})[^\n]/u)
}

test('as text: one line a loop', () => {
  const lines = graphText(workflow).split('\n')
  assert.equal(lines.length, 4)
  assert.equal(lines[1], '  build-linux  os: linux; in a copy')
  assert.match(lines[3] ?? '', /^ {2}check +after build-linux, build-b-n-x; when /)
  assert.match(lines[3] ?? '', /asks before it begins; up to 2 more tries; in the tree$/)
  assertPlain(graphText(workflow))
})

test('as Mermaid: a name is only ever within its quotes', () => {
  const lines = graphMermaid(workflow).split('\n')
  assert.deepEqual(lines.slice(2, 5), ['---', 'flowchart TD', '  n0["build (os: linux)"]'])
  for (const line of lines.slice(4))
    assert.match(line, /^ {2}n\d(\["[^"<>\\]*"\]| -->(\|"[^"<>\\]*"\|)? n\d)$/)
})

test('as DOT: every string is closed where it was opened', () => {
  const [first = '', , ...lines] = graphDot(workflow).split('\n')
  const string = '"(?:[^"\\\\]|\\\\["\\\\])*"'
  assert.match(first, new RegExp(`^digraph ${string} \\{$`))
  for (const line of lines.slice(0, -1))
    assert.match(line, new RegExp(`^  ${string}(?: -> ${string})?(?: \\[label=${string}\\])?;$`))
})

test('as JSON: names as they are', () => {
  const { name, loops } = workflowGraphJson(workflow)
  assert.equal(name, hostile)
  assert.deepEqual(
    loops.map(({ id, needs, place }) => [id, needs.length, place]),
    [
      ['build-linux', 0, 'copy'],
      ['build-b-n-x', 0, 'copy'],
      ['check', 2, 'tree'],
    ],
  )
})

test('the plan shows where each loop runs, its commands and the worst case', () => {
  const lines = workflowPlan(workflow)
  assert.ok(lines.includes('  promise     npm test "$LOOP_VAR_x"'))
  assert.ok(lines.includes('  runs        in a copy, then applied to the work tree'))
  assert.ok(lines.includes('  runs        in the work tree'))
  assert.equal(
    lines.at(-1),
    'Worst case: 3 loops (5 starts with attempts and retries), 50 iterations, $25 in all.',
  )
  assertPlain(lines.join(''))
})

test('a mistake is shown with its line and a caret', () => {
  const read = readFile('name: flow\nloops:\n  - id: build\n    promt: do it\n    promise: npm test\n')
  assert.ok('problems' in read)
  assert.deepEqual(problemLines(read.problems), [
    '/made-up/tree/flow.yaml:3:5: The loop build has no prompt.',
    '  3 |   - id: build',
    '    |     ^^',
    '    = Add prompt: what the agent is asked to do.',
    '',
    '/made-up/tree/flow.yaml:4:5: A loop has no key promt.',
    '  4 |     promt: do it',
    '    |     ^^^^^',
    '    = Did you mean prompt?',
    '',
    '2 problems in /made-up/tree/flow.yaml.',
  ])
})

test('a long line is shown around the mistake', () => {
  const read = readFile(`name: flow\nloops:\n  - {id: build, prompt: ${'x'.repeat(300)}, promis: npm test}\n`)
  assert.ok('problems' in read)
  const [, line = '', caret = ''] = problemLines(read.problems).slice(-6)
  assert.equal(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1), 'promis')
  assert.ok(line.length < 140)
})
