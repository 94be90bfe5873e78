/**
 * A loop in the foreground of a terminal: lines that stay in the scrollback, and a few rows below them that change;
 * nothing is lost.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bestOfArgs, cost } from '../../rig/group.ts'
import { ptyOf } from '../../rig/pty.ts'
import { loopProgram, makeRig, startArgs } from '../../rig/rig.ts'

const wait = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
const check =
  'n=$(cat n 2>/dev/null || echo 3); echo "1..3"; echo "# tests 3"; echo "# fail $n"; [ $n -eq 0 ]'

test('every line is in the scrollback once, in order, through a storm of sizes; the rows at the bottom are not', async t => {
  const rig = makeRig(t)
  const agent = `seq -f 'thought %g' 1500; printf 'half a line '; ${wait}; echo; seq -f 'after %g' 300; echo 0 > n`
  const screen = ptyOf(t, { rig }, startArgs(agent, `tests=${check}`, '--yes', '-v'))
  await screen.shows(/^ {2}│ half a line$/m)
  const rows = screen.rows().filter(row => row !== '')
  const last = rows.slice(-3)
  assert.equal(last[0], '  │ half a line')
  assert.equal(last[1], '  iteration 1/10   █ 3 failing')
  assert.match(last[2] ?? '', /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] agent at work [\d.]+m?s {3}\(p pause · x cancel\)$/)
  // Never narrower than the lines: a terminal that wraps them again by itself is not tested here.
  for (let i = 0; i < 40; i += 1) screen.resize(70 + ((i * 7) % 50), 10 + ((i * 3) % 30))
  screen.resize(80, 24)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
  assert.equal(screen.buffer(), 'normal')
  const printed = screen.all().flatMap(line => /^ {2}│ ((?:thought|after) \d+)$/.exec(line)?.[1] ?? [])
  const expected = [
    ...Array.from({ length: 1_500 }, (_, n) => `thought ${n + 1}`),
    ...Array.from({ length: 300 }, (_, n) => `after ${n + 1}`),
  ]
  assert.deepEqual(printed, expected)
  assert.equal(screen.all().filter(line => line === '  │ half a line').length, 1)
  assert.equal(
    screen.all().some(line => line.includes('agent at work')),
    false,
  )
  assert.equal(
    screen.all().some(line => line.startsWith('  iteration 1/10')),
    false,
  )
  assert.ok(screen.all().includes('<loop-complete>'))
})

for (const [what, env] of Object.entries({ 'TERM=dumb': { TERM: 'dumb' }, CI: { CI: '1' } })) {
  test(`${what}: plain lines, no escape at all`, async t => {
    const rig = makeRig(t)
    const args = startArgs('echo hello; touch work', 'test -e work', '--yes', '--state', 'keep')
    const screen = ptyOf(t, { rig, env }, args)
    assert.equal(await screen.ended, 0)
    const sent = screen.sent().toString()
    assert.match(sent, /---LOOP_STATUS---/)
    if (what === 'TERM=dumb') assert.equal(sent.includes('\u001B'), false)
    assert.doesNotMatch(sent, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
  })
}

test('LANG=C and NO_COLOR: the same facts in ASCII, without colour', async t => {
  const rig = makeRig(t)
  const args = startArgs(`echo hello; ${wait}; echo 0 > n`, `tests=${check}`, '--yes')
  const screen = ptyOf(t, { rig, env: { LANG: 'C', NO_COLOR: '1' } }, args)
  await screen.shows(/^ {2}1 {2}[|/\\-] \S+ +custom: hello +p pause {2}x cancel {2}i tell it {2}\? keys$/m)
  assert.match(screen.text(), /^ {2}before {5}x 3 failing$/m)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
  assert.equal(screen.sent().includes('\u001B[3'), false)
  // Also the lines that stay, the receipt, and what other commands print.
  assert.doesNotMatch(screen.all().join('\n'), /[^\n\x20-\x7E]/)
  for (const command of [['status'], ['status', '@last'], ['history', '@last']]) {
    const other = ptyOf(t, { rig, env: { LANG: 'C' } }, command)
    assert.equal(await other.ended, 0)
    assert.doesNotMatch(other.all().join('\n'), /[^\n\x20-\x7E]/, command.join(' '))
  }
})

test('on 80 columns lines are broken between words, below what they say; what is to be typed is one line', async t => {
  const rig = makeRig(t)
  const promise = 'a promise with a long name, so that its verdict does not fit the terminal=test -e done'
  const screen = ptyOf(t, { rig }, startArgs('touch work', promise, '-n', '1', '--yes', '--no-input', '-v'))
  assert.equal(await screen.ended, 1)
  const rows = screen.all().map(row => row.trimEnd())
  const at = rows.findLastIndex(row => row.startsWith('  promise     '))
  assert.equal(rows[at], '  promise     a promise with a long name, so that its verdict does not fit the')
  assert.match(
    rows[at + 1] ?? '',
    /^ {14}terminal \(test -e done\): FAIL \(exit 1, [\d.]+m?s\), run by loop itself$/,
  )
  const detail = ptyOf(t, { rig }, ['status', '@last'])
  assert.equal(await detail.ended, 0)
  assert.match(detail.text(), /^ {2}breakers {4}.*,?$\n^ {14}\S/m)
})

test('rows that move stay one row each through a storm of sizes, and what stays is there once', async t => {
  const rig = makeRig(t)
  const agent = `seq -f 'thought %g of many that do not fit a narrow terminal at all' 900; ${wait}; echo 0 > n`
  const screen = ptyOf(t, { rig, columns: 100 }, startArgs(agent, `tests=${check}`, '--yes'))
  await screen.shows(/custom: thought 900 of many/)
  for (let i = 0; i < 40; i += 1) screen.resize(90 + ((i * 7) % 50), 10 + ((i * 3) % 30))
  screen.resize(100, 24)
  await screen.shows(/^ {2}1 {2}. \S+ +custom: thought 900 of many/m)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
  assert.equal(screen.buffer(), 'normal')
  const rows = screen.all().filter(row => row !== '')
  assert.deepEqual(rows.map(row => row.replace(/^( {2}1) +[<\d]+s/, '$1 …')).slice(1, -2), [
    '  tests · custom · up to 10 iterations, $25',
    '  before     ✗ 3 failing',
    '  1 …  ✓ all 3 tests pass  n +1 −0',
    '             "thought 900 of many that do not fit a narrow terminal at all"',
  ])
})

test('a prompt from stdin: no key can be pressed, and Ctrl-C is named instead', async t => {
  const rig = makeRig(t)
  rig.write('task.md', 'do the work')
  const [, , ...start] = startArgs(`${wait}; echo 0 > n`, `tests=${check}`, '--yes', '--state', 'keep')
  const words = ['-c', 'exec "$0" start - "$@" < task.md', loopProgram, ...start]
  const screen = ptyOf(t, { rig, program: ['sh'] }, words)
  await screen.shows(/^ {2}1 {2}. \S+ +custom: working +Ctrl-C pauses, twice cancels$/m)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
})

test('a group in the foreground: a lane for each loop, and what all of them have cost together', async t => {
  const rig = makeRig(t)
  const agent = `${cost(0.25)}; [ $LOOP_ITERATION = 1 ] || { ${wait}; echo x > work; }; echo y >> tried`
  const screen = ptyOf(t, { rig }, [...bestOfArgs(agent, 'test -e work', '-n', '3'), '--state', 'keep'])
  await screen.shows(
    /^ {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] 1-direct +\S+ +iteration 2 {2}✗ still fails \(exit 1\) {2}custom: working$/m,
  )
  await screen.shows(/^ {4}0 of 2 done, \$0\.50 +Ctrl-C pauses, twice cancels$/m)
  assert.match(
    screen.text(),
    /^group \w{6} {2}.*\n {2}best of 2 · test -e work · custom · up to 6 iterations, \$25$/m,
  )
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal(await screen.ended, 0)
})
