/** The loops of a file after their matrix is expanded, and references to outputs of other loops. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flow, workflowOf } from '../../../rig/workflow-file.ts'

test('a matrix is one loop for each combination', () => {
  const workflow = workflowOf(
    `${flow(`    promise: npm test -- {{matrix.os}}
    model: "{{matrix.model}}"
    matrix: {os: [linux, mac os], node: [18], model: [m]}`).replace(
      'do it',
      'on {{matrix.os}} as {{loop.id}}',
    )}
  - id: release
    prompt: release
    promise: npm test
    depends_on: [build]
    when: failed(build) || !completed(build)
`,
  )
  const [linux, mac, release] = workflow.loops
  assert.deepEqual(
    workflow.loops.map(({ id, name, of, place }) => [id, name, of, place]),
    [
      ['build-linux-18-m', 'build (os: linux, node: 18, model: m)', 'build', 'copy'],
      ['build-mac-os-18-m', 'build (os: mac os, node: 18, model: m)', 'build', 'copy'],
      ['release', 'release', 'release', 'tree'],
    ],
  )
  assert.deepEqual(linux?.prompt, ['on linux as build-linux-18-m'])
  assert.equal(linux?.spec.model, 'm')
  assert.deepEqual(mac?.matrix, { os: 'mac os', node: '18', model: 'm' })
  assert.deepEqual(mac?.spec.criteria, [
    { name: 'npm test -- {{matrix.os}}', command: 'npm test -- "$LOOP_VAR_matrix__os"' },
  ])
  assert.deepEqual(mac?.env, { LOOP_VAR_matrix__os: ['mac os'] })
  assert.deepEqual(release?.needs, ['build-linux-18-m', 'build-mac-os-18-m'])
  const each = (how: 'failed' | 'completed') =>
    ['build-linux-18-m', 'build-mac-os-18-m'].map(loop => ({ op: 'ended', loop, how }))
  assert.deepEqual(release?.when, {
    op: 'or',
    terms: [
      { op: 'or', terms: each('failed') },
      { op: 'not', term: { op: 'and', terms: each('completed') } },
    ],
  })
})

test('outputs stay references until the group runs', () => {
  const workflow = workflowOf(
    `${flow('    promise: npm test\n    outputs: {version: the number, notes: }')}
  - id: tag
    prompt: tag {{outputs.build.version}} of {{workflow.name}} {{workflow.id}}
    promise: git rev-parse --verify {{outputs.build.version}}
    confirm: Tag {{outputs.build.version}}?
    depends_on: build
    when: outputs.build.version != "0" && outputs.build.notes == 'x y'
on_complete: echo {{outputs.build.notes}} "{{workflow.name}}"
`,
  )
  const [build, tag] = workflow.loops
  const version = { of: 'output', loop: 'build', field: 'version' }
  assert.deepEqual(build?.outputs, [
    { name: 'version', description: 'the number' },
    { name: 'notes', description: null },
  ])
  assert.deepEqual(tag?.prompt, ['tag ', version, ' of flow ', { of: 'group-id' }])
  assert.equal(tag?.spec.prompt, 'tag {{outputs.build.version}} of flow {{workflow.id}}')
  assert.deepEqual(tag?.confirm, ['Tag ', version, '?'])
  assert.deepEqual(tag?.env, { LOOP_VAR_outputs__build__version: [version] })
  assert.deepEqual(tag?.when, {
    op: 'and',
    terms: [
      { op: 'output', loop: 'build', field: 'version', is: 'different', value: '0' },
      { op: 'output', loop: 'build', field: 'notes', is: 'equal', value: 'x y' },
    ],
  })
  assert.equal(
    workflow.onComplete[0]?.command,
    'echo "$LOOP_VAR_outputs__build__notes" "${LOOP_VAR_workflow__name}"',
  )
})
