/** The output of a failing promise: in the live view, in status, and complete in the logs. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

const agent = 'echo x >> work'
/** Prints thirty lines, then how often the agent has worked. */
const promise = [
  'i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "line $i"; done',
  'echo; printf "\\033[31mworked $(cat work 2>/dev/null | wc -l)\\033[0m times"',
  'false',
].join('; ')

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`).join('\n')

test('the live view and status show the last lines of a promise that fails, and only of that', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(agent, `a=${promise}`, '-p', 'b=echo fine', '-n', '1', '--plain'))
  assert.match(
    ended.stderr,
    /^ {2}baseline a \(.*\): FAIL \(exit 1, .*\)\n( {2}│ line (2[4-9]|30)\n){7} {2}│ worked 0 times\n {2}baseline b /m,
  )
  assert.match(
    ended.stderr,
    /^ {2}promise a .*\n( {2}│ line \d+\n){7} {2}│ worked 1 times\n {2}promise b .*\n(?! {2}│)/m,
  )
  const { stdout } = await rig.loop(['status', '@last'])
  assert.match(
    stdout,
    /^ {2}promise {5}a: FAIL .*\n( {14}│ line (2[789]|30)\n){4} {14}│ worked 1 times\n {2}promise {5}b: PASS/m,
  )
})

test('logs --promise prints what each criterion printed, exactly, of any iteration', async t => {
  const rig = makeRig(t)
  const args = startArgs(
    agent,
    `a=${promise}`,
    '-p',
    'b=echo fine',
    '-n',
    '2',
    '--must-not',
    'secrets=echo none; false',
  )
  await rig.loop(args)
  const [id = ''] = rig.loops()
  // Colours appear on a terminal only.
  const whole = (times: number) => `${lines(1, 30)}\n\nworked ${times} times\n`
  const newest = await rig.loop(['logs', id, '--promise'])
  assert.equal(newest.code, 0, newest.stderr)
  const parts = newest.stdout.split(/^(--- .*)\n/m)
  assert.match(parts[1] ?? '', /^--- iteration 2, promise: a \(.*\): FAIL \(exit 1, [\d.]+m?s\)$/)
  assert.equal(parts[2], whole(2))
  assert.match(parts[3] ?? '', /^--- iteration 2, promise: b \(echo fine\): PASS \(exit 0, [\d.]+m?s\)$/)
  assert.equal(parts[4], 'fine\n')
  assert.match(parts[5] ?? '', /^--- iteration 2, must not secrets: /)
  assert.equal(parts[6], 'none\n')
  assert.equal(
    (await rig.loop(['logs', id, '--promise', '--iteration', '1'])).stdout.split(/^---.*\n/m)[1],
    whole(1),
  )
  const baseline = (await rig.loop(['logs', id, '--promise', '--iteration', '0'])).stdout
  assert.match(baseline, /^--- baseline, promise: a /)
  assert.equal(baseline.split(/^---.*\n/m)[1], whole(0))
  const rows = (await rig.loop(['logs', id, '--promise', '--json'])).stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row))
  assert.deepEqual(rows[0], {
    iteration: 2,
    criterion: 'a',
    verdict: 'FAIL',
    kind: 'output',
    text: 'line 1\n',
  })
  assert.deepEqual(rows.at(-1), {
    iteration: 2,
    criterion: 'secrets',
    mustNot: true,
    verdict: 'FAIL',
    kind: 'output',
    text: 'none\n',
  })
  const texts = rows.filter(({ criterion }) => criterion === 'a').map(({ text }) => text)
  assert.equal(`${texts.join('')}\n`, whole(2).replace('worked 2', '\u001B[31mworked 2\u001B[0m'))
})

test('a secret in the output of the promise is shown nowhere', async t => {
  const rig = makeRig(t)
  const env = { SHOP_TOKEN: 'correct-horse-battery' }
  const ended = await rig.loop(startArgs(agent, 'echo "uses $SHOP_TOKEN"; false', '-n', '1', '--plain'), {
    env,
  })
  const views = [
    ['status', '@last'],
    ['logs', '@last', '--promise'],
    ['logs', '@last', '--promise', '--json'],
  ]
  const shown = [ended.stderr]
  for (const args of views) shown.push((await rig.loop(args, { env })).stdout)
  for (const text of shown) {
    assert.match(text, /uses \[redacted:\$SHOP_TOKEN\]/)
    assert.ok(!text.includes('correct-horse'), text)
  }
})

test('when the files are gone, the end that the journal has kept is shown', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, `a=${promise}`, '-n', '1'))
  const [id = ''] = rig.loops()
  rmSync(join(rig.dir(id), 'verify'), { recursive: true })
  const { code, stdout } = await rig.loop(['logs', id, '--promise'])
  assert.equal(code, 0)
  assert.match(stdout, /^--- .*\n… the output is gone \(loop gc\); its last lines:\nline 1\n[^]*worked 1/)
  assert.equal((await rig.loop(['status', id])).code, 0)
})

test('an output that logs cannot show is refused', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, `a=${promise}`, '-n', '1'))
  const rows: [string[], RegExp][] = [
    [['--iteration', 'NaN'], /^loop: --iteration is the number of an iteration, like 2; not "NaN"\.\n$/],
    [['--iteration', '-1'], /--iteration/],
    [['--promise', '--iteration', '1.5'], /not "1\.5"/],
    [
      ['--promise', '--iteration', '7'],
      /The promise was not run in iteration 7\. It was run in: 0, 1 \(0 is the baseline\)\./,
    ],
    [['--promise', '-f'], /--follow is for what the agent prints; leave it or --promise out/],
    [['--promise', '--raw'], /--raw is for what the agent prints/],
  ]
  for (const [flags, message] of rows) {
    const refused = await rig.loop(['logs', '@last', ...flags])
    assert.equal(refused.code, 4, flags.join(' '))
    assert.match(refused.stderr, message)
  }
})

test('a promise with a known runner is shown by what fails, and one without by what is new', async t => {
  const rig = makeRig(t)
  const tests = [
    "import assert from 'node:assert/strict'",
    "import { existsSync } from 'node:fs'",
    "import { test } from 'node:test'",
    "test('has worked', () => assert.equal(existsSync('never'), true))",
  ]
  rig.write('work.test.mjs', tests.join('\n'))
  const check = 'cat work 2>/dev/null | tail -n 1 | tr x y; echo always; false'
  const ended = await rig.loop(
    startArgs(agent, 'tests=node --test', '-p', `own=${check}`, '-n', '1', '--plain'),
  )
  const named = '✗ has worked  work.test.mjs:4  expected true, got false'
  assert.ok(ended.stderr.includes(`\n  │ ${named}\n`), ended.stderr)
  assert.match(ended.stderr, /promise own .*\n {2}│ y\n {2}│ always\n/)
  const { stdout } = await rig.loop(['status', '@last'])
  assert.ok(stdout.includes(`              │ ${named}\n`), stdout)
  assert.match(stdout, /own: FAIL .*\n {14}│ y\n(?! +│)/)
  const logs = (await rig.loop(['logs', '@last', '--promise'])).stdout
  assert.match(logs, /^--- iteration 1, promise: tests .*\n✗ has worked {2}work\.test\.mjs:4 .*\n\n/)
  assert.match(logs, /\n--- iteration 1, promise: own .*\ny\nalways\n/)
})
