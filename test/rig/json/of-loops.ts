/** Scenes for the documents of one loop: what is read of it, its files, its questions, and how it is steered. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../rig.ts'
import { fitting, holds, type Printed } from './fitting.ts'

/** Three iterations; the second leaves a file that is not UTF-8. */
const threeTurns = `echo said; echo x >> work; test "$(wc -l < work)" = 2 && printf 'caf\\351\\n' > latin; true`
const threeLines = `count=echo counted; test "$(wc -l < work)" = 3`

export async function read(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const hooked = ['--must-not', 'gone=test -e nowhere', '--on-complete', 'echo hooked', '--yes']
  const { id } = await fits('loop', startArgs(threeTurns, threeLines, '-n', '5', ...hooked))
  await fits('logItem', ['logs', id])
  await fits('logItem', ['logs', id, '--iteration', '2', '--raw'])
  await fits('logPromise', ['logs', id, '--promise'])
  await fits('logHook', ['logs', id, '--hook'])
  await fits('logLine', ['logs', id, '--line', '1'])
  await fits('announcements', ['logs', id, '--announcements'])
  await fits('event', ['watch', id])
  await fits('loop', ['status', id, '-w'])
  await fits('report', ['report'])
  await fits('diff', ['diff', id, '1..2'])
  await fits('diff', ['diff', id, '1..2', '--after'])
  await fits('diff', ['history', id, '--diff', '1'])
  const whole = (await fits('diff', ['diff', id])) as Printed & { patchBase64?: string }
  assert.ok(Buffer.from(whole.patchBase64 ?? '', 'base64').includes(0xe9), 'the bytes of latin')
  await fits('error', ['diff', id, '7..9'])
  await fits('exported', ['export', id])
  await fits('error', ['export', id])
  const watching = rig.spawn(['status', '-w', '--json'])
  await until('a line', () => watching.stdout().includes('\n'))
  watching.child.kill('SIGTERM')
  await watching.ended
  holds('list', ['status', '-w'], watching.stdout())
}

/** A recorded agent: each kind of item that its output holds. */
export async function items(t: TestContext, rig: Rig): Promise<void> {
  const fits = fitting(rig)
  const { id } = await fits('loop', ['start', 'x', '-p', 'test -e made', '--agent', 'claude', '-n', '1'])
  const { stdout } = await rig.loop(['logs', id, '--json'])
  const kinds = holds('logItem', ['logs', id], stdout).map(line => (line as unknown as { kind: string }).kind)
  for (const kind of ['text', 'tool', 'session', 'usage', 'end']) assert.ok(kinds.includes(kind), kind)
  t.diagnostic(`kinds of items: ${[...new Set(kinds)].join(' ')}`)
}

export async function files(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const { id } = await fits('loop', startArgs(threeTurns, threeLines, '-n', '5'))
  const saved = await fits('checkpoint', ['checkpoint', id])
  assert.match((saved as unknown as { name: string }).name, /./)
  await fits('checkpoint', ['checkpoint', id, 'mine'])
  await fits('error', ['rollback', id, '--undo'])
  await fits('rollbackPreview', ['rollback', id, 'initial', '--dry-run'])
  const rolled: unknown = await fits('rolledBack', ['rollback', id, 'initial'])
  const { to, kept, deleted } = rolled as { to: string; kept: string; deleted: number }
  assert.deepEqual([to, deleted], ['initial', 2])
  const undone: unknown = await fits('rolledBack', ['rollback', id, '--undo'])
  assert.equal((undone as { to: string }).to, kept)
  await fits('error', ['rollback', id, 'nowhere'])
}

const asking = `printf '{"question": "red or blue?"}' > "$LOOP_USAGE_FILE"; test ! -e told`

export async function questions(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const { id } = await fits('loop', startArgs(asking, 'test -e told', '--no-input'))
  const asked: unknown = await fits('question', ['answer', id])
  assert.deepEqual(asked, { id, question: 'red or blue?', agentAsks: true, choices: [] })
  await fits('injected', ['inject', id, 'look at the cart'])
  const answered: unknown = await fits('answered', ['answer', id, 'blue'])
  assert.deepEqual(answered, { id, question: 'red or blue?', answer: 'blue', asks: null, goesOn: false })
  await fits('question', ['answer', id])
  await fits('error', ['answer', id, 'again'])
  rig.write('told', '')
  await fits('loop', ['resume', id, '-n', '3'])
  const confirmed = startArgs(
    'touch work',
    'test -e work',
    '--confirm',
    'it is blue',
    '--confirm',
    'it is round',
  )
  const other = await fits('loop', [...confirmed, '--no-input'])
  const first: unknown = await fits('question', ['answer', other.id])
  assert.deepEqual((first as { choices: string[] }).choices, ['yes', 'no'])
  const yes: unknown = await fits('answered', ['answer', other.id, 'yes'])
  assert.deepEqual([(yes as { met: boolean }).met, (yes as { asks: string }).asks], [true, 'it is round'])
  const no: unknown = await fits('answered', ['answer', other.id, 'no'])
  assert.equal((no as { met: boolean }).met, false)
}

/** Paused, told to go on after all, cancelled; one with its files brought back. */
export async function steered(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const agent = 'touch "$ASIDE/up" work; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
  const begin = async () => {
    const before = rig.loops().length
    const running = rig.spawn(startArgs(agent, 'false', '--plain', '--no-input'))
    const id = await until('the loop', () => rig.loops()[before])
    await until('its agent', () => rig.events(id).some(({ kind }) => kind === 'run.started'))
    return { id, running }
  }
  const first = await begin()
  await fits('loop', ['pause', first.id])
  await fits('loop', ['resume', first.id])
  await fits('loop', ['cancel', first.id])
  await first.running.ended
  await fits('error', ['cancel', first.id])
  const second = await begin()
  const cancelled: unknown = await fits('loopRolledBack', ['cancel', second.id, '--rollback'])
  const { status, to } = cancelled as { status: string; to: string }
  assert.deepEqual([status, to], ['cancelled', 'initial'])
  await second.running.ended
}

export async function sessions(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const begun: unknown = await fits('sessionRun', ['init', 'login', '--task-list', 'new'])
  const { run, taskList } = begun as { run: string; taskList: string }
  assert.match(run, /^\.loop\/runs\/.*-login$/)
  const resumed: unknown = await fits('sessionRun', ['resume', '--session'])
  assert.deepEqual(resumed, { id: null, run, status: 'in_progress', taskList })
  const ended: unknown = await fits('sessionRun', ['cancel', '--session'])
  assert.deepEqual(ended, { id: null, run, status: 'cancelled', taskList })
  await fits('error', ['resume', '--session'])
  const { id } = await fits('loop', ['init', 'cart', '-p', 'test -e cart', '--task-list', 'new'])
  assert.equal((await fits('loop', ['resume', '--session'])).id, id)
  await fits('loop', ['cancel', '--session'])
  await fits('loop', ['start', 'mend it', '-p', 'test -e cart', '--session'])
}

/** A check runs inside a promise only: its documents are left beside the tree. */
export async function checks(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  await fits('error', ['check', 'green', '--test', 'true'])
  const script = join(rig.aside, 'check.sh')
  const line = (file: string, check: string) => `"$LOOP_PROGRAM" check ${check} --json > "$ASIDE/${file}"\n`
  const lines = [
    line('holds', 'change'),
    line('fails', 'green --test true'),
    line('cannot', 'red --test false'),
  ]
  // In a clean copy there is no step to check.
  writeFileSync(script, `[ -e "$ASIDE/holds" ] && exit 0\n${lines.join('')}true\n`)
  const agent = 'echo "export const made = 1" > made.js'
  await rig.loop(startArgs(agent, `sh ${script}`, '--plain', '--no-baseline', '--sandbox', 'off'))
  for (const file of ['holds', 'fails', 'cannot']) {
    const text = readFileSync(join(rig.aside, file), 'utf8')
    const [document] = holds('check', ['check', file], text)
    const judged = document as unknown as { holds: boolean; unrunnable?: true }
    assert.deepEqual([judged.holds, judged.unrunnable === true], [file === 'holds', file === 'cannot'], text)
  }
}
