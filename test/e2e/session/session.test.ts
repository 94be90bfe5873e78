/**
 * Loops inside a session, from the command line: begin, confirmation by a human, pause, takeover, end; runs and their
 * tasks.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook } from '../../rig/hook.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

const stateFile = (rig: Rig) => join(rig.tree, '.loop', 'state.json')

function claim(rig: Rig, ...names: string[]): void {
  const document = JSON.parse(readFileSync(stateFile(rig), 'utf8'))
  const criteriaStatus = Object.fromEntries(names.map(name => [name, true]))
  writeFileSync(stateFile(rig), JSON.stringify({ ...document, criteriaStatus, exit_signal: true }))
}

async function start(rig: Rig, ...args: string[]): Promise<string> {
  const started = await rig.loop(['start', 'mend it', '--session', '--json', ...args])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

async function status(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
}

test('a promise that already holds needs no session; one that cannot run is refused', async t => {
  const rig = makeRig(t)
  const held = await rig.loop(['start', 'x', '--session', '-p', 'true'])
  assert.match(held.stdout, /completed: the promise already holds/)
  const wrong = await rig.loop(['start', 'x', '--session', '-p', 'no-such-program'])
  assert.equal(wrong.code, 4)
  assert.deepEqual(hook(rig).said, { ok: true })
})

test('a promise without a name, however long, can be claimed', async t => {
  const rig = makeRig(t)
  const long = `test -f done ${' '.repeat(3_000)}&& true`
  const id = await start(rig, '-p', long)
  rig.write('done', '')
  claim(rig, long)
  assert.match(hook(rig).message, /completed/)
  assert.equal((await status(rig, id)).status, 'completed')
})

test('a loop whose state file cannot be written is refused: its end could not be claimed', async t => {
  const rig = makeRig(t)
  symlinkSync(rig.aside, join(rig.tree, '.loop'))
  for (const command of [
    ['start', 'x', '--session', '-p', 'false'],
    ['init', 'login'],
  ]) {
    const refused = await rig.loop(command)
    assert.match(refused.stderr, /\.loop is not a directory\. Move it away/)
  }
  assert.deepEqual([rig.loops(), readdirSync(rig.aside)], [[], []])
})

test('what only a human can say pauses it; their yes, and one more run, complete it', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done', '--confirm', 'looks right')
  rig.write('done', '')
  claim(rig, 'unit', 'looks right')
  const let_go = hook(rig)
  assert.equal(let_go.said?.['ok'], true)
  assert.match(let_go.message, /a human has to say whether this is so.*looks right/)
  assert.equal((await status(rig, id)).status, 'paused')
  const itself = await rig.loop(['answer', id, 'yes'], { env: { CLAUDE_CODE_SESSION_ID: 's1' } })
  assert.equal(itself.code, 4)
  assert.match(itself.stderr, /is for a human, not for the agent that works on it/)
  const wrap = ['sh', '-c', 'env -u CLAUDE_CODE_SESSION_ID "$@"; exit $?', 'sh']
  const hidden = await rig.loop(['answer', id, 'yes'], { env: { CLAUDE_CODE_SESSION_ID: 's1' }, wrap })
  assert.equal(hidden.code, 4, 'the shell around it still says whose session it is')
  assert.match((await rig.loop(['resume', id])).stdout, /a human has to say/)
  await rig.loop(['answer', id, 'yes'])
  const resumed = await rig.loop(['resume', id])
  assert.match(resumed.stdout, /completed: the promise holds/, resumed.stderr)
  assert.equal((await status(rig, id)).status, 'completed')
})

test('what must not be pauses it, though the promise passes', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done', '--must-not', 'mess=test -f mess')
  rig.write('done', '')
  rig.write('mess', '')
  claim(rig, 'unit')
  assert.match(hook(rig).message, /what must not happen has happened: mess/)
  assert.equal((await status(rig, id)).status, 'paused')
})

test('it is bound where the host names the session; another one takes it over by resume', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  await start(rig, '-p', 'unit=test -f done')
  assert.deepEqual(hook(rig, { session_id: 's2' }).said, { ok: true })
  const told = hook(rig, { session_id: 's2' }, { kind: 'session-start' })
  assert.match(JSON.stringify(told.said), /\[LOOP RESUME\].*belongs to another session.*\/loop:continue/)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's2'
  const resumed = await rig.loop(['resume', '--session'])
  assert.match(resumed.stdout, /goes on in this session/, resumed.stderr)
  assert.deepEqual(hook(rig, { session_id: 's1' }).said, { ok: true })
  assert.equal(hook(rig, { session_id: 's2' }).said?.['decision'], 'block')
})

test('the limit of iterations lets it go, paused; more of them hold it again; cancel ends it', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done', '-n', '2')
  assert.equal(hook(rig).said?.['decision'], 'block')
  assert.equal(hook(rig).said?.['decision'], 'block')
  assert.match(hook(rig).message, /its limit of 2 iterations is reached/)
  assert.match((await status(rig, id)).reason, /its limit of 2 iterations is reached/)
  assert.deepEqual(hook(rig).said, { ok: true })
  await rig.loop(['resume', id, '-n', '4'])
  assert.equal(hook(rig).said?.['decision'], 'block')
  const cancelled = await rig.loop(['cancel', '--session'])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.match(cancelled.stdout, /^ {2}cost {8}unknown \(loop does not see what your session costs\)$/m)
  const { stdout } = await rig.loop(['status', '@last'])
  assert.match(stdout, /^ {2}cost {8}unknown of \$25$/m, 'status says the same')
  assert.equal(JSON.parse(readFileSync(stateFile(rig), 'utf8')).status, 'cancelled')
  assert.deepEqual(hook(rig).said, { ok: true })
})

test('an injected text reaches a session once, at its next stop or with the answer to its claim', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done')
  await rig.loop(['inject', id, 'use the other parser'])
  assert.match(hook(rig).reason, /^The user says:\nuse the other parser\n\nunmet criteria: unit/)
  assert.match(hook(rig).reason, /^unmet criteria: unit/)
  await rig.loop(['inject', id, 'and keep it small'])
  claim(rig, 'unit')
  assert.match(hook(rig).reason, /^The user says:\nand keep it small\n\nunmet criteria: unit\n\nloop has run/)
  assert.match(hook(rig).reason, /^unmet criteria: unit/)
})

test('it can be paused, saved and exported like any other; it is orphaned by nobody', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done')
  const { checks } = JSON.parse((await rig.loop(['doctor', '--json'])).stdout)
  const orphaned = checks.find(({ name }: { name: string }) => name === 'orphaned loops')
  assert.equal(orphaned.found, 'none')
  assert.equal((await rig.loop(['checkpoint', id, 'mine'])).code, 0)
  const paused = await rig.loop(['pause', id])
  assert.equal(paused.code, 0, paused.stderr)
  assert.deepEqual(hook(rig).said, { ok: true })
  assert.match((await rig.loop(['resume', id, '-b'])).stderr, /done in a session, not under loopd/)
  for (const which of [id, '--session']) {
    const refused = await rig.loop(['resume', which, '--agent', 'codex'])
    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /loop starts no agent\. Leave out --agent\.\n$/)
  }
  assert.equal((await rig.loop(['resume', id])).code, 0)
  assert.equal(hook(rig).said?.['decision'], 'block')
})

test('a work tree has one loop: a driven one is refused beside that of a session', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done')
  const other = await rig.loop(['start', 'x', '-p', 'false', '--agent', 'custom', '--agent-cmd', 'true'])
  assert.equal(other.code, 4)
  assert.match(other.stderr, new RegExp(`Loop ${id} is active`))
  const background = await rig.loop(['start', 'x', '--session', '-b', '-p', 'false'])
  assert.match(background.stderr, /--background is about an agent that loop starts/)
})

test('loop init prepares a run, and holds its session to the task list', async t => {
  const rig = makeRig(t)
  const wrong = await rig.loop(['init', '../etc'])
  assert.match(wrong.stderr, /no name for a run/)
  const made = await rig.loop(['init', 'login', '--goal', 'users can log in'])
  const run = /^LOOP_DIR=(\S+)$/m.exec(made.stdout)?.[1] ?? ''
  assert.match(run, /^\.loop\/runs\/\d{4}-\d\d-\d\d-login$/)
  assert.deepEqual(readdirSync(join(rig.tree, run)), ['_meta.md'])
  const tasks = [
    { id: '1', subject: 'Write the form', description: 'In src/login', status: 'completed', blockedBy: [] },
    {
      id: '2',
      subject: 'Check the password',
      description: 'With bcrypt',
      status: 'pending',
      blockedBy: ['1'],
    },
  ]
  assert.deepEqual(hook(rig).said, { ok: true }, 'no task yet: it may ask its user')
  const { reason } = hook(rig, { tasks })
  assert.match(reason, /\[1\/2\] completed\n\*\*Current task\*\*: #2 Check the password\n.*With bcrypt/s)
  const second = await rig.loop(['init', 'other'])
  assert.equal(second.code, 4)
  assert.match(second.stderr, /A run is under way .*-login. End it with: loop cancel --session/)
  const cancelled = await rig.loop(['cancel', '--session'])
  assert.match(cancelled.stdout, /is cancelled/)
  assert.deepEqual(hook(rig, { tasks }).said, { ok: true })
  assert.ok(existsSync(join(rig.tree, run)), 'what was written stays')
})

test('a run that a limit has paused continues with /loop:continue; another may be prepared meanwhile', async t => {
  const rig = makeRig(t)
  const tasks = [{ id: '1', subject: 'Write the form', status: 'pending' }]
  await rig.loop(['init', 'login', '-n', '1'])
  assert.equal(hook(rig, { tasks }).said?.['decision'], 'block')
  assert.match(hook(rig, { tasks }).message, /limit of 1 iteration is reached\. Go on with: \/loop:continue/)
  assert.deepEqual(hook(rig, { tasks }).said, { ok: true })
  const resume = ['resume', '--session', '-n', '2']
  const resumed = await rig.loop(resume, { env: { CLAUDE_CODE_SESSION_ID: 's1' } })
  assert.match(resumed.stdout, /-login goes on in this session/, resumed.stderr)
  assert.equal(hook(rig, { tasks }).said?.['decision'], 'block')
  assert.equal(hook(rig, { tasks }).said?.['decision'], 'block')
  assert.match(hook(rig, { tasks }).message, /limit of 2 iterations/)
  assert.equal((await rig.loop(['init', 'other'])).code, 0)
})

test('a stage that nobody works on lets the session go, for good, and says how to go on', t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, '.loop'))
  writeFileSync(join(rig.tree, '.loop', 'workflow-state.json'), '{"stage":"executing","task":"x"}')
  const stops = Array.from({ length: 10 }, () => hook(rig, { stop_hook_active: true }))
  assert.deepEqual(
    stops.map(({ said }) => said?.['decision'] ?? 'let go'),
    [...Array(8).fill('block'), 'let go', 'let go'],
  )
  assert.match(stops[8]?.message ?? '', /To go on, set "status" to "in_progress" in \.loop\/state\.json/)
  writeFileSync(stateFile(rig), readFileSync(stateFile(rig), 'utf8').replace('"paused"', '"in_progress"'))
  assert.equal(hook(rig).said?.['decision'], 'block')
})

test('a promise given later takes the run over', async t => {
  const rig = makeRig(t)
  await rig.loop(['init', 'login'])
  await start(rig, '-p', 'unit=test -f done')
  assert.match(hook(rig).reason, /^unmet criteria: unit/)
  const [file = '', ...more] = readdirSync(join(rig.paths.data, 'sessions')).filter(name =>
    name.endsWith('.loop'),
  )
  assert.deepEqual(more, [])
  assert.match(
    readFileSync(join(rig.paths.data, 'sessions', file), 'utf8'),
    /"run":"\.loop\/runs\/[\d-]+-login"/,
  )
})

test('a state file written by hand is held by the same rules, and is never completed', async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, '.loop'))
  const document = { spec: 'x', criteria: ['unit'], criteriaStatus: { unit: false }, status: 'in_progress' }
  writeFileSync(stateFile(rig), JSON.stringify(document))
  assert.match(hook(rig).reason, /^unmet criteria: unit/)
  assert.deepEqual(hook(rig, { session_id: 's2' }).said, { ok: true })
  claim(rig, 'unit')
  assert.match(hook(rig).message, /claimed, not verified/)
  assert.equal(JSON.parse(readFileSync(stateFile(rig), 'utf8')).status, 'paused')
  assert.deepEqual(hook(rig).said, { ok: true })
  assert.deepEqual(rig.loops(), [])
})

test('a planned piece of work is announced by its stage', t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, '.loop'))
  const reviews = {
    wave_1: { score: 8, issues: 2, blockers: 0 },
    thorough: { passed: false, blockers_remaining: 1 },
  }
  const workflow = { version: 1, stage: 'executing', task: 'x', spec_score: 7, fit_score: 35, reviews }
  writeFileSync(join(rig.tree, '.loop', 'workflow-state.json'), JSON.stringify(workflow))
  const tasks = [{ id: '1', subject: 'Add import', status: 'pending', metadata: { wave: 2 } }]
  const { said } = hook(rig, { tasks }, { kind: 'session-start' })
  const output = said?.['hookSpecificOutput'] as Record<string, string> | undefined
  assert.deepEqual(output?.['additionalContext']?.split('\n'), [
    '[LOOP RESUME] Active loop detected',
    'Stage: executing | Spec: 7/10 | Fit: 35',
    'Progress: 0/1 tasks | Wave: 2',
    'Reviews: wave_1 8/10; thorough not passed, 1 open',
    'Next: #1 Add import',
  ])
  assert.equal(hook(rig, { tasks }).said?.['decision'], 'block')
})
