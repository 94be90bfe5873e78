/** `loop rollback`: exact, undoable, refused while an agent may be at work, finished after kill -9. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const agent =
  'echo "line $LOOP_ITERATION" >> work; echo "$LOOP_ITERATION" > "file-$LOOP_ITERATION"; rm -f old'

/** Everything in the tree but .git, by name and content. */
function tree(rig: Rig): string {
  const list =
    'find . -path "./.git" -prune -o -path "./.loop" -prune -o -type f -print | sort | while read f; do echo "$f"; cat "$f"; done'
  return execFileSync('sh', ['-c', list], { cwd: rig.tree, encoding: 'utf8' })
}

function repository(rig: Rig): string {
  const sums = 'find .git -type f | sort | xargs sha256sum'
  return execFileSync('sh', ['-c', sums], { cwd: rig.tree, encoding: 'utf8' })
}

async function failedLoop(rig: Rig): Promise<string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: rig.tree, env: rig.env, stdio: 'ignore' })
  git('init')
  rig.write('old', 'old\n')
  rig.write('untracked', 'mine\n')
  git('add', 'old')
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-m', 'first')
  await rig.loop(startArgs(agent, 'false', '-n', '3', '--no-baseline'))
  return rig.loops()[0] ?? ''
}

test('to before an iteration, to after it, to the beginning and back; the repository is untouched', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  const [ended, repo] = [tree(rig), repository(rig)]
  const third = await rig.loop(['rollback', id, '3'])
  assert.deepEqual(
    [third.code, third.stdout],
    [
      0,
      `Loop ${id} is rolled back to iter-003 (1 file written, 1 deleted). To undo this: loop rollback ${id} --undo\n`,
    ],
  )
  assert.equal(readOr(join(rig.tree, 'work')), 'line 1\nline 2\n')
  const before = tree(rig)
  assert.equal((await rig.loop(['rollback', id, '2', '--after'])).code, 0)
  assert.equal(tree(rig), before, 'what iteration 2 left is what iteration 3 started from')
  const first = JSON.parse((await rig.loop(['rollback', id, 'initial', '--json'])).stdout)
  assert.deepEqual([first.to, first.written, first.deleted], ['initial', 1, 3])
  assert.equal(tree(rig), './old\nold\n./untracked\nmine\n')
  assert.equal((await rig.loop(['rollback', id, '--undo'])).code, 0)
  assert.equal(tree(rig), before)
  assert.equal((await rig.loop(['rollback', id, '3', '--after'])).code, 0)
  assert.equal(tree(rig), ended)
  assert.equal(repository(rig), repo)
})

test('a loop that was rolled back goes on from there, without the verdict of another tree', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  await rig.loop(['rollback', id, '2'])
  const resumed = await rig.loop(['resume', id, '-n', '4', '--plain'])
  assert.equal(resumed.code, 1)
  assert.equal(readOr(join(rig.tree, 'work')), 'line 1\nline 4\n')
  const prompt = readOr(join(rig.dir(id), 'runs', '4', 'prompt'))
  assert.doesNotMatch(prompt, /Result now/)
})

test('refused: while the agent runs, to an unknown checkpoint, and --undo without a rollback', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(
    startArgs('touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done', 'false', '-n', '1'),
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const early = await rig.loop(['rollback', id, 'initial'])
  assert.deepEqual(
    [early.code, early.stderr],
    [4, `loop: Loop ${id} cannot be rolled back: it is running; pause it first: loop pause ${id}.\n`],
  )
  writeFileSync(join(rig.aside, 'go'), '')
  await running.ended
  const unknown = await rig.loop(['rollback', id, '9'])
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [
      4,
      `loop: Loop ${id} cannot be rolled back: it has no checkpoint iter-009; it has: initial, iter-001, iter-001-after.\n`,
    ],
  )
  const undo = await rig.loop(['rollback', id, '--undo'])
  assert.deepEqual([undo.code, undo.stderr], [4, `loop: Loop ${id} was never rolled back.\n`])
})

test('a rollback that was killed half-way holds the tree, and can be finished or undone', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  rig.write('untracked', 'precious edit\n')
  const edited = tree(rig)
  const killed = await rig.loop(['rollback', id, 'initial'], { env: { LOOP_FAULT: 'restore' } })
  assert.equal(killed.signal, 'SIGKILL')
  const other = await rig.loop(startArgs('true', 'true'))
  assert.equal(other.code, 4)
  assert.match(other.stderr, new RegExp(`^loop: Loop ${id} is active in`))
  const undone = await rig.loop(['rollback', id, '--undo'])
  assert.equal(undone.code, 0, undone.stderr)
  assert.equal(tree(rig), edited)
  const again = await rig.loop(['rollback', id, 'initial'])
  assert.equal(again.code, 0, again.stderr)
  assert.equal(tree(rig), './old\nold\n./untracked\nmine\n')
  assert.equal((await rig.loop(startArgs('true', 'true'))).code, 0)
})

test('a rollback that was killed is finished by resume, which says so', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  await rig.loop(['rollback', id, '2'], { env: { LOOP_FAULT: 'restore' } })
  const resumed = await rig.loop(['resume', id, '-n', '4', '--plain'])
  assert.equal(resumed.code, 1, resumed.stderr)
  assert.match(
    resumed.stderr,
    /\[LOOP\] Finishing the rollback to iter-002\n[^]*\[LOOP\] Rolled back to iter-002\n/,
  )
  assert.equal(readOr(join(rig.tree, 'work')), 'line 1\nline 4\n')
})

test('a rollback that cannot be done says why, and the loop is as it was', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  rmSync(rig.tree, { recursive: true })
  const failed = await rig.loop(['rollback', id, 'initial'], { cwd: rig.aside })
  assert.equal(failed.code, 1, failed.stderr)
  assert.match(failed.stderr, new RegExp(`^loop: Loop ${id} is not rolled back to initial: .*gone`, 'm'))
  assert.match((await rig.loop(['status', id], { cwd: rig.aside })).stdout, /: failed \(3 iterations used/)
})

test('the name of a JavaScript object property is no checkpoint', async t => {
  const rig = makeRig(t)
  const id = await failedLoop(rig)
  for (const name of ['toString', '__proto__', 'constructor']) {
    const refused = await rig.loop(['rollback', id, name])
    assert.equal(refused.code, 4, refused.stderr)
    assert.match(refused.stderr, new RegExp(`it has no checkpoint ${name}; it has: initial, iter-001, `))
    assert.equal((await rig.loop(['diff', id, `initial..${name}`])).code, 4)
  }
})

test('cancel --rollback ends the agent and brings back the beginning', async t => {
  const rig = makeRig(t)
  rig.write('old', 'old\n')
  execFileSync('mkfifo', [join(rig.tree, 'pipe')])
  const script = 'rm old pipe; echo new > new; echo now > pipe; touch "$ASIDE/up"; sleep 600'
  const running = rig.spawn(startArgs(script, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const cancelled = await rig.loop(['cancel', id, '--rollback'])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.match(
    cancelled.stdout,
    /cancelled: cancelled by you\.\n[^]*is rolled back to initial \(1 file written, 1 deleted\).*\nLeft in place, because they could not be saved or removed: pipe\n/,
  )
  assert.equal(tree(rig), './old\nold\n./pipe\nnow\n')
  assert.equal((await running.ended).code, 2)
  assert.equal((await rig.loop(['cancel', id, '--rollback', '--keep'])).code, 4)
})

test('cancel --rollback --json is one document: where the loop stands, and what was brought back', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs('echo new > new; touch "$ASIDE/up"; sleep 600', 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const cancelled = await rig.loop(['cancel', '@last', '--rollback', '--json'])
  const { id, status, exitCode, iteration, criteria, to, written, deleted } = JSON.parse(cancelled.stdout)
  assert.deepEqual([cancelled.code, id, status, exitCode, iteration], [0, rig.loops()[0], 'cancelled', 2, 1])
  assert.deepEqual([to, written, deleted, criteria.false.verdict], ['initial', 0, 1, null])
  await running.ended
})

/** Without the capabilities by which root ignores the permissions of files. */
const unprivileged =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : []

test('unreadable files are left alone by every rollback, and named', async t => {
  const rig = makeRig(t)
  const wrap = { wrap: unprivileged }
  const sh = (script: string) => execFileSync('sh', ['-c', script], { cwd: rig.tree, encoding: 'utf8' })
  sh(
    'echo precious > secret; mkdir closed; echo inner > closed/f; chmod 600 closed/f; chmod 000 secret closed',
  )
  await rig.loop(startArgs('chmod 644 secret; chmod 755 closed; echo new > new', 'false', '-n', '1'), wrap)
  const [id = ''] = rig.loops()
  const before = tree(rig)
  const dry = await rig.loop(['rollback', id, 'initial', '--dry-run'], wrap)
  assert.equal(
    dry.stdout,
    `To roll loop ${id} back to initial: 0 files written, 1 deleted. Nothing was touched.
  delete  new
Left in place, because they could not be saved or removed: closed, secret
`,
  )
  const back = await rig.loop(['rollback', id, 'initial'], wrap)
  assert.equal(
    back.stdout,
    `Loop ${id} is rolled back to initial (0 files written, 1 deleted). To undo this: loop rollback ${id} --undo
Left in place, because they could not be saved or removed: closed, secret
`,
  )
  assert.equal(tree(rig), './closed/f\ninner\n./secret\nprecious\n')
  assert.equal(sh('stat -c %a secret closed closed/f'), '644\n755\n600\n')
  const undone = JSON.parse((await rig.loop(['rollback', id, '--undo', '--json'], wrap)).stdout)
  assert.deepEqual([undone.written, undone.deleted, undone.left], [1, 0, undefined])
  assert.equal(tree(rig), before)
})

test('a file that only the global rules of the user ignore is no part of a rollback', async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.env['HOME'] ?? '', '.config/git'), { recursive: true })
  writeFileSync(join(rig.env['HOME'] ?? '', '.config/git/ignore'), 'settings.local\n')
  const id = await failedLoop(rig)
  rig.write('settings.local', 'mine\n')
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  assert.equal(tree(rig), './old\nold\n./settings.local\nmine\n./untracked\nmine\n')
})

test('--dry-run lists what would be written and deleted, and touches nothing', async t => {
  const rig = makeRig(t)
  rig.write('old', 'old')
  await rig.loop(startArgs('rm old; echo new > new; echo x > "odd name"', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const before = tree(rig)
  const dry = await rig.loop(['rollback', id, 'initial', '--dry-run'])
  assert.deepEqual(
    [dry.code, dry.stdout],
    [
      0,
      `To roll loop ${id} back to initial: 1 file written, 2 deleted. Nothing was touched.
  write   old
  delete  new
  delete  odd name
`,
    ],
  )
  const json = await rig.loop(['rollback', id, 'initial', '--dry-run', '--json'])
  assert.deepEqual(JSON.parse(json.stdout), {
    id,
    to: 'initial',
    written: ['old'],
    deleted: ['new', 'odd name'],
    left: [],
  })
  assert.equal(tree(rig), before)
  assert.equal(
    rig.events(id).some(({ kind }) => kind === 'rollback.requested'),
    false,
  )
  const bad = await rig.loop(['rollback', id, 'iter-009', '--dry-run'])
  assert.equal(bad.code, 4)
})
