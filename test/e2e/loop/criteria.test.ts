/**
 * Several criteria, forbidden criteria, protected files, and criteria that only a human can judge: through the real
 * program.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const worker = 'cat > "$ASIDE/prompt"; echo line >> work'
const lines = (n: number) => `test "$(cat work 2>/dev/null | wc -l)" -ge ${n}`

const statusOf = async (rig: Rig, id: string) => JSON.parse((await rig.loop(['status', id, '--json'])).stdout)

test('named criteria are met one after the other; each is announced, and the block says where it stands', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs(
      worker,
      `one=${lines(1)}`,
      '-p',
      `"two lines"=${lines(2)}`,
      '-p',
      `size:measurement=${lines(1)}`,
    ),
  )
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /^\[LOOP\] Starting \| Shape: Tool \| Workflow: A \| Steps: 3 \| Budget: \$25$/m)
  assert.ok(
    ended.stderr.includes(`[LOOP] ✓ one complete | Progress: 2/3 | Next: two lines
[LOOP] ✓ size complete | Progress: 2/3 | Next: two lines
---LOOP_STATUS---
EXIT_SIGNAL: false
CRITERIA: {"one": true, "two lines": false, "size": true}
STUCK_COUNT: 0
NEXT: meet two lines
---END_STATUS---
`),
    ended.stderr,
  )
  assert.ok(ended.stderr.includes('| Step: two lines\n'), ended.stderr)
  assert.ok(
    ended.stdout.includes(`<loop-complete>
All success criteria satisfied:
- one: ✓
- two lines: ✓
- size: ✓
</loop-complete>

╭─ 🟢 SHIP ───────────────────────────────╮
│ Verified: execution output, measurement │
│ Tasks: 3/3 complete                     │
│ Subjective: ~– · Type 2B · 3pt          │
╰─────────────────────────────────────────╯
`),
    ended.stdout,
  )
})

test('criteria have names in plain words; a command that no shell can parse is refused at once', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs(worker, `tests pass=${lines(1)}`, '-p', `2. Größe stimmt=${lines(1)}`),
  )
  assert.equal(ended.code, 0, ended.stderr)
  assert.ok(ended.stdout.includes('- tests pass: ✓\n- 2. Größe stimmt: ✓\n'), ended.stdout)
  const [id = ''] = rig.loops()
  for (const flags of [
    ['-p', 'syntax ( error'],
    ['-p', 'true', '--must-not', 'no keys=grep "x'],
  ]) {
    const refused = await rig.loop(['start', 'do it', '--agent', 'custom', '--agent-cmd', 'echo', ...flags])
    assert.equal(refused.code, 4, refused.stderr)
    assert.match(refused.stderr, /is no command that \/bin\/sh can read: .*syntax error/i)
  }
  assert.deepEqual(rig.loops(), [id], 'no loop was made')
})

test('a promise that may never work: one line of warning where nobody can be asked', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('printf "check:\n\ttrue\n" > Makefile', 'checks=make check'))
  assert.equal(ended.code, 0, ended.stderr)
  const warnings = ended.stderr.split('\n').filter(line => line.startsWith('  warning: '))
  assert.deepEqual(warnings, [
    '  warning: checks: make has no rule for "check"; the agent starts anyway, for it may have to create what is missing',
  ])
})

test('--fail-fast runs the cheap ones first and stops at the first that fails', async t => {
  const rig = makeRig(t)
  const slow = 'echo slow >> "$ASIDE/log"; sleep 0.2; true'
  const quick = `echo quick >> "$ASIDE/log"; ${lines(3)}`
  const ended = await rig.loop(startArgs(worker, `slow=${slow}`, '-p', `quick=${quick}`, '--fail-fast'))
  assert.equal(ended.code, 0, ended.stderr)
  const log = readFileSync(join(rig.aside, 'log'), 'utf8').trim().split('\n')
  // At the baseline no durations are known, so both run. Then the quick one fails twice alone and passes once. Last both
  // run in a clean copy.
  assert.deepEqual(log, ['slow', 'quick', 'quick', 'quick', 'quick', 'slow', 'slow', 'quick'])
})

test('what must not be pauses the loop with exit 1, though the promise holds; mended, resume completes', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs('echo KEY=1 > env; echo x > work', 'test -e work', '--must-not', 'secrets=grep -q KEY env'),
  )
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /^ {2}must not happen: secrets – happens$/m)
  assert.match(
    ended.stderr,
    /^\[LOOP\] ⏸ Paused: what must not happen has happened: secrets \(grep -q KEY env\)$/m,
  )
  assert.ok(
    ended.stdout.includes(
      `Loop ${id} paused: what must not happen has happened: secrets (grep -q KEY env).\n`,
    ),
    ended.stdout,
  )
  const again = await rig.loop(['resume', id])
  assert.equal(again.code, 1, 'it is still so')
  rig.write('env', '')
  assert.equal((await rig.loop(['resume', id])).code, 0)
})

test('a changed protected file pauses the loop with exit 1, though the promise holds', async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, 'test/.hidden'), { recursive: true })
  rig.write('test/.hidden/a.js', 'assert(1)')
  const agent = 'echo > test/.hidden/a.js; echo x > work'
  const ended = await rig.loop(startArgs(agent, 'test -e work', '--protect', 'test/**'))
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 1)
  assert.match(
    ended.stdout,
    new RegExp(`^Loop ${id} paused: protected files were changed: test/.hidden/a.js\\.$`, 'm'),
  )
  assert.match(
    ended.stdout,
    new RegExp(`next +To take it back: loop rollback ${id} 1\\. To accept it: loop resume ${id}$`, 'm'),
  )
  assert.equal((await rig.loop(['rollback', id, '1'])).code, 0)
  assert.equal(readFileSync(join(rig.tree, 'test/.hidden/a.js'), 'utf8'), 'assert(1)')
})

test('nobody there to confirm: paused with exit 1; answered from elsewhere, resume verifies and completes', async t => {
  const rig = makeRig(t)
  const confirm = ['--confirm', 'the page looks right']
  const ended = await rig.loop(startArgs(worker, lines(1), ...confirm))
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 1)
  assert.ok(
    ended.stdout.includes(
      `Loop ${id} paused: a human has to say whether this is so, and nobody is there: the page looks right.\n`,
    ),
    ended.stdout,
  )
  const asks = await rig.loop(['answer', id])
  assert.equal(
    asks.stdout,
    `Loop ${id} asks: is this so? the page looks right\nAnswer with: loop answer ${id} yes, or no, or "what is wrong"\n`,
  )
  const no = await rig.loop(['answer', id, 'the button is too small'])
  assert.equal(
    no.stdout,
    `Loop ${id}: not confirmed: the page looks right. The agent is told. Go on with: loop resume ${id}\n`,
  )
  const second = await rig.loop(['resume', id])
  assert.equal(second.code, 1)
  assert.match(
    readOr(join(rig.aside, 'prompt')),
    /says that it is not so: the button is too small\n/,
    'the next iteration is told',
  )
  assert.equal((await rig.loop(['answer', id, 'yes'])).code, 0)
  const third = await rig.loop(['resume', id])
  assert.equal(third.code, 0, third.stderr)
  assert.match(third.stdout, /^ {2}promise {5}the page looks right: confirmed by \S+$/m)
  const { criteria } = await statusOf(rig, id)
  assert.equal(criteria['the page looks right'].verification, 'observation')
  const none = await rig.loop(['answer', id, 'yes'])
  assert.deepEqual(
    [none.code, none.stderr],
    [4, `loop: Loop ${id} cannot be answered: it has already ended: completed.\n`],
  )
})

test('an assumption is never met: the loop pauses when nothing else is left', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(worker, lines(1), '--confirm', 'nobody minds:assumption'))
  assert.equal(ended.code, 1)
  assert.match(
    ended.stdout,
    /paused: all that can be verified is met, but an assumption never is: nobody minds\.\n/,
  )
})

test('a checkpoint of your own, while the agent is at work and when the loop has ended', async t => {
  const rig = makeRig(t)
  const agent =
    'echo half > work; touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo whole > work'
  const running = rig.spawn(startArgs(agent, 'grep -q whole work'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const saved = await rig.loop(['checkpoint', id, 'half-way'])
  assert.equal(saved.code, 0, saved.stderr)
  assert.match(
    saved.stdout,
    new RegExp(
      `^Loop ${id}: checkpoint half-way saved \\(\\S+\\)\\. Bring it back with: loop rollback ${id} half-way\n$`,
    ),
  )
  const twice = await rig.loop(['checkpoint', id, 'half-way'])
  assert.deepEqual(
    [twice.code, twice.stderr],
    [4, `loop: Loop ${id} cannot be checkpointed: it has a checkpoint half-way already.\n`],
  )
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 0)
  assert.equal(rig.events(id).filter(event => event.kind === 'run.started').length, 1, 'the agent went on')
  assert.match((await rig.loop(['checkpoint', id])).stdout, /checkpoint mark-1 saved/)
  assert.match((await rig.loop(['history', id])).stdout, /\nYour checkpoints: half-way, mark-1\n$/)
  assert.equal((await rig.loop(['rollback', id, 'half-way'])).code, 0)
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'half\n')
  assert.equal((await rig.loop(['rollback', id, 'mark-1'])).code, 0)
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'whole\n')
})

test('--inject puts the text of the file into the first prompt', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.aside, 'hint'), 'look at the parser\n')
  await rig.loop(startArgs(worker, lines(1), '--inject', join(rig.aside, 'hint')))
  assert.match(readOr(join(rig.aside, 'prompt')), /## Also\n\nlook at the parser\n/)
})

test('an agent that edits one file too often is paused for thrashing, with the file named', async t => {
  const rig = makeRig(t)
  const agent = `echo x >> work; echo '{"edits": {"work": 5, "other": 2}}' > "$LOOP_USAGE_FILE"`
  const ended = await rig.loop(startArgs(agent, 'false', '--same-file-limit', '5'))
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /paused: thrashing: the agent edited work 5 times in one iteration\.\n/)
  const [id = ''] = rig.loops()
  const { breakers } = await statusOf(rig, id)
  assert.deepEqual(breakers.sameFile, { count: 5, limit: 5 })
})

test('an agent that prints nothing for too long is stopped, its work is kept', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs('echo x > work; exec sleep 60', 'test -e work', '--idle-timeout', '300ms'),
  )
  assert.equal(ended.code, 0, ended.stdout)
  assert.match(
    ended.stderr,
    /^ {2}agent stopped after \S+: it printed nothing for too long \(0 B of output\); its work is kept$/m,
  )
})

test('the same error three times in a row: the next prompt names what was tried and demands another approach', async t => {
  const rig = makeRig(t)
  const agent = 'cat > "$ASIDE/prompt-$LOOP_ITERATION"; echo "tried $LOOP_ITERATION"; echo x >> work'
  // Times, addresses and line numbers differ from run to run; the error is the same.
  const promise =
    'echo "TypeError: cart is undefined at cart.js:$(wc -l < work):$$ after ${RANDOM:-1}ms" >&2; exit 1'
  await rig.loop(startArgs(agent, promise, '-n', '4', '--no-baseline'))
  const told = (n: number) => readFileSync(join(rig.aside, `prompt-${n}`), 'utf8')
  assert.doesNotMatch(told(3), /The same error has come back/)
  assert.match(
    told(4),
    /## Tried without success\n- iteration 1 \(\+1 -0 lines, 1 file\): tried 1\n- iteration 2 .*tried 2\n- iteration 3 .*tried 3\nNo progress in 2 iterations; the loop stops at 5\.\nThe same error 3 times in a row: find the cause and take a different approach\.\n/,
  )
  const [id = ''] = rig.loops()
  assert.deepEqual((await statusOf(rig, id)).breakers.sameError, { count: 4, limit: 3 })
})

test('a name may have capitals; a variable before a command is no name', async t => {
  const rig = makeRig(t)
  const command = `WANT=2 sh -c 'test "$WANT" = 2 && test -e work'`
  const ended = await rig.loop(startArgs(worker, `unitTests=${lines(1)}`, '-p', command))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  assert.deepEqual(Object.keys((await statusOf(rig, id)).criteria), ['unitTests', command])
})
