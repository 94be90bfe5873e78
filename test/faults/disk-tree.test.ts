/**
 * The disk of the work tree is full while files are written back: a rollback ends, says what is half done, and a second
 * one is exact; a result of a group is never left half applied without a word.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../rig/rig.ts'
import { type Disk, fillable, noDisk } from '../rig/small-disk.ts'

/** Random, so that git keeps each in an object of its own that is read in pieces. */
const bytes = 1_500_000

type Scene = { rig: Rig; disk: Disk; files: Map<string, Buffer> }

/** A work tree on a disk of 6 MB. */
async function onSmallDisk(t: TestContext, work: (scene: Scene) => Promise<void>): Promise<void> {
  if (noDisk(t)) return
  const rig = makeRig(t)
  const disk = fillable(rig.aside, '6m')
  try {
    const files = new Map(['big1', 'big2'].map(name => [name, randomBytes(bytes)]))
    for (const [name, content] of files) writeFileSync(join(disk.dir, name), content)
    // What fills the disk is nothing of the tree: a rollback would delete it, and so make room.
    writeFileSync(join(disk.dir, '.gitignore'), 'fill\n')
    await work({ rig, disk, files })
  } finally {
    disk.unmount()
  }
}

/** The command runs in the tree on the small disk. */
const inTree = (rig: Rig, disk: Disk, args: readonly string[]) => rig.loop([...args], { cwd: disk.dir })

test('a rollback onto a full disk ends and says what is half done; the second one is exact', t =>
  onSmallDisk(t, async ({ rig, disk, files }) => {
    await inTree(rig, disk, startArgs('rm big1 big2', 'false', '--no-baseline', '-n', '1'))
    writeFileSync(join(disk.dir, 'later'), 'mine\n')
    disk.spoil()
    const full = await inTree(rig, disk, ['rollback', '@last', 'initial'])
    assert.equal(full.code, 1, full.stdout)
    assert.match(full.stderr, /is only half restored: ENOSPC/)
    assert.match(full.stderr, /do the same again: it restores the rest exactly/)
    disk.mend()
    const again = await inTree(rig, disk, ['rollback', '@last', 'initial'])
    assert.equal(again.code, 0, again.stderr)
    for (const [name, content] of files) {
      assert.ok(readFileSync(join(disk.dir, name)).equals(content), name)
      assert.equal(statSync(join(disk.dir, name)).mode & 0o777, 0o644)
    }
    assert.ok(!existsSync(join(disk.dir, 'later')), 'made after the checkpoint')
  }))

test('a result that does not fit on the disk is not applied in silence, and is applied once there is room', t =>
  onSmallDisk(t, async ({ rig, disk }) => {
    const agent = 'head -c 1500000 /dev/urandom > big1; head -c 1500000 /dev/urandom > big3'
    // The runs see their copy at the path of the tree, so the disk is filled from here.
    const promise = 'test -s big3 && touch "$ASIDE/worked" && until [ -e "$ASIDE/full" ]; do sleep 0.02; done'
    const args = startArgs(agent, promise, '--no-baseline', '-n', '1', '--isolated')
    const running = rig.spawn(args, { cwd: disk.dir })
    await until('the promise', () => existsSync(join(rig.aside, 'worked')))
    disk.spoil()
    writeFileSync(join(rig.aside, 'full'), '')
    const ended = await running.ended
    assert.notEqual(ended.code, 0, ended.stdout)
    assert.match(ended.stdout + ended.stderr, /ENOSPC|no space/i)
    disk.mend()
    const resumed = await inTree(rig, disk, ['resume', '@last'])
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
    assert.equal(statSync(join(disk.dir, 'big3')).size, bytes)
  }))
