/** `loop workflow` through the real program: validate, graph, schema, dry run, and trust. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, root } from '../../rig/rig.ts'

const sound = `name: flow
loops:
  - id: build
    prompt: "build {{what}}"
    promise: test -e {{what}}
    max_iterations: 2
  - id: check
    prompt: check
    promise: [made=test -e it, 'test "{{what}}" = it']
    depends_on: [build]
on_failure: "echo 'failed: {{failed_loop}}' # {{what}}"
`

test('validate: a sound file, with what it still needs and the worst case', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound)
  const looked = await rig.loop(['workflow', 'validate', 'flow.yaml'])
  assert.equal(looked.code, 0, looked.stderr)
  assert.equal(
    looked.stdout,
    'flow: 2 loops, no mistakes.\nTo run it, also give: --set what=…\nWorst case: 2 loops, 12 iterations, $25 in all.\n',
  )
  const json = await rig.loop(['workflow', 'validate', 'flow.yaml', '--set', 'what=it', '--json'])
  const { valid, unset, loops, worstCase } = JSON.parse(json.stdout)
  assert.deepEqual({ valid, unset, loops }, { valid: true, unset: [], loops: ['build', 'check'] })
  assert.equal(worstCase.iterations, 12)
})

test('validate: all mistakes with their places, exit 4', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound.replace('max_iterations', 'max_iteration').replace('[build]', '[biuld]'))
  const said = await rig.loop(['workflow', 'validate', 'flow.yaml'])
  assert.equal(said.code, 4)
  const file = join(rig.tree, 'flow.yaml')
  assert.ok(
    said.stdout.startsWith(`${file}:6:5: A loop has no key max_iteration.\n  6 |     max_iteration: 2\n`),
    said.stdout,
  )
  assert.match(
    said.stdout,
    /\n {2}10 \| {5}depends_on: \[biuld\]\n {5}\| {18}\^{5}\n {5}= Did you mean build\?\n/,
  )
  const json = await rig.loop(['workflow', 'validate', 'flow.yaml', '--json'])
  assert.equal(json.code, 4)
  const { valid, problems } = JSON.parse(json.stdout)
  assert.equal(valid, false)
  assert.deepEqual(
    problems.map(({ file: where, line, column, endLine, endColumn }: Record<string, unknown>) => [
      where,
      line,
      column,
      endLine,
      endColumn,
    ]),
    [
      [file, 6, 5, 6, 18],
      [file, 10, 18, 10, 23],
    ],
  )
  const drawn = await rig.loop(['workflow', 'graph', 'flow.yaml', '--json'])
  assert.equal(drawn.code, 4)
  assert.equal(JSON.parse(drawn.stderr).error.problems.length, 2)
})

test('graph and schema', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound)
  const text = await rig.loop(['workflow', 'graph', 'flow.yaml'])
  assert.equal(text.stdout, 'flow\n  build  in the tree\n  check  after build; in the tree\n')
  const json = await rig.loop(['workflow', 'graph', 'flow.yaml', '--format', 'json'])
  assert.deepEqual(JSON.parse(json.stdout).loops[1].needs, ['build'])
  const schema = await rig.loop(['workflow', 'schema'])
  assert.equal(schema.stdout, readFileSync(join(root, 'docs/reference/workflow.schema.json'), 'utf8'))
})

test('a dry run shows the commands as they would run; nothing is run or recorded', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound)
  const agent = ['--agent', 'custom', '--agent-cmd', 'false']
  const refused = await rig.loop(['workflow', 'run', 'flow.yaml', '--dry-run', ...agent])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /what has no value\.\n/)
  const args = ['workflow', 'run', 'flow.yaml', '--dry-run', '--set', "what=it's $(x)", ...agent]
  const said = await rig.loop(args)
  assert.equal(said.code, 0, said.stderr)
  assert.match(
    said.stdout,
    /\n {2}promise {5}test -e "\$LOOP_VAR_what"\n {2}with {8}LOOP_VAR_what=it's \$\(x\)\n/,
  )
  assert.match(
    said.stdout,
    /\non failure\n {2}runs {8}echo 'failed: '"\$LOOP_VAR_failed_loop"'' # \{\{what\}\}\n/,
  )
  assert.match(said.stdout, /\nNothing was run\.\n$/)
  assert.deepEqual(rig.loops(), [])
  const spec = JSON.parse((await rig.loop([...args, '--json'])).stdout)
  assert.equal(spec.loops[0].spec.agentCmd, 'false')
})

test('a file of the work tree is not run before its content is trusted', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound)
  const said = await rig.loop([
    'workflow',
    'run',
    'flow.yaml',
    '--set',
    'what=it',
    '--agent',
    'custom',
    '--agent-cmd',
    'false',
  ])
  assert.equal(said.code, 4)
  assert.match(
    said.stderr,
    /flow\.yaml is not trusted, and nothing of it was run\. Read it, then trust it with: --trust/,
  )
})

test('wrong arguments are refused', async t => {
  const rig = makeRig(t)
  rig.write('flow.yaml', sound)
  const rows: [string[], RegExp][] = [
    [[], /Say what to do/],
    [['validat', 'flow.yaml'], /loop workflow has no validat\. Did you mean: loop workflow validate/],
    [['validate'], /The form is: loop workflow validate <file>/],
    [['validate', 'flow.yaml', 'more'], /The form is/],
    [['validate', 'none.yaml'], /none\.yaml is not there/],
    [['validate', '.'], /is not a regular file/],
    [['validate', 'flow.yaml', '--set', 'what'], /--set is name=value; not "what"/],
    [['validate', 'flow.yaml', '--set', 'what=1', '--set', 'what=2'], /--set what is given twice/],
    [['graph', 'flow.yaml', '--format', 'svg'], /--format is text, mermaid, dot or json; not "svg"/],
    [['validate', 'flow.yaml', '--promise', 'x'], /has no flag --promise/],
  ]
  for (const [args, message] of rows) {
    const said = await rig.loop(['workflow', ...args])
    assert.equal(said.code, 4, args.join(' '))
    assert.match(said.stderr, message)
  }
  const unknown = await rig.loop(['workflow', 'validate', 'flow.yaml', '--set', 'waht=1'])
  assert.match(unknown.stdout, /The workflow has no variable waht\. Did you mean --set what=…\?/)
})
