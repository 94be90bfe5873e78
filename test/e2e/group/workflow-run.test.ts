/**
 * `loop workflow run` by the real program: the workflow of the specification, unchanged; loops side by side in copies,
 * conditions, outputs, questions, retries, hooks, and a resume after the file has changed.
 */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { loopProgram, makeRig, type Rig, readOr, until } from '../../rig/rig.ts'
import { ofTheSpecification } from '../../rig/workflow-file.ts'

/** A project with a test `t` that fails until the file `impl` exists; and programs that the hooks use. */
function sample(rig: Rig): NodeJS.ProcessEnv {
  const scripts = { test: 'sh test.sh', lint: 'true', 'docs:check': 'test -f DOC.md' }
  rig.write('package.json', JSON.stringify({ name: 'sample', scripts }))
  rig.write(
    'test.sh',
    'test -f t || { echo 0 passing; exit 0; }; test -f impl || { echo 1 failing; exit 1; }; echo 1 passing\n',
  )
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  symlinkSync(loopProgram, join(bin, 'loop'))
  writeFileSync(join(bin, 'notify-send'), '#!/bin/sh\nprintf "%s\\n" "$@" >> "$ASIDE/notified"\n')
  chmodSync(join(bin, 'notify-send'), 0o755)
  return { PATH: [bin, rig.env['PATH']].join(delimiter) }
}

type Flow = { yaml: string; agent: string; more?: string[]; env?: NodeJS.ProcessEnv }

async function run(rig: Rig, { yaml, agent, more = [], env = {} }: Flow) {
  const file = join(rig.aside, 'flow.yaml')
  writeFileSync(file, yaml)
  return rig.loop(['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent, ...more], { env })
}

type Ended = { node: string; how: string; why?: string }

/** The last end of each node, and the skipped nodes. */
function ends(rig: Rig): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { kind, data } of rig.events(onlyGroup(rig))) {
    const { node, how } = data as unknown as Ended
    if (kind === ('node.ended' as string)) found[node] = how
    if (kind === ('node.skipped' as string)) found[node] = 'skipped'
  }
  return found
}

const works =
  'case $LOOP_NODE in write-tests) echo t > t;; implement) echo "$FEATURE_NAME" > impl;; document) echo d > DOC.md;; esac'

test('the workflow of the specification runs as written; a value of any form arrives as it is', async t => {
  const rig = makeRig(t)
  const feature = `user auth $(touch pwned) "x" 'y' \`z\``
  const ended = await run(rig, {
    yaml: ofTheSpecification,
    agent: works,
    more: ['--set', `feature=${feature}`],
    env: sample(rig),
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(readOr(join(rig.tree, 'impl')), `${feature}\n`)
  assert.equal(readOr(join(rig.aside, 'notified')), `Feature complete: ${feature}\n`)
  assert.ok(!existsSync(join(rig.tree, 'pwned')))
  assert.deepEqual(ends(rig), {
    'write-tests': 'completed',
    implement: 'completed',
    refactor: 'completed',
    document: 'completed',
    'on_complete/1': 'completed',
  })
})

test('on failure the failed loop is rolled back by the hook, what depends on it is skipped, and it exits 1', async t => {
  const rig = makeRig(t)
  const agent = 'case $LOOP_NODE in write-tests) echo t > t;; implement) echo bad > junk;; esac'
  const ended = await run(rig, {
    yaml: ofTheSpecification,
    agent,
    more: ['--set', 'feature=x'],
    env: sample(rig),
  })
  assert.equal(ended.code, 1)
  assert.deepEqual(ends(rig), {
    'write-tests': 'completed',
    implement: 'failed',
    refactor: 'skipped',
    document: 'skipped',
    'on_failure/1': 'completed',
  })
  assert.ok(existsSync(join(rig.tree, 't')), 'what completed before stays')
  assert.ok(!existsSync(join(rig.tree, 'junk')), 'what the failed loop did is gone')
})

const parallel = (promise = 'true') => `name: side-by-side
loops:
  - id: base
    prompt: make the base
    promise: test -f base
  - id: left
    prompt: left
    promise: test -f left
    depends_on: [base]
  - id: right
    prompt: right
    promise: test -f right
    depends_on: [base]
  - id: join
    prompt: join
    promise: test -f left && test -f right && test -f join && ${promise}
    depends_on: [left, right]
`

test('loops that do not need each other run at the same time in copies, and both are in the tree after', async t => {
  const rig = makeRig(t)
  const meet = (me: string, other: string) =>
    `touch "$ASIDE/${me}"; while ! test -f "$ASIDE/${other}"; do sleep 0.02; done; echo x > ${me}`
  const agent = `case $LOOP_NODE in left) ${meet('left', 'right')};; right) ${meet('right', 'left')};; *) echo x > $LOOP_NODE;; esac`
  const ended = await run(rig, { yaml: parallel(), agent })
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(
    readdirSync(rig.tree)
      .filter(name => !name.startsWith('.'))
      .sort(),
    ['base', 'join', 'left', 'right'],
  )
})

test('if two loops change the same lines, the later one runs again on the result of the earlier one', async t => {
  const rig = makeRig(t)
  rig.write('shared', 'one\n')
  const meet = (me: string, other: string) =>
    `touch "$ASIDE/${me}"; while ! test -f "$ASIDE/${other}"; do sleep 0.02; done; echo ${me} >> shared; cp "$LOOP_PROMPT_FILE" "$ASIDE/prompt-$LOOP_ID"; echo x > ${me}`
  const agent = `case $LOOP_NODE in left) ${meet('left', 'right')};; right) ${meet('right', 'left')};; *) echo x > $LOOP_NODE;; esac`
  const ended = await run(rig, { yaml: parallel(), agent })
  assert.equal(ended.code, 0, ended.stderr)
  const lines = readOr(join(rig.tree, 'shared')).trim().split('\n')
  assert.deepEqual(lines.toSorted(), ['left', 'one', 'right'])
  const prompts = readdirSync(rig.aside).filter(name => name.startsWith('prompt-'))
  const told = prompts.filter(name => readOr(join(rig.aside, name)).includes('changed the same places'))
  assert.equal(told.length, 1, 'the one that is done again is told why')
})

test('outputs reach later loops as text, conditions decide, and a missing output is an error', async t => {
  const rig = makeRig(t)
  const yaml = `name: outputs
loops:
  - id: build
    prompt: build
    promise: test -f built
    outputs: [version, kind]
  - id: ship
    prompt: "ship {{outputs.build.version}}"
    promise: test "$(cat shipped)" = "{{outputs.build.version}}"
    depends_on: [build]
    when: outputs.build.kind == "release"
  - id: never
    prompt: never
    promise: "true"
    depends_on: [build]
    when: outputs.build.kind == "draft"
`
  const agent = `case $LOOP_NODE in build) echo x > built; printf '{"version":"1.2 $(id) \\\\"q\\\\"","kind":"release"}' > "$LOOP_OUTPUT_FILE";; ship) tail -n +1 "$LOOP_PROMPT_FILE" | grep -o 'ship .*' | head -1 | cut -c6- > shipped;; esac`
  const ended = await run(rig, { yaml, agent })
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(readOr(join(rig.tree, 'shipped')), '1.2 $(id) "q"\n')
  assert.equal(ends(rig)['never'], 'skipped')
  const without = makeRig(t)
  const missing = await run(without, { yaml, agent: 'echo x > built' })
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /left no output version, kind/)
})

test('a loop that fails is tried again as often as retry says', async t => {
  const rig = makeRig(t)
  const yaml = `name: again
loops:
  - id: flaky
    prompt: flaky
    promise: test "$(wc -l < "$ASIDE/tries")" -ge 3
    max_iterations: 1
    retry: { max: 2, on: [iteration-limit] }
    no_baseline: true
`
  const ended = await run(rig, { yaml, agent: 'echo x >> "$ASIDE/tries"' })
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(readOr(join(rig.aside, 'tries')), 'x\nx\nx\n')
})

test('a question before a loop waits for a human; no skips it', async t => {
  const rig = makeRig(t)
  const yaml = `name: asks
loops:
  - id: risky
    prompt: risky
    promise: test -f risky
    confirm: "Really touch {{what}}?"
`
  const asked = await run(rig, {
    yaml,
    agent: 'echo x > risky',
    more: ['--set', 'what=the db', '--no-input'],
  })
  assert.equal(asked.code, 1)
  const id = onlyGroup(rig)
  assert.match((await rig.loop(['answer', id])).stdout, /Really touch the db\?/)
  assert.equal((await rig.loop(['answer', id, 'no'])).code, 0)
  const ended = await rig.loop(['resume', id])
  assert.equal(ended.code, 0, ended.stderr)
  assert.ok(!existsSync(join(rig.tree, 'risky')))
})

test('a resume after the file has changed shows the differences, and needs --accept-changes', async t => {
  const rig = makeRig(t)
  const yaml = (promise: string) => `name: changes
loops:
  - id: first
    prompt: first
    promise: test -f first
  - id: second
    prompt: second
    promise: ${promise}
    depends_on: [first]
    max_iterations: 1
`
  const ended = await run(rig, { yaml: yaml('test -f wrong'), agent: 'echo x >> $LOOP_NODE' })
  assert.equal(ended.code, 1)
  writeFileSync(join(rig.aside, 'flow.yaml'), yaml('test -f second'))
  const id = onlyGroup(rig)
  const refused = await rig.loop(['resume', id])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /second: criteria changed/)
  const accepted = await rig.loop(['resume', id, '--accept-changes', '-n', '3'])
  assert.equal(accepted.code, 0, accepted.stderr)
  assert.equal(readOr(join(rig.tree, 'first')), 'x\n', 'what has completed is not done again')
})

test('a workflow in the background goes on after kill -9 of loopd', async t => {
  const rig = makeRig(t)
  rig.atEnd(async () => void (await rig.loopd(['stop', '--now'])))
  const agent =
    'echo x >> "$ASIDE/$LOOP_NODE"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo x > $LOOP_NODE'
  const started = await run(rig, { yaml: parallel(), agent, more: ['-b'] })
  assert.equal(started.code, 0, started.stderr)
  await until('the first agent', () => existsSync(join(rig.aside, 'base')))
  const { pid } = JSON.parse((await rig.loopd(['status', '--json'])).stdout)
  process.kill(pid, 'SIGKILL')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await rig.loopd(['start'])).code, 0)
  const id = onlyGroup(rig)
  await until('the end', () => rig.events(id).at(-1)?.kind === ('group.completed' as string), 60_000)
  for (const name of ['base', 'left', 'right', 'join']) {
    assert.equal(readOr(join(rig.aside, name)), 'x\n', `${name} ran once`)
  }
})
