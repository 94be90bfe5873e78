/**
 * `loop start --best-of` and `--isolated` by the real program: attempts in copies, the choice and its reason, the
 * changes that reach the tree, and what a person does with the other attempts.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

/** Attempt n writes as many lines as the n-th number says. */
const lines = (...many: number[]) =>
  `case $LOOP_ATTEMPT in ${many.map((n, i) => `${i + 1}) n=${n};;`).join(' ')} esac; seq $n > work; pwd >> "$ASIDE/places"; echo "$LOOP_ATTEMPT/$LOOP_ATTEMPTS $LOOP_PORT_BASE $COMPOSE_PROJECT_NAME" >> "$ASIDE/lanes"`

type Comparison = {
  winner: string | null
  by: string | null
  inTree: string | null
  attempts: {
    node: string
    member: string
    how: string
    size: number
    values: Record<string, { value: number | null }>
  }[]
}

async function compared(rig: Rig): Promise<Comparison> {
  const { stdout } = await rig.loop(['compare', onlyGroup(rig), '--json'])
  return JSON.parse(stdout)
}

test('of three that pass, the smallest change is brought into the tree, and the others stay comparable', async t => {
  const rig = makeRig(t)
  rig.write('old', 'old\n')
  const ended = await rig.loop(startArgs(lines(5, 2, 9), 'test -f work', '--best-of', '3'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(readOr(join(rig.tree, 'work')), '1\n2\n')
  const { winner, by, inTree, attempts } = await compared(rig)
  assert.deepEqual([winner, by, inTree], ['2-tests-first', 'lines', '2-tests-first'])
  assert.deepEqual(
    attempts.map(({ size, how }) => [size, how]),
    [
      [5, 'completed'],
      [2, 'completed'],
      [9, 'completed'],
    ],
  )
  const lanes = readFileSync(join(rig.aside, 'lanes'), 'utf8').trim().split('\n')
  assert.equal(new Set(lanes.map(line => line.split(' ')[1])).size, 3, 'each has its own ports')
  assert.equal(new Set(lanes.map(line => line.split(' ')[2])).size, 3, 'each has its own compose name')
  const diff = await rig.loop(['diff', onlyGroup(rig), '2..3'])
  assert.match(diff.stdout, /^\+3$/m)
  assert.doesNotMatch(diff.stdout, /^\+2$/m)
})

test('another attempt is picked, or one file of it; what the user changed meanwhile stays', async t => {
  const rig = makeRig(t)
  rig.write('old', 'old\n')
  const agent = `${lines(5, 2, 9)}; echo "$LOOP_ATTEMPT" > note`
  await rig.loop(startArgs(agent, 'test -f work', '--best-of', '3'))
  const id = onlyGroup(rig)
  rig.write('old', 'mine\n')
  assert.equal((await rig.loop(['pick', id, '3'])).code, 0)
  assert.deepEqual(
    [readOr(join(rig.tree, 'work')), readOr(join(rig.tree, 'old'))],
    ['1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'mine\n'],
  )
  assert.equal((await compared(rig)).inTree, '3-root-cause')
  assert.equal((await rig.loop(['pick', id, '1', '--file', 'note'])).code, 0)
  assert.deepEqual([readOr(join(rig.tree, 'note')), readOr(join(rig.tree, 'work')).length], ['1\n', 18])
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  assert.deepEqual([existsSync(join(rig.tree, 'work')), readOr(join(rig.tree, 'old'))], [false, 'old\n'])
  assert.equal((await rig.loop(['rollback', id, 'before-rollback-1'])).code, 0)
  assert.equal(readOr(join(rig.tree, 'old')), 'mine\n')
})

test('a metric of the user goes before the size of the change', async t => {
  const rig = makeRig(t)
  await rig.loop(
    startArgs(lines(5, 2, 9), 'test -f work', '--best-of', '3', '--best-of-metric', 'max:wc -l < work'),
  )
  const { winner, by, attempts } = await compared(rig)
  assert.deepEqual([winner, by], ['3-root-cause', 'metric'])
  assert.deepEqual(
    attempts.map(({ values }) => values['metric']?.value),
    [5, 2, 9],
  )
})

test('a metric is measured by its script as the attempts found it', async t => {
  const rig = makeRig(t)
  rig.write('size.sh', 'wc -l < work\n')
  const agent = `${lines(5, 2, 9)}; [ "$LOOP_ATTEMPT" != 2 ] || echo 'echo 99' > size.sh`
  await rig.loop(startArgs(agent, 'test -f work', '--best-of', '3', '--best-of-metric', 'max:sh size.sh'))
  const { winner, attempts } = await compared(rig)
  assert.equal(winner, '3-root-cause')
  assert.deepEqual(
    attempts.map(({ values }) => values['metric']?.value),
    [5, 2, 9],
  )
})

test('if no attempt passes, nothing is applied, and the exit code is 1', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs('echo x > made', 'false', '-n', '1', '--no-baseline', '--best-of', '2'),
  )
  assert.equal(ended.code, 1)
  assert.ok(!existsSync(join(rig.tree, 'made')))
  assert.equal((await compared(rig)).winner, null)
})

test('the user goes on in the tree while an isolated run works, and both changes are there at the end', async t => {
  const rig = makeRig(t)
  rig.write('mine', 'before\n')
  const agent = 'touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo x > made'
  const run = rig.spawn(startArgs(agent, 'test -f made', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('mine', 'after\n')
  assert.ok(!existsSync(join(rig.tree, 'made')))
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await run.ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual([readOr(join(rig.tree, 'mine')), readOr(join(rig.tree, 'made'))], ['after\n', 'x\n'])
})

test('if both changed the same lines, nothing is applied, the place is named, and a later apply works', async t => {
  const rig = makeRig(t)
  rig.write('same', 'before\n')
  const agent =
    'touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo theirs > same; echo x > made'
  const run = rig.spawn(startArgs(agent, 'test -f made', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('same', 'ours\n')
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await run.ended
  assert.equal(ended.code, 1)
  assert.match(ended.stderr + ended.stdout, /same/)
  assert.deepEqual([readOr(join(rig.tree, 'same')), existsSync(join(rig.tree, 'made'))], ['ours\n', false])
  rig.write('same', 'before\n')
  assert.equal((await rig.loop(['apply', onlyGroup(rig)])).code, 0)
  assert.deepEqual([readOr(join(rig.tree, 'same')), readOr(join(rig.tree, 'made'))], ['theirs\n', 'x\n'])
})

test('a result that does not hold in the tree is taken out again', async t => {
  const rig = makeRig(t)
  rig.write('switch', 'on\n')
  const agent = 'touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo x > made'
  const run = rig.spawn(startArgs(agent, 'test -f made && grep -q on switch', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('switch', 'off\n')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await run.ended).code, 1)
  assert.deepEqual([readOr(join(rig.tree, 'switch')), existsSync(join(rig.tree, 'made'))], ['off\n', false])
})

test('the text of --inject reaches every attempt; a second wave is told how the first one went', async t => {
  const rig = makeRig(t)
  rig.write('hint.txt', 'mind the gap\n')
  const agent = 'cp "$LOOP_PROMPT_FILE" "$ASIDE/prompt-$LOOP_ATTEMPT"; echo x > made'
  const more = ['--best-of', '2', '--best-of-waves', '2', '--inject', 'hint.txt', '-n', '1', '--no-baseline']
  const ended = await rig.loop(startArgs(agent, 'test -f made', ...more))
  assert.equal(ended.code, 0, ended.stderr)
  const prompts = [1, 2, 3, 4].map(n => readOr(join(rig.aside, `prompt-${n}`)))
  for (const prompt of prompts) assert.match(prompt, /mind the gap/)
  assert.deepEqual(
    prompts.map(prompt => prompt.includes('1-direct: the promise held')),
    [false, false, true, true],
  )
})

test('with --first-wins the others end when one has passed', async t => {
  const rig = makeRig(t)
  const agent = 'if test $LOOP_ATTEMPT = 2; then echo x > made; else sleep 60; fi'
  const ended = await rig.loop(startArgs(agent, 'test -f made', '--best-of', '2', '--first-wins'))
  assert.equal(ended.code, 0, ended.stderr)
  const { winner, attempts } = await compared(rig)
  assert.equal(winner, '2-tests-first')
  assert.deepEqual(
    attempts.map(({ how }) => how),
    ['cancelled', 'completed'],
  )
})

test('with --best-of-manual a person chooses', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(lines(1, 2), 'test -f work', '--best-of', '2', '--best-of-manual'))
  assert.equal(ended.code, 1)
  const id = onlyGroup(rig)
  assert.match((await rig.loop(['answer', id])).stdout, /Which attempt/)
  assert.equal((await rig.loop(['answer', id, '2-tests-first'])).code, 0)
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(readOr(join(rig.tree, 'work')), '1\n2\n')
})

test('a cancelled group leaves no process and no copy', async t => {
  const rig = makeRig(t)
  const run = rig.spawn(
    startArgs('echo $$ >> "$ASIDE/pids"; sleep 300', 'false', '--no-baseline', '--best-of', '2'),
  )
  await until('both agents', () => readOr(join(rig.aside, 'pids')).split('\n').length > 2)
  const id = onlyGroup(rig)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  await run.ended
  const copies = existsSync(rig.paths.copies) ? readdirSync(rig.paths.copies) : []
  assert.deepEqual(
    copies.filter(name => name.startsWith(id)),
    [],
  )
  const members = rig.loops().filter(loop => loop !== id)
  for (const member of members) assert.equal(rig.events(member).at(-1)?.kind, 'loop.cancelled')
})

test('a paused group rests with all its members, and goes on where it was', async t => {
  const rig = makeRig(t)
  const agent = 'echo x >> "$ASIDE/runs"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo x >> work'
  const run = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" -ge 2', '--best-of', '2'))
  await until('both agents', () => readOr(join(rig.aside, 'runs')).split('\n').length > 2)
  const id = onlyGroup(rig)
  assert.equal((await rig.loop(['pause', id])).code, 0)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await run.ended).code, 2)
  assert.equal(JSON.parse((await rig.loop(['status', id, '--json'])).stdout).status, 'paused')
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(readOr(join(rig.aside, 'runs')), 'x\n'.repeat(4), 'two runs for each')
})
