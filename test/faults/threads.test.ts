/**
 * Node waits for ever if it gets only some of its threads, and crashes with a handful of open files. At such a limit loop
 * and loopd report that instead, and well away from it they start.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { without } from '../rig/needs.ts'
import { loopdProgram, loopProgram, makeRig, until } from '../rig/rig.ts'

/** A user id without processes, so that only the processes of this test count towards its limit. */
const user = 61_234
const refused = /^loop: Node cannot start its threads: a limit on processes is reached/
const skip = without('root')

for (const program of [loopProgram, loopdProgram])
  test(`at the limit of a user: ${program.endsWith('d') ? 'loopd' : 'loop'} status`, { skip }, async t => {
    const rig = makeRig(t)
    const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
    const [setpriv = '', ...rest] = as
    if (spawnSync(setpriv, [...rest, 'test', '-x', program]).status !== 0)
      return t.skip('other users cannot reach this checkout')
    const home = '/nonexistent'
    const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home }
    const status = (most: number) =>
      rig.loop(['status'], { env, program, cwd: '/', wrap: [...as, 'prlimit', `--nproc=${most}:${most}`] })
    for (const most of [1, 3, 5]) {
      const said = await status(most)
      assert.equal(said.code, 3, said.stderr)
      assert.match(said.stderr, refused)
      await until(
        'everything of the user to end',
        () => spawnSync('pgrep', ['-u', String(user)]).status === 1,
      )
    }
    const said = await status(200)
    assert.doesNotMatch(said.stderr, refused)
    assert.match(said.stdout + said.stderr, /No loops|loopd does not run/)
  })

test('at the limit of a control group: loop status', { skip }, async t => {
  const pids = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].find(at => existsSync(join(at, 'cgroup.procs')))
  if (!pids) return t.skip('there are no control groups here')
  const group = join(pids, `loop-test-${process.pid}`)
  try {
    mkdirSync(group)
    readFileSync(join(group, 'pids.max'))
  } catch {
    return t.skip('no control group can be made here')
  }
  const rig = makeRig(t)
  rig.atEnd(async () => rmdirSync(group))
  const wrap = ['sh', '-c', `echo 0 > ${group}/cgroup.procs; exec "$@"`, 'sh']
  writeFileSync(join(group, 'pids.max'), '4')
  const said = await rig.loop(['status'], { wrap })
  assert.equal(said.code, 3, said.stderr)
  assert.match(said.stderr, refused)
  writeFileSync(join(group, 'pids.max'), '200')
  const well = await rig.loop(['status'], { wrap })
  assert.equal(well.code, 0, well.stderr)
})

for (const program of [loopProgram, loopdProgram])
  test(`with few open files: ${program.endsWith('d') ? 'loopd' : 'loop'} --version`, async t => {
    const rig = makeRig(t)
    const withFiles = (files: number) =>
      rig.loop(['--version'], { program, wrap: ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh'] })
    for (const files of [15, 20, 63]) {
      const { code, stdout, stderr } = await withFiles(files)
      const sentence = `loop: Node cannot run with at most ${files} open files. Raise the limit, then try again: ulimit -n 1024\n`
      assert.deepEqual([code, stdout, stderr], [3, '', sentence])
    }
    const enough = await withFiles(64)
    assert.equal(enough.code, 0, enough.stderr)
  })
