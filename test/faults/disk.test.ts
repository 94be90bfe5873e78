/**
 * The disk becomes full or read-only while a loop runs: the loop stops with a message and the way out, nothing recorded
 * is lost, and the loop continues when the disk is mended.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../rig/rig.ts'
import { noDisk } from '../rig/small-disk.ts'

/** Runs `work` with a small disk for the data of loop. */
async function withDisk(t: TestContext, work: (rig: Rig, disk: string) => Promise<void>): Promise<void> {
  if (noDisk(t)) return
  const rig = makeRig(t)
  const disk = join(rig.aside, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk])
  rig.env['XDG_DATA_HOME'] = disk
  try {
    await work(rig, disk)
  } finally {
    writeFileSync(join(rig.aside, 'go'), '')
    execFileSync('umount', ['-l', disk])
  }
}

const agent =
  'touch "$ASIDE/up"; i=0; while [ ! -e "$ASIDE/go" ] && [ $i -lt 1000 ]; do i=$((i+1)); sleep 0.02; done; echo x >> work'
const twice = 'test "$(wc -l < work)" -ge 2'

type Fault = { name: string; spoil(disk: string): void; mend(disk: string): void }

const full: Fault = {
  name: 'full',
  spoil: disk => execFileSync('sh', ['-c', `cat /dev/zero > ${disk}/fill || true`], { stdio: 'ignore' }),
  mend: disk => rmSync(join(disk, 'fill')),
}

const readOnly: Fault = {
  name: 'read-only',
  spoil: disk => execFileSync('mount', ['-o', 'remount,ro', disk]),
  mend: disk => execFileSync('mount', ['-o', 'remount,rw', disk]),
}

test('the disk of the journal becomes full while the agent works', t =>
  withDisk(t, async (rig, disk) => {
    const running = rig.spawn(startArgs(agent, twice, '--no-baseline', '--checkpoint', 'none'))
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    const { id } = JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
    full.spoil(disk)
    writeFileSync(join(rig.aside, 'go'), '')
    const ended = await running.ended
    assert.notEqual(ended.code, 0, ended.stdout)
    const early = await rig.loop(['resume', id])
    assert.equal(early.code, 3, 'it says so and ends, while the disk is still full')
    assert.match(ended.stdout + ended.stderr, new RegExp(`loop resume ${id}`), 'the way out is said')
    assert.doesNotMatch(ended.stdout, /completed/)
    full.mend(disk)
    const again = await rig.loop(['resume', id])
    assert.equal(again.code, 0, again.stderr)
    const { iterations } = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
    assert.deepEqual(
      iterations.map(({ verdict }: { verdict: string }) => verdict),
      ['FAIL', 'PASS'],
      'no iteration was lost or made twice',
    )
  }))

for (const { name, spoil, mend } of [full, readOnly]) {
  test(`on a disk that is ${name} a start says so and starts nothing; status still shows the loops`, t =>
    withDisk(t, async (rig, disk) => {
      await rig.loop(startArgs('true', 'true', '--checkpoint', 'none'))
      const limited = startArgs('echo x > work', 'false', '--checkpoint', 'none', '-n', '1', '--json')
      const { id: failed } = JSON.parse((await rig.loop(limited)).stdout)
      spoil(disk)
      for (const args of [startArgs('touch "$ASIDE/ran"', 'false'), ['resume', failed, '-n', '2']]) {
        const ended = await rig.loop(args)
        assert.equal(ended.code, 3, ended.stderr)
        assert.match(ended.stderr, /^loop: .+\. .+\.\n$/)
      }
      assert.equal(existsSync(join(rig.aside, 'ran')), false)
      const status = await rig.loop(['status'])
      assert.equal(status.code, 0, status.stderr)
      assert.match(status.stdout, new RegExp(`^${failed} +failed .*\n\\w+ +completed `, 'm'))
      mend(disk)
      const again = await rig.loop(['resume', failed, '-n', '2'])
      assert.equal(again.code, 1, again.stderr)
    }))
}
