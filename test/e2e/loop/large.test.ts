/** Iterations that change a lot of data: counted, saved and rolled back exactly, with bounded memory. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, root, startArgs } from '../../rig/rig.ts'

const mostMemoryMb = 200

/** The checksums of all files in the work tree. */
function sums(rig: Rig): string {
  const script = 'find . -name .loop -prune -o -type f -print | sort | xargs -r sha1sum'
  return execFileSync('sh', ['-c', script], { cwd: rig.tree, encoding: 'utf8' })
}

/** Runs a loop of one iteration to its end. */
async function iterate(rig: Rig, agent: string): Promise<string> {
  const ended = await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline', '--plain'))
  assert.match(ended.stdout, /1 iteration used and the promise does not hold/, ended.stderr)
  return rig.loops().at(-1) ?? ''
}

async function changes(rig: Rig, loop: string): Promise<[added: number, removed: number, files: number]> {
  const { stdout } = await rig.loop(['history', loop, '--json'])
  const [{ added, removed, files }] = JSON.parse(stdout).iterations
  return [added, removed, files]
}

async function rollback(rig: Rig, loop: string, to: string): Promise<void> {
  const ended = await rig.loop(['rollback', loop, to])
  assert.equal(ended.code, 0, ended.stderr)
}

const megabyte = 'head -c 1000000 /dev/urandom'
const fortyFiles = `mkdir many; n=0; while [ $n -lt 40 ]; do ${megabyte} > many/$n; n=$((n + 1)); done`
const cases: { name: string; agent: string; changes: [number, number, number] }[] = [
  {
    name: 'one new file of 20 MB is counted as binary',
    agent: 'head -c 20000000 /dev/urandom > big',
    changes: [0, 0, 1],
  },
  {
    name: 'one text file of 20 MB is counted as binary, the small one beside it by its lines',
    agent: 'seq 3000000 > big; seq 3 > small',
    changes: [3, 0, 2],
  },
  { name: '40 new files of 1 MB', agent: fortyFiles, changes: [0, 0, 40] },
  {
    name: 'text files of 18 MB in all are counted by their lines',
    agent: 'for n in 1 2 3; do seq $n 900000 > lines-$n; done',
    changes: [900_000 + 899_999 + 899_998, 0, 3],
  },
]

for (const { name, agent, changes: expected } of cases) {
  test(`${name}, and is rolled back exactly`, async t => {
    const rig = makeRig(t)
    rig.write('there', 'before\n')
    const before = sums(rig)
    const loop = await iterate(rig, agent)
    const after = sums(rig)
    assert.deepEqual(await changes(rig, loop), expected)
    await rollback(rig, loop, 'initial')
    assert.equal(sums(rig), before)
    await rollback(rig, loop, '--undo')
    assert.equal(sums(rig), after)
  })
}

/** Two thirds in one file, the rest in files of 8 MB. In the long form the pack is larger than 2 GB. */
const [megabytes, source] = process.env['LOOP_LONG'] ? [2_400, '/dev/urandom'] : [300, '/dev/zero']
const parts = Math.floor(megabytes / 24)
const writeAll = `head -c ${(megabytes / 3) * 2}M ${source} > huge
  n=0; while [ $n -lt ${parts} ]; do head -c 8M /dev/urandom > part-$n; n=$((n + 1)); done`

test(`${megabytes} MB changed in an iteration, compared and rolled back, take ${mostMemoryMb} MB of memory`, async t => {
  const rig = makeRig(t)
  const peaks = recordPeaks(rig)
  const first = await iterate(rig, writeAll)
  assert.deepEqual(await changes(rig, first), [0, 0, 1 + parts])
  const before = sums(rig)
  const second = await iterate(rig, 'echo more >> huge; echo more >> part-0')
  assert.deepEqual(await changes(rig, second), [0, 0, 2])
  const after = sums(rig)
  await rollback(rig, first, 'initial')
  assert.equal(sums(rig), '')
  await rollback(rig, first, '--undo')
  assert.equal(sums(rig), after)
  await rollback(rig, second, 'initial')
  assert.equal(sums(rig), before)
  assertSmall(peaks, ['start', 'history', 'rollback'])
})

test(`a patch of 80 MB is printed with ${mostMemoryMb} MB of memory, and refused as JSON`, async t => {
  const rig = makeRig(t)
  const peaks = recordPeaks(rig)
  const loop = await iterate(rig, 'for n in 1 2 3 4 5 6; do seq $n 1800000 > lines-$n; done')
  const shell = { wrap: ['sh', '-c', '"$@" > "$ASIDE/patch"', 'sh'] }
  const printed = await rig.loop(['diff', loop], shell)
  assert.equal(printed.code, 0, printed.stderr)
  const added = execFileSync('grep', ['-c', '^+[0-9]', join(rig.aside, 'patch')], { encoding: 'utf8' })
  assert.equal(Number(added), 6 * 1_800_000 - (1 + 2 + 3 + 4 + 5))
  const json = await rig.loop(['diff', loop, '--json'])
  assert.notEqual(json.code, 0)
  assert.match(JSON.parse(json.stderr).error.message, /The patch is larger than 16 MB.*loop diff/)
  assertSmall(peaks, ['start', 'diff'])
})

function recordPeaks(rig: Rig): string {
  const peaks = join(rig.aside, 'peaks')
  Object.assign(rig.env, { NODE_OPTIONS: `--require ${join(root, 'test', 'rig', 'peak.cjs')}`, PEAK: peaks })
  return peaks
}

/** `commands`: the commands that must have been measured, at least. */
function assertSmall(peaks: string, commands: string[]): void {
  const lines = readFileSync(peaks, 'utf8').trim().split('\n')
  const measured = lines.map(line => line.split(' ')).map(([mb, command]) => ({ mb: Number(mb), command }))
  for (const command of commands)
    assert.ok(
      measured.some(one => one.command === command),
      command,
    )
  assert.deepEqual(
    measured.filter(({ mb }) => mb > mostMemoryMb),
    [],
  )
}
