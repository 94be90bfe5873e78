/**
 * You and an isolated run have changed the same files: each way to settle that (markers, yours, the result's, a patch),
 * for each kind of conflict, also when the host is killed while it writes. Your version can always be brought back.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { loopProgram, makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

type Edits = readonly [agent: string, user: string, prepare: string]
type Conflict = { rig: Rig; id: string; stderr: string; stdout: string }

/** An isolated run whose agent does `agent`, while the user does `user` in the tree. */
async function conflictOf(t: TestContext, [agent, user, prepare]: Edits): Promise<Conflict> {
  const rig = makeRig(t)
  const sh = (script: string) => execFileSync('/bin/sh', ['-ec', script], { cwd: rig.tree })
  sh(prepare)
  const waits = `touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; ${agent}; touch made`
  const run = rig.spawn(startArgs(waits, 'test -f made', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  sh(user)
  writeFileSync(join(rig.aside, 'go'), '')
  const { code, stderr, stdout } = await run.ended
  assert.equal(code, 1, stderr)
  return { rig, id: onlyGroup(rig), stderr, stdout }
}

const read = ({ tree }: Rig, path: string) => readFileSync(join(tree, path), 'utf8')
const text = ['echo agent > text', 'echo user > text', 'echo start > text'] as const

test('conflict markers, and back again by the line that is printed', async t => {
  const { rig, id, stdout } = await conflictOf(t, text)
  assert.match(stdout, new RegExp(`Merge with conflict markers: loop apply ${id} --merge\n`))
  assert.equal(read(rig, 'text'), 'user\n')
  const merged = await rig.loop(['apply', id, '--merge'])
  assert.equal(merged.code, 0, merged.stderr)
  assert.match(
    merged.stdout,
    /is in the work tree: conflict markers are in text, and the promise was not run\. To undo this: loop rollback/,
  )
  assert.match(read(rig, 'text'), /^<{7} .*\nuser\n={7}\nagent\n>{7} .*\n$/)
  assert.ok(existsSync(join(rig.tree, 'made')), 'what is not in conflict is there')
  const status = await rig.loop(['status', id])
  assert.match(status.stdout, /conflict markers are in text, and the promise was not run/)
  const [, undo = ''] = /To undo this: loop (.*)/.exec(merged.stdout) ?? []
  assert.equal((await rig.loop(undo.trim().split(' '))).code, 0)
  assert.equal(read(rig, 'text'), 'user\n')
})

test('a result in conflict has completed, is not applied, and needs you, wherever it is shown', async t => {
  const { rig, id, stdout } = await conflictOf(t, text)
  const why = 'not applied, because the result and the work tree have changed the same places: text'
  assert.match(stdout, new RegExp(`Group ${id} completed: ${why}`))
  assert.match((await rig.loop(['status', id])).stdout, new RegExp(`^group ${id}: completed \\(${why}`))
  const json = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual([json.status, json.exitCode, json.inTree], ['completed', 1, null])
  assert.ok(json.reason.startsWith(why), json.reason)
  assert.ok(json.next.includes(`Keep your version of these files: loop apply ${id} --mine`), json.next)
  const table = (await rig.loop(['status'])).stdout
  assert.match(table, new RegExp(`^${id} +completed, not applied `, 'm'))
  assert.match(table, new RegExp(`^${id} completed: ${why}`, 'm'))
  assert.match((await rig.loop(['list'])).stdout, new RegExp(`^${id} +completed, not applied `, 'm'))
  const report = (await rig.loop(['report'])).stdout
  assert.match(report, new RegExp(`Waiting for you\n  ${id} `))
  assert.match(report, new RegExp(`loop apply ${id} --theirs`))
  assert.doesNotMatch(table + report + stdout, /failed/i)
  assert.equal((await rig.loop(['apply', id, '--theirs'])).code, 0)
  assert.match((await rig.loop(['list'])).stdout, new RegExp(`^${id} +completed {2,}`, 'm'))
})

test('yours is kept for every file: nothing was applied, and that is said', async t => {
  const rig = makeRig(t)
  rig.write('text', 'start\n')
  const waits = 'touch "$ASIDE/works"; while ! test -f "$ASIDE/go"; do sleep 0.02; done; echo agent > text'
  const run = rig.spawn(startArgs(waits, '! grep -q start text', '--isolated'))
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('text', 'user\n')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await run.ended).code, 1)
  const id = onlyGroup(rig)
  const kept = await rig.loop(['apply', id, '--mine'])
  assert.equal(kept.code, 0, kept.stderr)
  const nothing = 'your version of every file was kept, so nothing of the result was applied'
  assert.ok(kept.stdout.includes(`isolated is not in the work tree: ${nothing}`), kept.stdout)
  assert.equal(read(rig, 'text'), 'user\n')
  const status = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual([status.status, status.inTree, status.exitCode], ['completed', null, 0])
  assert.ok(status.reason.startsWith(nothing), status.reason)
})

test('only one of the ways can be given', async t => {
  const { rig, id } = await conflictOf(t, text)
  const both = await rig.loop(['apply', id, '--mine', '--theirs'])
  assert.equal(both.code, 4)
  assert.match(both.stderr, /Give only one of --mine, --theirs\./)
})

for (const [what, commit] of [
  ['committed', '; git -c user.name=u -c user.email=u@x commit -qam mine'],
  ['not committed', ''],
] as const)
  test(`the patch of the result is merged by git with the printed line; the edit is ${what}`, async t => {
    const git = 'git init -q . && git add . && git -c user.name=u -c user.email=u@x commit -qm start'
    const { rig, stdout } = await conflictOf(t, [text[0], `echo user > text${commit}`, `${text[2]}; ${git}`])
    const [, line = ''] = /As a patch: (.*)/.exec(stdout) ?? []
    const env = { ...rig.env, PATH: `${dirname(loopProgram)}:${rig.env['PATH']}` }
    // git says by its exit code that there are conflicts.
    assert.throws(() => execFileSync('/bin/sh', ['-c', line], { cwd: rig.tree, env }), { status: 1 })
    assert.match(read(rig, 'text'), /^<{7} ours\nuser\n={7}\nagent\n>{7} theirs\n$/)
    assert.ok(existsSync(join(rig.tree, 'made')))
  })

type Side = (rig: Rig) => unknown
type Kind = { agent: string; user: string; start: string; named: string; mine: Side; theirs: Side }

const kinds: Record<string, Kind> = {
  text: {
    agent: text[0],
    user: text[1],
    start: text[2],
    named: 'text',
    mine: rig => assert.equal(read(rig, 'text'), 'user\n'),
    theirs: rig => assert.equal(read(rig, 'text'), 'agent\n'),
  },
  'a binary file': {
    agent: `printf 'a\\0agent' > data`,
    user: `printf 'a\\0user' > data`,
    start: `printf 'a\\0start' > data`,
    named: 'data',
    mine: rig => assert.equal(read(rig, 'data'), 'a\0user'),
    theirs: rig => assert.equal(read(rig, 'data'), 'a\0agent'),
  },
  'deleted by the agent, edited by you': {
    agent: 'rm file',
    user: 'echo user > file',
    start: 'echo start > file',
    named: 'file',
    mine: rig => assert.equal(read(rig, 'file'), 'user\n'),
    theirs: rig => assert.ok(!existsSync(join(rig.tree, 'file'))),
  },
  'edited by the agent and made a program, deleted by you': {
    agent: 'echo agent > file; chmod +x file',
    user: 'rm file',
    start: 'echo start > file',
    named: 'file',
    mine: rig => assert.ok(!existsSync(join(rig.tree, 'file'))),
    theirs: rig => {
      assert.equal(read(rig, 'file'), 'agent\n')
      assert.equal(statSync(join(rig.tree, 'file')).mode & 0o111, 0o111)
    },
  },
  'a directory that the agent made a file': {
    agent: 'rm -r d; echo agent > d',
    user: 'echo user > d/x',
    start: 'mkdir d; echo start > d/x',
    named: 'd, d/x',
    mine: rig => assert.equal(read(rig, 'd/x'), 'user\n'),
    theirs: rig => assert.equal(read(rig, 'd'), 'agent\n'),
  },
  'a file that the agent made a link': {
    agent: 'ln -sf made file',
    user: 'echo user > file',
    start: 'echo start > file',
    named: 'file',
    mine: rig => assert.ok(lstatSync(join(rig.tree, 'file')).isFile()),
    theirs: rig => assert.equal(readlinkSync(join(rig.tree, 'file')), 'made'),
  },
}

for (const [name, { agent, user, start, named, mine, theirs }] of Object.entries(kinds)) {
  test(`${name}: yours is kept or the result's is taken, and yours is saved first`, async t => {
    const { rig, id, stdout } = await conflictOf(t, [agent, user, start])
    assert.match(stdout, new RegExp(`have changed the same places: ${named}\\. The tree is as it was`))
    mine(rig)
    if (name !== 'text') {
      const merged = await rig.loop(['apply', id, '--merge'])
      assert.equal(merged.code, 1)
      assert.ok(
        merged.stderr.includes(`markers cannot be written into ${named}: only a text file`),
        merged.stderr,
      )
      assert.ok(merged.stderr.includes(`loop apply ${id} --mine`), merged.stderr)
      mine(rig)
    }
    const kept = await rig.loop(['apply', id, '--mine'])
    assert.equal(kept.code, 0, kept.stderr)
    assert.match(kept.stdout, /is in the work tree, and the promise holds there\. To undo/)
    mine(rig)
    assert.ok(existsSync(join(rig.tree, 'made')))
    const [, back = ''] = /To undo this: loop (.*)/.exec(kept.stdout) ?? []
    assert.equal((await rig.loop(back.trim().split(' '))).code, 0)
    const taken = await rig.loop(['apply', id, '--theirs'])
    assert.equal(taken.code, 0, taken.stderr)
    theirs(rig)
    const [, undo = ''] = /To undo this: loop (.*)/.exec(taken.stdout) ?? []
    assert.equal((await rig.loop(undo.trim().split(' '))).code, 0)
    mine(rig)
  })
}

test('one file of a result in conflict is taken by --theirs only', async t => {
  const { rig, id } = await conflictOf(t, text)
  const pick = (...more: string[]) => rig.loop(['pick', id, 'isolated', '--file', 'text', ...more])
  assert.equal((await pick()).code, 1)
  assert.equal(read(rig, 'text'), 'user\n')
  const taken = await pick('--theirs')
  assert.equal(taken.code, 0, taken.stderr)
  assert.equal(read(rig, 'text'), 'agent\n')
  assert.ok(!existsSync(join(rig.tree, 'made')))
})

test('killed while it takes theirs: the apply is finished exactly, and an edit made meanwhile stays', async t => {
  const { rig, id } = await conflictOf(t, text)
  const killed = await rig.loop(['apply', id, '--theirs'], { env: { LOOP_FAULT: 'write' } })
  assert.equal(killed.signal, 'SIGKILL')
  rmSync(join(rig.tree, 'made'), { force: true })
  mkdirSync(join(rig.tree, 'new'))
  rig.write('new/mine', 'mine\n')
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.deepEqual([read(rig, 'text'), read(rig, 'new/mine')], ['agent\n', 'mine\n'])
  const undone = await rig.loop(['rollback', id, 'before-apply-2-1'])
  assert.equal(undone.code, 0, undone.stderr)
  assert.equal(read(rig, 'text'), 'user\n')
})
