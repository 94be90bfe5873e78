/**
 * Values that try to become code, through --set, a matrix and outputs, in prompts and commands. A prompt contains them
 * unchanged; a command is the same for every value. That the shells agree: test/conformance/shell/injection.test.ts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill, filledEnvironment } from '../../../../src/core/workflow.ts'
import type { Reference } from '../../../../src/model/group/workflow.ts'
import { accepted, payloads, writtenByHand } from '../../../conformance/shell/payloads.ts'
import { problemsOf, readFile, workflowOf } from '../../../rig/workflow-file.ts'

/** Every quoting context as a promise that names x as a variable, y as the value of a matrix, and an output. */
function file(value: string): string {
  const quoted = (text: string) => JSON.stringify(text)
  const promises = accepted.map(({ command }) =>
    quoted(
      command.replaceAll(/\{\{ ?y ?\}\}/g, '{{matrix.y}}').replace(/\{\{ ?x ?\}\}/, '{{outputs.made.x}}'),
    ),
  )
  return `name: flow
vars: {x: }
env: {X: "{{x}}"}
loops:
  - {id: made, prompt: make, promise: npm test, outputs: [x]}
  - id: used
    prompt: "{{x}}|{{matrix.y}}|{{outputs.made.x}}"
    promise: [${promises.join(', ')}]
    matrix: {y: [${quoted(value)}]}
    depends_on: made
on_complete: "echo '{{x}}'"
`
}

const system = { shellProblem: () => null }
const plain = workflowOf(file('plain'), { set: { x: 'plain' }, system })

test('a value of a variable, a matrix or an output changes no command, and arrives as it is', () => {
  let used = 0
  for (const value of payloads) {
    const read = readFile(file(value), { set: { x: value }, system })
    // Every value of a matrix becomes part of an id, so some are refused.
    if ('problems' in read) {
      assert.match(value, /^[^A-Za-z0-9]*$|.{30}|\{\{/s)
      assert.match(read.problems[0]?.message ?? '', /cannot be part of an id|is one plain value/, value)
      continue
    }
    used += 1
    const { loops, env, onComplete } = read.workflow
    const [, loop] = loops
    assert.deepEqual(loop?.spec.criteria, plain.loops[1]?.spec.criteria)
    assert.equal(onComplete[0]?.command, plain.onComplete[0]?.command)
    const valueOf = (reference: Reference) => (reference.of === 'output' ? value : null)
    assert.deepEqual(fill(loop?.prompt ?? [], valueOf), { text: `${value}|${value}|${value}` })
    const names = ['X', 'LOOP_VAR_outputs__made__x', 'LOOP_VAR_x', 'LOOP_VAR_matrix__y']
    const all = Object.fromEntries(names.map(name => [name, value]))
    assert.deepEqual(filledEnvironment(loop?.env ?? {}, valueOf), { env: all })
    assert.deepEqual(env, { X: value })
  }
  assert.ok(used > 60, String(used))
})

test('through --set alone, every one of them', () => {
  const text = file('plain')
  for (const value of payloads) {
    const { loops, vars } = workflowOf(text, { set: { x: value }, system })
    assert.deepEqual(vars, { x: value })
    assert.deepEqual(loops[1]?.spec.criteria, plain.loops[1]?.spec.criteria)
    assert.deepEqual(loops[1]?.prompt, [`${value}|plain|`, { of: 'output', loop: 'made', field: 'x' }])
  }
})

test('a command that loop puts no value into is refused with the form to write instead', () => {
  for (const { command, says, instead } of writtenByHand) {
    const flow = (promise: string) => `name: flow
vars: {x: 1, y: 2}
loops:
  - {id: a, prompt: make, promise: ${JSON.stringify(promise)}}
`
    const [first = ''] = problemsOf(flow(command), { system })
    assert.equal(first.replace(/^\S+ /, ''), says, command)
    assert.deepEqual(problemsOf(flow(instead), { system }), [], instead)
  }
})
