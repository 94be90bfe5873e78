/** On a real terminal (tmux): the live view, and Ctrl-C as the terminal sends it, to the whole process group. */
import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostIn } from '../../rig/daemon.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'
import { terminal, terminalTest as test } from '../../rig/screen.ts'

const agent =
  'echo "at work"; touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'

const moving =
  /^ {2}1 {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [<\d]\S* +custom: at work +p pause {2}x cancel {2}i tell it {2}\? keys$/m

test('a terminal shows a row that moves, a row for each iteration, and what came of it', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'test -e work', '--yes'))
  await until('the moving row', () => moving.test(screen.text()))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  const text = screen.text()
  assert.match(
    text,
    /^loop \w{6} {2}.+\n {2}test -e work · custom · up to 10 iterations, \$25\n\n {2}before {5}✗ fails \(exit 1\)\n {2}1 +\S+ {2}✓ passes {6}work \+1 −0\n {13}"at work"\n\n✓ Done in \S+, 1 iteration\. work \+1 −0\. /m,
  )
  assert.match(text, /^ {2}review {2}loop diff (\w{6}) {8}undo {2}loop rollback \1 initial$/m)
  assert.doesNotMatch(text, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|\[LOOP\]/)
})

test('-v shows everything: the agent, the announcements, and the receipt', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'test -e work', '--yes', '-v'))
  await until('the moving line', () =>
    /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] agent at work \d.*\(p pause · x cancel\)$/m.test(screen.text()),
  )
  await until('the output', () => /^ {2}│ at work$/m.test(screen.text()))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  const text = screen.text()
  assert.match(
    text,
    /^ {2}state {7}\.loop\/state\.json, kept at the end\n +--state delete deletes it at the end$/m,
  )
  assert.match(text, /^\[LOOP\] Iteration 1\/10 \| Cost: \$0\/\$25 \| Step: test -e work$/m)
  assert.match(text, /^<loop-complete>$/m)
  assert.doesNotMatch(text, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
})

test('? shows what the keys do, and i tells the agent something while it works', async t => {
  const rig = makeRig(t)
  const screen = terminal(
    rig,
    startArgs(`cat > "$ASIDE/prompt"; ${agent}; rm "$ASIDE/go"`, 'test "$(wc -l < work)" = 2', '--yes'),
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('?')
  await until('the help', () => screen.text().includes('tell the agent something'))
  screen.type('?')
  await until('no help', () => !screen.text().includes('tell the agent something'))
  screen.type('i')
  await until('the question', () => screen.text().includes('Tell the agent:'))
  screen.type('the sky is green', 'Enter')
  await until('the answer', () => screen.text().includes('the agent reads this in its next iteration'))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the second run', () => readOr(join(rig.aside, 'prompt')).includes('the sky is green'))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.match(screen.text(), /^Tell the agent: the sky is green$/m)
  assertUntouched(rig)
})

test('Ctrl-C on the terminal reaches loop and not the agent: pause, then cancel', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('C-c')
  await until('the pause', () => screen.text().includes('custom: at work, then pauses'))
  screen.type('C-c')
  await until('the end', () => screen.text().includes('ended with 2'))
  assert.match(screen.text(), /^■ Cancelled in iteration 1\.$/m)
})

test('after Ctrl-C the key x cancels too', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('C-c')
  await until('the pause', () => screen.text().includes('custom: at work, then pauses'))
  screen.type('x')
  await until('the end', () => screen.text().includes('ended with 2'))
  assert.match(screen.text(), /^■ Cancelled in iteration 1\.$/m)
})

test('a promise that may never work is asked about before the agent is started', async t => {
  const rig = makeRig(t)
  const args = startArgs('touch "$ASIDE/up"; mkdir nowhere', 'cd nowhere', '--state', 'keep')
  const screen = terminal(rig, args)
  await until('the question', () => screen.text().includes('Go on all the same? [y/N]'))
  assert.match(
    screen.text(),
    /^■ Paused before any work: the check may never work: there is no directory nowhere to go into\.$/m,
  )
  assert.equal(existsSync(join(rig.aside, 'up')), false, 'no agent was started')
  screen.type('y', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
})

/** The modes of the terminal are restored, and no typed key is left for the shell. */
function assertUntouched(rig: Rig): void {
  const [before, now] = ['modes-before', 'modes-after'].map(name => readOr(join(rig.aside, name)))
  assert.ok(before)
  assert.equal(now, before)
  assert.equal(readOr(join(rig.aside, 'left'), 'no file'), '')
}

test('what is typed is neither echoed nor left for the shell, and the modes of the terminal come back', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'test -e work', '--yes'))
  await until('the moving row', () => moving.test(screen.text()))
  screen.type('qwzt', 'Enter', 'Up')
  // Keys are read in order: this key shows that the keys before it were read.
  screen.type('C-c')
  await until('the pause', () => screen.text().includes('custom: at work, then pauses'))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.doesNotMatch(screen.text(), /qwzt|\^\[|\[A/)
  assertUntouched(rig)
})

test('p pauses after the iteration, r takes it back, x cancels now', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('p')
  await until('the pause', () =>
    /custom: at work, then pauses +r no pause {2}x cancel {2}\? keys$/m.test(screen.text()),
  )
  screen.type('r')
  await until('the way on', () => moving.test(screen.text()))
  screen.type('x')
  await until('the end', () => screen.text().includes('ended with 2'))
  assert.match(screen.text(), /^■ Cancelled in iteration 1\.$/m)
  assertUntouched(rig)
})

test('while an agent that does not want to end is stopped, the moving line says that', async t => {
  const rig = makeRig(t)
  const stubborn = `trap 'touch "$ASIDE/asked"' TERM; ${agent.replace('sleep 0.02', 'sleep 0.02 & wait')}`
  const screen = terminal(rig, startArgs(stubborn, 'false', '--yes'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  screen.type('x')
  await until('the word', () => /^ {2}1 {2}. [<\d]\S* +stopping custom$/m.test(screen.text()))
  await until('the end', () => screen.text().includes('ended with 2'))
})

test('the time of the agent goes on at Ctrl-C, and the terminal comes back after the second', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'false', '--yes'))
  await until('two seconds', () => /^ {2}1 {2}. 2s +custom: at work/m.test(screen.text()))
  screen.type('C-c')
  const shown = await until('the pause', () =>
    /^ {2}1 {2}. (\S+) +custom: at work, then/m.exec(screen.text()),
  )
  assert.ok(Number.parseInt(shown[1] ?? '', 10) >= 2, shown[0])
  screen.type('C-c')
  await until('the end', () => screen.text().includes('ended with 2'))
  assertUntouched(rig)
})

test('at 80 columns a long line of the agent keeps its bar, and the moving line stays one line', async t => {
  const rig = makeRig(t)
  const long = `${'0123456789'.repeat(20)}${'漢字'.repeat(30)}`
  rig.write('long', `${long}\n`)
  const screen = terminal(
    { ...rig, columns: 80 },
    startArgs(`cat long; ${agent}`, 'test -e work', '--yes', '-v'),
  )
  await until('the output', () => screen.text().includes('│ at work'))
  await until('the moving line', () => /^. agent at work \d/m.test(screen.text()))
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the end', () => screen.text().includes('ended with 0'))
  const lines = screen.text().split('\n')
  const from = lines.findIndex(line => line.includes('│ 0123'))
  const shown = lines.slice(
    from,
    lines.findIndex(line => line.includes('│ at work')),
  )
  assert.ok(
    shown.every(line => line.startsWith('  │ ')),
    shown.join('\n'),
  )
  assert.equal(shown.map(line => line.slice(4)).join(''), long)
  assert.doesNotMatch(screen.text(), /agent at work \d/)
})

test('at 80 columns a long line of the promise keeps its bar too', async t => {
  const rig = makeRig(t)
  const long = 'a test with a long name that fails '.repeat(5).trim()
  const screen = terminal(
    { ...rig, columns: 80 },
    startArgs('touch work', `test -e work || { echo '${long}'; false; }`, '--yes', '-v'),
  )
  await until('the end', () => screen.text().includes('ended with 0'))
  const lines = screen.text().split('\n')
  const from = lines.findIndex(line => line.includes('│ a test'))
  const shown = lines.slice(
    from,
    lines.findIndex(line => line.includes('checkpoint initial')),
  )
  assert.equal(
    shown
      .map(line => /^ {2}│ (.*)$/.exec(line)?.[1] ?? 'no bar')
      .join(' ')
      .replaceAll(/ +/g, ' '),
    long,
  )
})

test('TERM leaves the agent running and gives the terminal back', async t => {
  const rig = makeRig(t)
  const screen = terminal(rig, startArgs(agent, 'test -e work', '--yes'))
  await until('the moving row', () => moving.test(screen.text()))
  const [id = ''] = rig.loops()
  process.kill(Number(hostIn(rig, id)?.split('-')[0]), 'SIGTERM')
  await until('the end', () => screen.text().includes('ended with 2'))
  assertUntouched(rig)
  assert.equal((await rig.loop(['cancel', id])).code, 0)
})

test('a question is asked in the mode of the terminal, and keys are keys again after it', async t => {
  const rig = makeRig(t)
  const args = startArgs(agent, 'test -e work', '--yes', '--confirm', 'looks right', '--no-baseline')
  const screen = terminal(rig, args)
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the question', () => screen.text().includes('Is this so: looks right?'))
  rmSync(join(rig.aside, 'go'))
  screen.type('the button is too small', 'Enter')
  await until('the next iteration', () => /^ {2}2 {2}. \S+ +custom: at work/m.test(screen.text()))
  assert.match(screen.text(), /\[yes\/no\/what is wrong\] the button is too small$/m)
  screen.type('x')
  await until('the end', () => screen.text().includes('ended with 2'))
  assertUntouched(rig)
})
