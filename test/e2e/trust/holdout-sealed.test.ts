/**
 * The text of a hold-out is nowhere that an agent comes upon: without a sandbox or a PID namespace it searches loop's
 * data, its tree, and the arguments and environments of all processes, and finds nothing. The hold-out still decides.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

/** In group mode an agent sees every process of its user. */
const open = { LOOP_CONTAIN: 'group' }

/** The pattern is in a file: as an argument or a variable of the search it would find itself. */
function hide(rig: Rig): string {
  const value = `v${randomBytes(9).toString('hex')}`
  Object.assign(rig.env, open)
  writeFileSync(join(rig.aside, 'pattern'), `${value}\n`)
  writeFileSync(
    join(rig.aside, 'search'),
    `{ grep -rlaFf "$ASIDE/pattern" "${rig.paths.data}" "${rig.paths.cache}" .
    grep -laFf "$ASIDE/pattern" /proc/[0-9]*/cmdline /proc/[0-9]*/environ; } > "$ASIDE/found.$1" 2> /dev/null
    touch "$ASIDE/searched.$1"\n`,
  )
  return value
}

function found(rig: Rig): Record<string, string> {
  const names = readdirSync(rig.aside).filter(name => name.startsWith('found.'))
  return Object.fromEntries(names.map(name => [name, readFileSync(join(rig.aside, name), 'utf8')]))
}

const nosy = 'cat > /dev/null; sh "$ASIDE/search" 1; echo right > work.txt'
const judges = (value: string, wanted: string) => `: ${value}; grep -q ${wanted} work.txt`

/** The search itself works: it finds what is there. */
async function finds(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const value = hide(rig)
  await rig.loop(startArgs(nosy, `: ${value}; test -s work.txt`, '-n', '1', '--no-input'))
  assert.match(found(rig)['found.1'] ?? '', /loop\.db[\s\S]*\/proc\/\d+\/cmdline/)
}

test('an agent that searches data, tree and processes does not find the hold-out of its loop', async t => {
  await finds(t)
  for (const [wanted, code] of [
    ['right', 0],
    ['other', 1],
  ] as const) {
    const rig = makeRig(t)
    const value = hide(rig)
    const args = startArgs(nosy, 'test -s work.txt', '-n', '1', '--no-input')
    const ended = await rig.loop([...args, '--holdout', judges(value, wanted)])
    assert.equal(ended.code, code, ended.stdout + ended.stderr)
    assert.deepEqual(found(rig), { 'found.1': '' })
    assert.ok(!ended.stdout.includes(value), ended.stdout)
    const [id = ''] = rig.loops()
    const unpacked = ['sh', '-c', '"$@" | gzip -dc', 'sh']
    const shown = [
      await rig.loop(['status', id, '--json']),
      await rig.loop(['logs', id, '--announcements']),
      await rig.loop(['export', id, '-o', '-'], { wrap: unpacked }),
    ]
    for (const { stdout, stderr } of shown)
      assert.deepEqual([stdout === '', stdout.includes(value)], [false, false], stderr)
    assert.equal(statSync(rig.paths.sealKey).mode & 0o777, 0o600)
  }
})

test('nor that of a loop of the background', async t => {
  const rig = makeDaemonRig(t)
  const value = hide(rig)
  await rig.startDaemon()
  const id = await rig.background(nosy, 'test -s work.txt', '-n', '1', '--holdout', judges(value, 'right'))
  await rig.reaches(id, 'completed')
  assert.deepEqual(found(rig), { 'found.1': '' })
  const failing = await rig.background(
    'echo 2 >> work.txt',
    'grep -q 2 work.txt',
    '-n',
    '1',
    '--holdout',
    judges(value, '3'),
  )
  await rig.reaches(failing, 'failed')
})

test('nor that of another attempt, while it runs', async t => {
  const rig = makeRig(t)
  const value = hide(rig)
  // The attempt that comes second searches while the hold-out of the first is running.
  const agent = `cat > /dev/null; if mkdir "$ASIDE/first" 2> /dev/null; then sh "$ASIDE/search" 1
    else until [ -e "$ASIDE/holding" ]; do sleep 0.05; done; sh "$ASIDE/search" 2; fi; echo right > work.txt`
  const holdout = `: ${value}; touch "${rig.aside}/holding"
    until [ -e "${rig.aside}/searched.2" ]; do sleep 0.05; done; grep -q right work.txt`
  const args = startArgs(agent, 'test -s work.txt', '-n', '1', '--no-input', '--best-of', '2')
  const ended = await rig.loop([...args, '--holdout', holdout])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.deepEqual(found(rig), { 'found.1': '', 'found.2': '' })
})

test('after kill -9 a resume runs the hold-out; without the key the loop pauses and says so', async t => {
  const rig = makeRig(t)
  const value = hide(rig)
  const holdout = `: ${value}; touch "${rig.aside}/holding"; until [ -e "${rig.aside}/go" ]; do sleep 0.05; done
    grep -q right work.txt`
  const args = startArgs(nosy, 'test -s work.txt', '-n', '1', '--no-input', '--holdout', holdout)
  const running = rig.spawn(args)
  await until('the hold-out', () => existsSync(join(rig.aside, 'holding')))
  running.child.kill('SIGKILL')
  await running.ended
  const [id = ''] = rig.loops()
  const key = readFileSync(rig.paths.sealKey)
  rmSync(rig.paths.sealKey)
  const lost = await rig.loop(['resume', id, '--no-input'])
  assert.notEqual(lost.code, 0, lost.stdout)
  assert.match(lost.stdout + lost.stderr, /the hold-out cannot be opened/)
  const judged = () =>
    rig.events(id).flatMap(event => (event.kind === 'holdout.judged' ? event.data.result.verdict : []))
  assert.deepEqual(judged(), [])
  writeFileSync(rig.paths.sealKey, key, { mode: 0o600 })
  writeFileSync(join(rig.aside, 'go'), '')
  const resumed = await rig.loop(['resume', id, '--no-input'])
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
  assert.deepEqual(judged(), ['PASS'])
})
