/**
 * `loop watch` through a real pseudo-terminal: the content of the screen, every key, and the restored terminal
 * afterwards.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { putPrograms } from '../../agents/stand-in.ts'
import { keys, type Pty, type PtyWish, ptyOf } from '../../rig/pty.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

/** An agent that prints a line, waits for a file, and makes one of three tests pass. */
const agent = [
  'n=$(cat n 2>/dev/null || echo 3)',
  'echo "agent begins with $n"; seq -f "thought %g" 200; echo "on stderr" >&2',
  'while [ ! -e "$ASIDE/go-$n" ]; do sleep 0.02; done',
  'echo $((n - 1)) > n; echo "fix $n" >> work.txt',
].join('; ')
const check = `n=$(cat n 2>/dev/null || echo 3)
i=0; while [ $i -lt $n ]; do i=$((i + 1)); echo "not ok $i - test $i"; done
echo "1..3"; echo "# tests 3"; echo "# fail $n"; [ $n -eq 0 ]
`

const go = (rig: Rig, n: number) => writeFileSync(join(rig.aside, `go-${n}`), '')

type Scene = { rig: Rig; id: string; screen: Pty }

/** A loop in its second iteration, whose agent is at work, and the screen that watches it. */
async function watched(t: TestContext, wish: Omit<PtyWish, 'rig'> = {}): Promise<Scene> {
  const rig = makeRig(t)
  go(rig, 3)
  rig.write('check.sh', check)
  rig.spawn(startArgs(agent, 'tests=sh check.sh', '--plain', '--yes'))
  const id = await until('the second run', () => {
    const [one = ''] = rig.loops()
    return (
      one !== '' &&
      rig.events(one).some(event => event.kind === 'run.launched' && event.data.run === 2) &&
      one
    )
  })
  const screen = ptyOf(t, { rig, ...wish }, ['watch', id])
  await until('the screen', () => screen.text().includes('thought 200'))
  return { rig, id, screen }
}

/** Quits, and checks the terminal afterwards. */
async function quit({ screen }: Scene): Promise<void> {
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.equal(screen.buffer(), 'normal')
  assert.equal(screen.cursor().isShown, true)
}

test('a loop on 80 columns: head, iterations, output, tabs, and a summary after quit', async t => {
  const scene = await watched(t)
  const { screen, id } = scene
  assert.equal(screen.buffer(), 'alternate')
  const rows = screen.rows()
  assert.match(rows[0] ?? '', new RegExp(`^ loop ${id} {2}running · iteration 2/10 .*s$`))
  assert.equal(rows[1], ' do the work')
  assert.match(rows[3] ?? '', /cost – of \$25 · tokens – · context – .* 2 failing$/)
  assert.match(screen.text(), /^ {3}0 ✗ FAIL 3 /m)
  assert.match(screen.text(), /^ {3}1 ✗ FAIL 2 /m)
  assert.match(screen.text(), /^▸ {2}2 ● agent /m)
  assert.match(screen.text(), /│ thought 200$/m)
  screen.type('2[')
  await screen.shows(/│ not ok 2 - test 2/)
  assert.match(screen.text(), /│ --- iteration 1, promise: tests .*FAIL/)
  screen.type('3')
  await screen.shows(/│ {10}1 \+fix 3$/m)
  screen.type('4')
  await screen.shows('do the work')
  screen.type('5')
  await screen.shows(/✗ tests/)
  screen.type(`1${keys.home}`)
  await screen.shows(/│ agent begins with 3$/m)
  screen.type('e')
  await screen.shows(/│ on stderr$/m)
  await quit(scene)
  const left = screen.all().filter(line => line !== '')
  assert.match(left[0] ?? '', new RegExp(`^loop ${id}: running · iteration 2/10 · .*s$`))
  assert.ok(
    left.some(line => line.includes(`loop watch ${id}`)),
    left.join('\n'),
  )
})

test('keys steer the loop: pause and back, inject, checkpoint, cancel after a question that names the files', async t => {
  const { rig, screen, id } = await watched(t, { columns: 100, rows: 30 })
  const kinds = () => rig.events(id).map(({ kind }) => kind)
  screen.type('p')
  await screen.shows('pauses after this iteration')
  screen.type('r')
  await screen.shows('goes on without a pause')
  screen.type('i')
  await screen.shows('tell the agent:')
  assert.equal(screen.cursor().isShown, true)
  // Line editing: home, delete, end; and pasted text triggers no key.
  screen.type(
    `xlook at the cart${keys.home}\u001B[3~${keys.end}\u001B[200~ and\rquit\u001B[201~${keys.enter}`,
  )
  await until('the injection', () => kinds().includes('context.injected'))
  const told = rig.events(id).find(event => event.kind === 'context.injected')
  assert.equal(told?.data.text, 'look at the cart and quit')
  screen.type(`c${'\u007F'.repeat(20)}mine${keys.enter}`)
  await screen.shows('⚑ mine')
  writeFileSync(join(rig.tree, 'made-by-hand.txt'), 'x')
  screen.type('x')
  await screen.shows('delete  made-by-hand.txt')
  assert.match(screen.text(), /Cancel loop .* Its agent is ended now\./)
  screen.type('n')
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes('Cancel loop'))
  assert.equal(kinds().includes('cancel.requested'), false)
  screen.type('x')
  await screen.shows('Cancel loop')
  screen.type('y')
  await screen.shows(/ cancelled · iteration/)
  screen.type('b')
  await screen.shows(/Roll \d+ files? back to iter-002\? What is there now is saved first\./)
  assert.match(screen.text(), /delete {2}made-by-hand\.txt/)
  screen.type('y')
  await until('the rollback', () => kinds().includes('tree.restored'))
  assert.equal(existsSync(join(rig.tree, 'made-by-hand.txt')), false)
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('a file that comes while the question is open is named before anything is brought back', async t => {
  const { rig, screen, id } = await watched(t)
  const kinds = () => rig.events(id).map(({ kind }) => kind)
  const comes = (name: string) => writeFileSync(join(rig.tree, name), 'x')
  const isThere = (name: string) => existsSync(join(rig.tree, name))
  comes('first.txt')
  screen.type('x')
  await screen.shows('delete  first.txt')
  comes('second.txt')
  screen.type('b')
  await screen.shows('delete  second.txt')
  assert.match(screen.text(), /The list has changed\. Now loop would:\n.* delete {2}second\.txt\n/)
  assert.match(screen.text(), /Cancel loop \w+\? Its agent is ended now\./)
  assert.equal(kinds().includes('cancel.requested'), false)
  screen.type('b')
  await until('the end', () => kinds().includes('tree.restored'))
  assert.ok(!isThere('first.txt') && !isThere('second.txt'))
  await screen.shows(/ cancelled · iteration/)
  comes('third.txt')
  screen.type('b')
  await screen.shows('delete  third.txt')
  comes('fourth.txt')
  screen.type('y')
  await screen.shows('delete  fourth.txt')
  assert.match(screen.text(), /The list has changed\. Now loop would:\n.* delete {2}fourth\.txt\n/)
  assert.match(screen.text(), /Roll \d+ files back to iter-002\?/)
  assert.ok(isThere('third.txt'))
  screen.type('y')
  await until('the rollback', () => !isThere('third.txt') && !isThere('fourth.txt'))
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('search, its neighbours, the command for a line, following, and the scrolling of the terminal', async t => {
  const scene = await watched(t)
  const { rig, screen, id } = scene
  screen.type(`g/thought 15${keys.enter}`)
  await screen.shows('found in line 16')
  screen.type('n')
  await screen.shows('found in line 151')
  screen.type('n'.repeat(9))
  await screen.shows('found in line 160')
  screen.type('n')
  await screen.shows('found in line 16, from the top')
  screen.type('N')
  await screen.shows('found in line 160, from the end')
  screen.type(`g/THOUGHT 200${keys.enter}`)
  await screen.shows('found in line 201')
  screen.type('n')
  await screen.shows('found in line 201, from the top')
  screen.type(`g/thought 15${keys.enter}`)
  await screen.shows('found in line 16')
  screen.type('l')
  await screen.shows(`loop logs ${id} --iteration 2 --line 16`)
  const line = await rig.loop(['logs', id, '--iteration', '2', '--line', '16'])
  assert.match(line.stdout, /^> 16 {2}thought 15$/m)
  screen.type(`/nothing like it${keys.enter}`)
  await screen.shows('"nothing like it" is not found')
  screen.type('G')
  await screen.shows('thought 200')
  screen.type(`/begins with${keys.enter}`)
  await screen.shows('found in line 1, from the top')
  screen.type('G')
  await screen.shows('thought 200')
  screen.type('s')
  await until('the ordinary buffer', () => screen.buffer() === 'normal' && screen.all().includes('thought 1'))
  assert.ok(screen.all().includes('agent begins with 2'))
  screen.type(' ')
  await until('the screen again', () => screen.buffer() === 'alternate')
  await quit(scene)
})

test('sizes: a storm of them leaves the same frame as a new screen; the list moves, and nothing is too small', async t => {
  const { rig, id, screen } = await watched(t)
  for (let i = 0; i < 60; i += 1) screen.resize(20 + ((i * 37) % 120), 4 + ((i * 13) % 50))
  screen.resize(80, 24)
  await screen.shows('thought 200')
  // Small and back to the same size at once: the terminal has lost its content although the size is the same.
  screen.resizeAll([
    [20, 4],
    [80, 24],
  ])
  await screen.shows('thought 200')
  for (const [columns, rows] of [
    [60, 20],
    [10, 3],
    [120, 40],
  ] as const) {
    screen.resize(columns, rows)
    const fresh = ptyOf(t, { rig, columns, rows }, ['watch', id])
    const still = (text: string) =>
      text.replaceAll(/\d+(\.\d+)?(ms|s|m)\b( \d+s)?/g, 'T').replaceAll(/ +/g, ' ')
    await until(`the same at ${columns}x${rows}`, () => {
      const [a, b] = [still(screen.text()), still(fresh.text())]
      return (
        a === b &&
        (columns < 20 ? a.includes('too small') || a.includes('too sm') : a.includes('thought 200'))
      )
    })
    assert.ok(fresh.rows().every(row => row.length <= columns))
    fresh.type('q')
    await fresh.ended
  }
  screen.type('q')
  assert.equal(await screen.ended, 0)
})

test('the terminal comes back after TERM, after Ctrl-C, and while it is stopped by Ctrl-Z', async t => {
  const { rig, id, screen } = await watched(t)
  screen.type(keys.ctrlC)
  assert.equal(await screen.ended, 0)
  assert.equal(screen.buffer(), 'normal')
  const modes = 'stty -g > "$ASIDE/before"; "$0" "$@"; echo "code $?"; stty -g > "$ASIDE/after"'
  const shell = ptyOf(t, { rig, program: ['sh'] }, ['-c', modes, join(rig.tree, 'loop'), 'watch', id])
  execFileSync('ln', ['-s', join(import.meta.dirname, '../../../bin/loop'), join(rig.tree, 'loop')])
  await shell.shows('thought 200')
  const pid = execFileSync('pgrep', ['-f', `watch ${id}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)
  for (const one of pid)
    if (readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('loop.cjs')) process.kill(one, 'SIGTERM')
  await shell.ended
  assert.ok(shell.all().includes('code 0'), shell.all().join('\n'))
  assert.equal(
    readFileSync(join(rig.aside, 'after'), 'utf8'),
    readFileSync(join(rig.aside, 'before'), 'utf8'),
  )
  assert.equal(shell.buffer(), 'normal')
})

/** The output of claude: first the tokens in its context, and at its end the size of the context. */
const claude = `cat > /dev/null
say() { printf '%s\\n' "$1"; }
say '{"type":"assistant","message":{"id":"m'$LOOP_ITERATION'","model":"opus","content":[{"type":"text","text":"I am at it."}],"usage":{"input_tokens":4000,"cache_read_input_tokens":80000,"output_tokens":1}},"parent_tool_use_id":null}'
while [ ! -e "$ASIDE/end-$LOOP_ITERATION" ]; do sleep 0.02; done
echo x >> work
say '{"type":"result","is_error":false,"total_cost_usd":0.1,"modelUsage":{"opus":{"inputTokens":4000,"outputTokens":9,"costUSD":0.1,"contextWindow":200000}}}'
`

test('the context: in use as soon as the agent says it, of its window once that is known', async t => {
  const rig = makeRig(t)
  putPrograms(rig, { claude })
  rig.env['ANTHROPIC_API_KEY'] = 'a key'
  const end = (n: number) => writeFileSync(join(rig.aside, `end-${n}`), '')
  rig.spawn(['start', 'do it', '-p', 'test -e done', '--agent', 'claude', '-n', '2', '--plain', '--yes'])
  const id = await until('the loop', () => rig.loops()[0])
  const screen = ptyOf(t, { rig, columns: 100 }, ['watch', id])
  await screen.shows(/tokens – · context 84\.0k$/m)
  end(1)
  await screen.shows(/ iteration 2\/2 .*context 84\.0k of 200\.0k \(42 %\)/s)
  end(2)
  await screen.shows(/ failed · iteration 2\/2 .*context 84\.0k of 200\.0k \(42 %\)/s)
  screen.type('q')
  assert.equal(await screen.ended, 0)
})
