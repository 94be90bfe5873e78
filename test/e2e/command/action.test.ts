/**
 * The GitHub Action, as a runner executes it: the shell of its step runs with the runner's variables, and its exit
 * code, outputs, job summary and archive are those of the loop. What only GitHub has (setup-node, artifacts) is read.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { version } from '../../../src/model/version.ts'
import { makeRig, root } from '../../rig/rig.ts'

type Step = {
  id?: string
  uses?: string
  if?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
type Action = {
  inputs: Record<string, { default?: string; required: boolean }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}
const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const step = action.runs.steps.find(({ id }) => id === 'loop') ?? {}

/** Runs the step with these inputs, in a repository whose tests fail, and an agent that is this shell command. */
async function runStep(t: TestContext, agent: string, inputs: Record<string, string>) {
  const rig = makeRig(t)
  rig.write('sum.js', 'module.exports = (a, b) => a - b\n')
  const head =
    "const test = require('node:test'), assert = require('node:assert'), sum = require('./sum.js')\n"
  rig.write(
    'sum.test.js',
    `${head}test('adds', () => assert.equal(sum(1, 2), 3))\ntest('zero', () => assert.equal(sum(5, 0), 5))\n`,
  )
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', rig.tree, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'x')
  await rig.loop(['config', 'set', 'agent_cmd', agent])
  const temp = join(rig.aside, 'runner')
  mkdirSync(temp)
  const files = { GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const given = { ...inputs, agent: 'custom' } as Record<string, string>
  const filled = Object.entries(step.env ?? {}).map(([name, text]) => [
    name,
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/,
      (_, input) => given[input] ?? action.inputs[input]?.default ?? '',
    ),
  ])
  const env = {
    ...rig.env,
    ...files,
    PATH: [join(root, 'bin'), dirname(process.execPath), rig.env['PATH']].join(':'),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    RUNNER_TEMP: temp,
    ...Object.fromEntries(filled),
  }
  // As the runner starts a step with `shell: bash`.
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? '']
  const { status, stdout, stderr } = spawnSync('bash', shell, { cwd: rig.tree, env, encoding: 'utf8' })
  const outputs = Object.fromEntries(
    readFileSync(files.GITHUB_OUTPUT, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  return {
    code: status,
    log: stdout + stderr,
    outputs,
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    rig,
    temp,
  }
}

const usage = `printf '{"costUsd":0.25}' > "$LOOP_USAGE_FILE"; `
const inputs = { prompt: 'fix the sum', promise: 'node --test', 'max-iterations': '3' }

test('a loop that completes: exit code 0, outputs, a summary with the receipt, an archive', async t => {
  const agent = `${usage}echo "module.exports = (a, b) => a + b" > sum.js`
  const { code, log, outputs, summary, rig } = await runStep(t, agent, inputs)
  assert.equal(code, 0, log)
  const { id = '', archive = '', ...rest } = outputs
  assert.match(id, /^[a-z0-9]{6}$/)
  assert.deepEqual(rest, { status: 'completed', verdict: 'SHIP', cost: '0.25' })
  assert.match(summary, new RegExp(`^### SHIP: loop ${id} completed$`, 'm'))
  assert.match(summary, /^\| 1 of 3 \| \$0\.25 \| \d+s \| custom \|$/m)
  assert.match(summary, /^\| node --test \| PASS \| exit 0 \|$/m)
  assert.match(summary, /^ {2}promise {5}node --test: PASS/m)
  assert.match(execFileSync('tar', ['tzf', archive], { encoding: 'utf8' }), /\/journal\.ndjson\n/)
  assert.match(log, /\[LOOP\] Iteration 1\/3/, 'the log of the step follows the loop')
  assert.deepEqual(rig.loops(), [], 'it has a store of its own')
})

test('a loop that fails: exit code 1, and the summary says what is unmet', async t => {
  const { code, log, outputs, summary } = await runStep(t, `${usage}echo x >> notes`, {
    ...inputs,
    'max-iterations': '2',
  })
  assert.equal(code, 1, log)
  assert.deepEqual([outputs['status'], outputs['verdict'], outputs['cost']], ['failed', 'RESEARCH', '0.5'])
  assert.match(summary, /^### RESEARCH: loop \w+ failed$/m)
  assert.match(summary, /^\| node --test \| FAIL \| exit 1.*\|$/m)
  assert.ok(existsSync(outputs['archive'] ?? ''))
})

test('a pass that only a changed test explains: exit code 1, and the verdict is SUSPECT', async t => {
  const { code, log, outputs, summary } = await runStep(t, 'echo "// none" > sum.test.js', inputs)
  assert.equal(code, 1, log)
  assert.deepEqual([outputs['status'], outputs['verdict'], outputs['cost']], ['paused', 'SUSPECT', ''])
  assert.match(summary, /^### SUSPECT: loop \w+ paused$/m)
  assert.match(summary, /sum\.test\.js/)
})

test('a hold-out decides, several promises are several criteria, and no input becomes code or markup', async t => {
  const evil = '$(touch evil) `touch evil` </pre><b>bold</b> ${{ github.token }}'
  const agent = `echo "module.exports = (a, b) => a + b" > sum.js; env > "$ASIDE/env"`
  const { code, log, outputs, summary, rig } = await runStep(t, agent, {
    ...inputs,
    prompt: evil,
    promise: 'tests=node --test\n\nthere=test -f sum.js\n',
    holdout: 'test -f never',
    'max-iterations': '1',
  })
  assert.notEqual(code, 0, log)
  assert.notEqual(outputs['verdict'], 'SHIP')
  assert.match(summary, /^\| tests \| PASS /m)
  assert.match(summary, /^\| there \| PASS /m)
  assert.equal(readdirSync(rig.tree).includes('evil'), false)
  const outside = summary.replaceAll(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
  assert.doesNotMatch(outside, /<b>/)
  const seen = readFileSync(join(rig.aside, 'env'), 'utf8')
  assert.doesNotMatch(seen, /test -f never|GITHUB_OUTPUT=|GITHUB_STEP_SUMMARY=/)
})

test('a loop that cannot start: exit code 4, empty outputs, and the summary has the reason', async t => {
  const { code, outputs, summary } = await runStep(t, 'true', { ...inputs, budget: 'much' })
  assert.equal(code, 4)
  assert.deepEqual(outputs, {})
  assert.match(summary, /^### loop could not start$/m)
  assert.match(summary, /budget/)
})

test('the action has its inputs and outputs, installs this version and keeps the archive', () => {
  const asked = ['prompt', 'promise', 'agent', 'budget', 'max-iterations', 'holdout']
  assert.deepEqual(
    asked.filter(name => !action.inputs[name]),
    [],
  )
  assert.deepEqual(Object.keys(action.outputs), ['id', 'status', 'verdict', 'cost'])
  assert.equal(action.inputs['version']?.default, version)
  for (const { run = '' } of action.runs.steps) assert.doesNotMatch(run, /\$\{\{/, 'inputs come by variables')
  const kept = action.runs.steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))
  assert.match(kept?.if ?? '', /^always\(\)/)
  assert.equal(kept?.with?.['path'], '${{ steps.loop.outputs.archive }}')
})
