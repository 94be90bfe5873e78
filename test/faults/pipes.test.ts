/**
 * A FIFO, or a link, in place of a file that loop opens: loop does not wait for it, and changes nothing behind a link.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeRig, type Rig, startArgs } from '../rig/rig.ts'

const enoughMs = 30_000

/** Kills a program that would wait for ever, because the test would wait too. */
async function inTime(rig: Rig, t: TestContext, args: string[]) {
  const started = rig.spawn(args)
  const timer = setTimeout(() => process.kill(started.pid, 'SIGKILL'), enoughMs)
  t.after(() => clearTimeout(timer))
  const ended = await started.ended
  clearTimeout(timer)
  assert.notEqual(ended.signal, 'SIGKILL', `loop ${args[0]} waits for ever`)
  return ended
}

function pipeAt(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

const quick = startArgs('echo b > b', 'false', '-n', '1', '--no-baseline')

for (const name of ['config', 'HEAD', 'usual', 'snapshot', 'info/attributes']) {
  test(`a FIFO called ${name} in the store of the checkpoints`, async t => {
    const rig = makeRig(t)
    rig.write('a', 'a\n')
    await rig.loop(quick)
    const [id = ''] = rig.loops()
    const trees = join(rig.paths.data, 'trees')
    pipeAt(join(trees, readdirSync(trees)[0] ?? '', 'git', name))
    for (const command of [
      ['diff', id],
      ['history', id, '--diff', '1'],
      ['rollback', id, 'initial'],
    ]) {
      const { code, stderr } = await inTime(rig, t, command)
      if (code !== 0) assert.match(stderr, /is not a plain file\. Remove it, then try again/)
    }
  })
}

test("FIFOs among the packs of the user's repository", async t => {
  const rig = makeRig(t)
  rig.write('a', 'a\n')
  const script =
    'git init -q; git add a; git -c user.name=x -c user.email=x@example.org commit -qm x; git repack -adq'
  execFileSync('sh', ['-ec', script], { cwd: rig.tree, env: rig.env, stdio: 'ignore' })
  const none = join(rig.tree, '.git/objects/pack', `pack-${'0'.repeat(40)}`)
  for (const end of ['.idx', '.pack']) pipeAt(none + end)
  const { code } = await inTime(rig, t, quick)
  assert.equal(code, 1, 'one iteration, and the promise does not hold')
})

for (const file of ['loop.db', 'loop.db-wal']) {
  test(`a FIFO as ${file} is refused in words`, async t => {
    const rig = makeRig(t)
    mkdirSync(rig.paths.data, { recursive: true })
    if (file !== 'loop.db') await rig.loop(quick)
    pipeAt(join(rig.paths.data, file))
    for (const args of [['status'], ['list'], quick]) {
      const { code, stderr } = await inTime(rig, t, args)
      assert.notEqual(code, 0)
      assert.match(stderr, new RegExp(`${file} is not a plain file`))
    }
  })
}

test('a link as loop.db is not followed: what is behind it keeps its permissions and bytes', async t => {
  const rig = makeRig(t)
  mkdirSync(rig.paths.data, { recursive: true })
  const behind = join(rig.aside, 'behind')
  writeFileSync(behind, 'precious', { mode: 0o644 })
  symlinkSync(behind, join(rig.paths.data, 'loop.db'))
  const { code, stderr } = await inTime(rig, t, quick)
  assert.equal(code, 3)
  assert.match(stderr, /loop\.db is not a plain file.*Nothing was changed/)
  assert.deepEqual([statSync(behind).mode & 0o777, readFileSync(behind, 'utf8')], [0o644, 'precious'])
})
