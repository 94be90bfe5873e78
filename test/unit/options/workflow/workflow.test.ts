/** A workflow file as data: the one of the specification, unchanged, and the result of each part of a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workflowSpec } from '../../../../src/model/group/workflow.ts'
import { startFlags } from '../../../../src/options/table/start.ts'
import { commandOptions, loopOptions } from '../../../../src/options/workflow/keys.ts'
import { flow, ofTheSpecification, problemsOf, readFile, workflowOf } from '../../../rig/workflow-file.ts'

test('the workflow of the specification, as it is written', () => {
  const workflow = workflowOf(ofTheSpecification, { set: { feature: 'user-auth' } })
  assert.deepEqual(workflowSpec.parse(workflow), workflow)
  assert.equal(workflow.name, 'implement-feature')
  assert.equal(workflow.description, 'Full feature implementation with TDD')
  assert.deepEqual(workflow.vars, { feature: 'user-auth' })
  assert.deepEqual(workflow.env, { FEATURE_NAME: 'user-auth' })
  assert.deepEqual(
    workflow.loops.map(({ id, needs, place, spec }) => [id, needs, place, spec.maxIterations, spec.criteria]),
    [
      ['write-tests', [], 'tree', 5, criteria("npm test 2>&1 | grep -q 'failing'")],
      ['implement', ['write-tests'], 'tree', 15, criteria('npm test')],
      ['refactor', ['implement'], 'tree', 5, criteria('npm test && npm run lint')],
      ['document', ['refactor'], 'tree', 3, criteria('npm run docs:check')],
    ],
  )
  const [first] = workflow.loops
  assert.deepEqual(first?.prompt, ['Write failing tests for user-auth'])
  assert.equal(first?.spec.prompt, 'Write failing tests for user-auth')
  assert.deepEqual(first?.env, { FEATURE_NAME: ['user-auth'] })
  assert.deepEqual(workflow.onComplete, [
    {
      command: `notify-send 'Feature complete: '"$LOOP_VAR_feature"''`,
      written: "notify-send 'Feature complete: {{feature}}'",
      variables: { LOOP_VAR_feature: ['user-auth'] },
    },
  ])
  assert.deepEqual(workflow.onFailure, [
    {
      command: 'loop rollback "$LOOP_VAR_failed_loop" initial',
      written: 'loop rollback {{failed_loop}} initial',
      variables: { LOOP_VAR_failed_loop: [{ of: 'failed-loop' }] },
    },
  ])
})

function criteria(command: string) {
  return [{ name: command, command }]
}

test('looked at, it needs no variable; run, it does', () => {
  const read = readFile(ofTheSpecification, { isComplete: false })
  assert.ok('workflow' in read)
  assert.deepEqual(read.unset, ['feature'])
  assert.deepEqual(problemsOf(ofTheSpecification), [
    '5:18-5:29 feature has no value. = Give it one: --set feature=…',
  ])
  assert.deepEqual(problemsOf(ofTheSpecification, { set: { featur: 'x', feature: 'y' } }), [
    '1:7-1:24 The workflow has no variable featur. Did you mean --set feature=…?',
  ])
})

test('which value holds: the loop, the run, defaults, the configuration', () => {
  const layers = {
    user: ({ name }: { name: string }) =>
      name === 'timeout' ? { text: '9m', from: 'config', subject: 'timeout' } : null,
  }
  const text = flow(
    '    promise: npm test\n    max_iterations: 2',
    'defaults: {max_iterations: 3, model: big, stuck-limit: 4}',
  )
  const [loop] = workflowOf(text, { layers, flags: { 'max-iterations': '5', model: 'small' } }).loops
  assert.equal(loop?.spec.maxIterations, 2)
  assert.equal(loop?.spec.model, 'small')
  assert.equal(loop?.spec.breakers?.stuck, 4)
  assert.equal(loop?.spec.timeoutMs, 9 * 60_000)
  assert.equal(loop?.spec.verifyTimeoutMs, 5 * 60_000)
})

test('a typed limit is an upper bound of what a loop says itself', () => {
  const own = [
    '    promise: npm test',
    '    max_iterations: 5',
    '    timeout: 2m',
    '    max_wait: 1h',
    '    budget: 9',
    '    stuck_limit: off',
  ].join('\n')
  const flags = {
    'max-iterations': '2',
    timeout: '3m',
    'max-wait': '10m',
    budget: '4',
    'stuck-limit': '3',
  }
  const limitsOf = (typed: Record<string, string>) => {
    const [loop] = workflowOf(flow(own), { flags: typed }).loops
    const { maxIterations, timeoutMs, maxWaitMs, budgetUsd, breakers } = loop?.spec ?? {}
    return [maxIterations, timeoutMs, maxWaitMs, budgetUsd, breakers?.stuck]
  }
  assert.deepEqual(limitsOf({}), [5, 120_000, 3_600_000, 9, null])
  assert.deepEqual(limitsOf(flags), [2, 120_000, 600_000, 4, 3])
  assert.deepEqual(limitsOf({ 'max-iterations': 'unlimited', budget: 'none' }), [
    5,
    120_000,
    3_600_000,
    9,
    null,
  ])
})

test('a typed limit is an upper bound of the defaults of the file too, and says what it lowers', () => {
  const text = flow('    promise: npm test', 'defaults: {max_iterations: 3, timeout: 4m, stuck_limit: off}')
  const limitsOf = (flags: Record<string, string>) => {
    const [loop] = workflowOf(text, { flags }).loops
    return [loop?.spec.maxIterations, loop?.spec.timeoutMs, loop?.spec.breakers?.stuck, loop?.lowered]
  }
  assert.deepEqual(limitsOf({ 'max-iterations': '5', timeout: '9m' }), [3, 240_000, null, undefined])
  assert.deepEqual(limitsOf({ 'max-iterations': '2', timeout: '1m', 'stuck-limit': '6' }), [
    2,
    60_000,
    6,
    [
      { option: 'max-iterations', from: '3', to: '2' },
      { option: 'timeout', from: '4m', to: '1m' },
      { option: 'stuck-limit', from: 'off', to: '6' },
    ],
  ])
})

test('one budget for all: typed, of the file, configured; each loop has at most that', () => {
  const text = (top: string, own = '') => flow(`    promise: npm test\n${own}`, top)
  const budgets = (workflow: ReturnType<typeof workflowOf>) => [
    workflow.budgetUsd,
    workflow.loops[0]?.spec.budgetUsd,
  ]
  assert.deepEqual(budgets(workflowOf(text(''))), [25, 25])
  assert.deepEqual(budgets(workflowOf(text('budget: 40'))), [40, 40])
  assert.deepEqual(budgets(workflowOf(text('budget: 40'), { flags: { budget: '3' } })), [3, 3])
  assert.deepEqual(budgets(workflowOf(text('budget: 40', '    budget: 2.50'))), [40, 2.5])
  assert.deepEqual(budgets(workflowOf(text('budget: none'))), [null, null])
})

test('a promise is as -p: a list, with names; a human at the end by confirm_at_end', () => {
  const [loop] = workflowOf(
    flow(`    promise: [tests pass=npm test, '"it is {big}"=test -s f', npm run lint]
    confirm_at_end: looks right
    must-not: ['secrets=grep -r {{word}} .']
    protect: "{{word}}/**"
    no_baseline: true
    fail-fast: yes
    retry: {max: 2, on: crashed}
    best_of: 3`).replace('yes', 'true'),
    { set: { word: 'x' } },
  ).loops
  assert.deepEqual(loop?.spec.criteria, [
    { name: 'tests pass', command: 'npm test' },
    { name: 'it is {big}', command: 'test -s f' },
    { name: 'npm run lint', command: 'npm run lint' },
    { name: 'looks right', command: null, verification: 'observation' },
  ])
  assert.deepEqual(loop?.spec.mustNot, [{ name: 'secrets', command: 'grep -r "$LOOP_VAR_word" .' }])
  assert.deepEqual(loop?.spec.protect, ['x/**'])
  assert.equal(loop?.spec.baseline, false)
  assert.equal(loop?.spec.failFast, true)
  assert.deepEqual(loop?.retry, { max: 2, on: ['crashed'] })
  assert.equal(loop?.bestOf, 3)
})

test('an option that the command line of a run does not have can be a default', () => {
  const text = `name: flow
defaults: {promise: npm test, protect: [a.txt]}
loops:
  - {id: a, prompt: do it}
  - {id: b, prompt: do it, promise: sh check.sh}
`
  const { loops } = workflowOf(text)
  assert.deepEqual(
    loops.map(({ spec }) => [spec.criteria.map(({ command }) => command), spec.protect]),
    [
      [['npm test'], ['a.txt']],
      [['sh check.sh'], ['a.txt']],
    ],
  )
})

test('a variable that is declared as a command is run by a shell of its own', () => {
  const top = 'vars: {test: {type: command, default: npm test}, who: {required: false}, what: you}'
  const workflow = workflowOf(flow(`    promise: '! {{test}} | grep {{who}}{{what}}'`, top))
  assert.deepEqual(workflow.vars, { test: 'npm test', who: '', what: 'you' })
  assert.equal(
    workflow.loops[0]?.spec.criteria[0]?.command,
    '! /bin/sh -c "$LOOP_VAR_test" | grep "$LOOP_VAR_who""$LOOP_VAR_what"',
  )
})

test('a command that names the variable itself is given it', () => {
  const text = flow(`    promise: node -e 'process.exit(process.env.LOOP_VAR_code)'`, 'vars: {code: 0}')
  assert.deepEqual(workflowOf(text).loops[0]?.env, { LOOP_VAR_code: ['0'] })
  assert.deepEqual(problemsOf(text.replace('env.LOOP_VAR_code', 'env.LOOP_VAR_cod')), [
    '6:48-6:60 There is no $LOOP_VAR_cod for promise. = Did you mean LOOP_VAR_code?',
  ])
})

test('text that only looks like a reference stays; one that is escaped too', () => {
  const prompt = 'keep {{ .Values.x }}, ${{ github.sha }}, {{}}, \\{{feature}} and outputs.build.x'
  const [loop] = workflowOf(flow('    promise: npm test').replace('do it', prompt)).loops
  assert.deepEqual(loop?.prompt, [prompt.replace('\\', '')])
})

test('a value with a reference in it is not looked at again', () => {
  const set = { feature: '{{outputs.build.x}} $& {{feature}}' }
  const [loop] = workflowOf(
    flow('    promise: npm test').replace('do it', '{{feature}}!').replace('{{feature}}!', '"{{feature}}!"'),
    { set },
  ).loops
  assert.deepEqual(loop?.prompt, [`${set.feature}!`])
})

test('env: text and variables, and nothing of the environment of the user', () => {
  const text = flow('    promise: npm test', 'env: {A: "{{x}} $HOME", PORT: 80}')
  assert.deepEqual(workflowOf(text, { set: { x: 'v' } }).env, { A: 'v $HOME', PORT: '80' })
})

test('the hash is that of the file and the variables', () => {
  const hash = (text: string, x: string) => workflowOf(text, { set: { x } }).hash
  const text = flow('    promise: npm test {{x}}')
  assert.match(hash(text, '1'), /^[0-9a-f]{64}$/)
  assert.equal(hash(text, '1'), hash(text, '1'))
  assert.notEqual(hash(text, '1'), hash(text, '2'))
  assert.notEqual(hash(text, '1'), hash(`${text}# more\n`, '1'))
})

test('a mistake in a block of lines has its own line and column', () => {
  const text = flow(`    promise: |
      npm test
      sh -c "{{x}}"
    agent: custom
    agent_cmd: >-
      my-agent
      --eval {{x}}`)
  assert.deepEqual(
    problemsOf(text, { set: { x: '1' } }).map(line => line.split(' ')[0]),
    ['8:14-8:19', '12:14-12:19'],
  )
})

test('a refusal of the start has the place of its option, and is said once', () => {
  const text = `${flow('    promise: npm test\n    agent: custom')}  - {id: b, prompt: x, promise: npm test}\n  - {id: c, prompt: x, promise: npm test}\n`
  const find = () => ({
    ok: false as const,
    failure: { reason: 'agent-missing' as const, facts: { kind: 'custom-command-missing' as const } },
  })
  const system = {
    agent: () => ({
      capabilities: {} as never,
      isProgram: true,
      isInstalled: () => true,
      outdated: () => null,
      signedIn: () => 'yes' as const,
      keys: () => [],
      find,
    }),
  }
  assert.deepEqual(problemsOf(text, { system }), [
    "7:12-7:18 The agent custom needs a command. Give it with --agent-cmd, for example: --agent-cmd 'my-agent --yes'",
  ])
})

test('an option that takes a command is a key of a loop only where values cannot become part of it', () => {
  const taking = startFlags.filter(({ takes }) => takes?.includes('cmd')).map(({ name }) => name)
  assert.ok(taking.length > 3)
  assert.deepEqual(
    loopOptions.map(({ name }) => name).filter(name => taking.includes(name)),
    commandOptions
      .filter(name => taking.includes(name))
      .toSorted((a, b) => taking.indexOf(a) - taking.indexOf(b)),
  )
})

test('agent_cmd takes values where it is a shell command', () => {
  const text = (agent: string) =>
    flow(`    promise: npm test\n    agent: ${agent}\n    agent_cmd: my-agent {{x}}`)
  const [loop] = workflowOf(text('custom'), { set: { x: 'a b' } }).loops
  assert.equal(loop?.spec.agentCmd, 'my-agent "$LOOP_VAR_x"')
  assert.deepEqual(loop?.env, { LOOP_VAR_x: ['a b'] })
  assert.deepEqual(problemsOf(text('scripted'), { set: { x: 'a' } }), [
    '8:16-8:30 agent_cmd of scripted is no shell command: nothing is replaced in it.',
  ])
})
