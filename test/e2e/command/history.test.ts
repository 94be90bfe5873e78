/** `loop history` and `loop diff`: the work of each iteration, straight from journal and checkpoints. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loopProgram, makeRig, readOr, startArgs } from '../../rig/rig.ts'

const agent = [
  'echo "said in $LOOP_ITERATION"; echo "line $LOOP_ITERATION" >> work',
  'if [ "$LOOP_ITERATION" = 2 ]; then rm old; echo new > new; fi',
  `printf '{"costUsd": 0.25}' > "$LOOP_USAGE_FILE"`,
].join('; ')

test('the table has one row per iteration, with verdict, changes and cost', async t => {
  const rig = makeRig(t)
  rig.write('old', 'one\ntwo\n')
  await rig.loop(startArgs(agent, 'grep -q "line 2" work', '--no-baseline'))
  const [id = ''] = rig.loops()
  const table = (await rig.loop(['history', id])).stdout.replaceAll(/ [\d.]+m?s /g, ' T ').split('\n')
  assert.deepEqual(
    table.map(line => line.replaceAll(/ +/g, ' ')),
    [
      'ITER CHECKPOINT PROMISE DURATION CHANGES COST',
      '1 iter-001 FAIL T +1 -0 (1 file) $0.25',
      '2 iter-002 PASS ✓ T +2 -2 (3 files) $0.25',
      '',
      'What each left is saved too: iter-001-after to iter-002-after',
      '',
    ],
  )
  const json = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
  assert.equal(json.id, id)
  const { durationMs, ...second } = json.iterations[1]
  assert.deepEqual(second, {
    n: 2,
    checkpoint: 'iter-002',
    after: 'iter-002-after',
    verdict: 'PASS',
    added: 2,
    removed: 2,
    files: 3,
    promiseChanges: { added: 0, removed: 0, files: 0 },
    costUsd: 0.25,
    estimated: false,
    tokens: null,
  })
  assert.ok(durationMs > 0)
})

test('--diff shows what one iteration did, a range what lies between, diff the whole loop', async t => {
  const rig = makeRig(t)
  rig.write('old', 'one\ntwo\n')
  await rig.loop(startArgs(agent, 'grep -q "line 3" work', '--no-baseline'))
  const [id = ''] = rig.loops()
  const one = (await rig.loop(['history', id, '--diff', '1'])).stdout
  assert.match(one, /^diff --git a\/work b\/work\nnew file mode 100644\n[^]*\+line 1\n$/)
  const between = (await rig.loop(['diff', id, '2..3'])).stdout
  assert.match(between, /deleted file[^]*-one\n-two\n/)
  assert.match(between, / line 1\n\+line 2\n/)
  const whole = await rig.loop(['diff', id])
  assert.match(whole.stdout, /\+line 1\n\+line 2\n\+line 3\n/)
  const data = JSON.parse((await rig.loop(['diff', id, 'initial..iter-001-after', '--json'])).stdout)
  assert.deepEqual([data.id, data.from, data.to, data.patch], [id, 'initial', 'iter-001-after', one])
  const wrong = await rig.loop(['diff', id, '1..9'])
  assert.equal(wrong.code, 4)
  assert.match(
    wrong.stderr,
    new RegExp(`^loop: Loop ${id} has no checkpoint 9\\. It has: initial, iter-001, iter-001-after, `),
  )
  assert.equal((await rig.loop(['diff', id, '3'])).code, 4)
})

test('--verbose shows the exact prompts and what the agent printed', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(`cat > "$ASIDE/prompt"; ${agent}`, 'false', '-n', '1', '--no-baseline'))
  const verbose = (await rig.loop(['history', '@last', '-v'])).stdout
  assert.ok(verbose.includes(readOr(join(rig.aside, 'prompt')).trimEnd()))
  assert.match(verbose, /--- what the agent printed\nsaid in 1\n/)
})

test('--verbose shows a prompt of 1 MB whole, and of much output the newest with a true count', async t => {
  const rig = makeRig(t)
  const prompt = `${'a word or two '.repeat(80_000)}and the end`
  rig.write('task', prompt)
  const talker = 'head -c 1500000 /dev/zero | tr "\\0" x; echo " last words"'
  const args = ['start', '-', '-p', 'false', '-n', '1', '--no-baseline', '--agent', 'custom']
  await rig.loop(['-c', `"$0" "$@" < task`, loopProgram, ...args, '--agent-cmd', talker], { program: 'sh' })
  const { stdout } = await rig.loop(['history', '@last', '-v'])
  assert.ok(stdout.includes(prompt))
  assert.match(stdout, /^… 1500001 bytes before this: see loop logs …\nlast words$/m)
})

test('A..B ends before iteration B, and with --after has what B did too', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'grep -q "line 3" work', '--no-baseline'))
  const before = (await rig.loop(['history', '@last', '--diff', '1..3'])).stdout
  assert.match(before, /\+line 2\n/)
  assert.doesNotMatch(before, /line 3/)
  for (const args of [
    ['history', '@last', '--diff', '1..3', '--after'],
    ['diff', '@last', '1..3', '--after'],
  ]) {
    assert.match((await rig.loop(args)).stdout, /\+line 1\n\+line 2\n\+line 3\n/)
  }
  for (const wrong of [['1..iter-003', '--after'], ['--after']]) {
    const refused = await rig.loop(['diff', '@last', ...wrong])
    assert.deepEqual([refused.code, refused.stdout], [4, ''])
    assert.match(refused.stderr, /--after goes with a range/)
  }
})

test('without checkpoints there is a history but no diff', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '1', '--checkpoint', 'none'))
  assert.match((await rig.loop(['history', '@last'])).stdout, /1 +iter-001 +FAIL +[\d.]+m?s +– +\$0\.25/)
  const refused = await rig.loop(['diff', '@last'])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /was started with --checkpoint none: nothing was saved/)
})

test('status and history say why a loop goes on no more, and what to type', async t => {
  const rig = makeRig(t)
  const dear = `printf '{"costUsd": 2}' > "$LOOP_USAGE_FILE"; date +%N >> work`
  await rig.loop(startArgs(dear, 'test -e never', '--budget', '3', '--plain'))
  const [id = ''] = rig.loops()
  const needs = `\n\n${id} paused: $4 of $3 spent\n  next  loop resume ${id} --budget 8\n`
  const listed = await rig.loop(['status'])
  assert.ok(listed.stdout.startsWith('LOOP-ID ') && listed.stdout.endsWith(needs), listed.stdout)
  const told = await rig.loop(['history', id])
  assert.ok(told.stdout.endsWith(needs), told.stdout)
  const group = startArgs(dear, 'test -e never', '--budget', '3', '--best-of', '2', '--plain')
  await rig.loop(group)
  const nodes = await rig.loop(['history', '@last'])
  const ofGroup =
    /\n\n(\w{6}) paused: \$4 of \$3 spent by its loops together\n {2}next {2}loop resume \1 --budget 8\n$/
  assert.match(nodes.stdout, ofGroup)
  for (const name of ['a', 'b', 'c', 'd']) {
    const tree = join(rig.aside, name)
    mkdirSync(tree)
    await rig.loop(startArgs('true', 'false', '-n', '1', '--plain'), { cwd: tree })
  }
  const all = await rig.loop(['status'])
  assert.match(all.stdout, /\n2 more at rest: loop status <id> says whether it needs you\.\n$/)
  await rig.loop(startArgs('touch done', 'test -e done', '--plain'))
  assert.equal(
    (await rig.loop(['history', '@last'])).stdout.includes('next'),
    false,
    'done: nobody is needed',
  )
})
