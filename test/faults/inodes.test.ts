/**
 * A data directory with only so many free inodes, in the foreground: at every number loop says in words what the system
 * refused, never with a stack trace; and a recorded loop continues once there is room.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathsFrom } from '../../src/store/files/paths.ts'
import { makeRig, startArgs } from '../rig/rig.ts'
import { noDisk } from '../rig/small-disk.ts'

const levels = process.env['LOOP_LONG']
  ? Array.from({ length: 60 }, (_, n) => n + 1)
  : [8, 14, 18, 19, 20, 21, 22, 30]

for (const free of levels) {
  test(`${free} inodes`, { timeout: 600_000 }, async t => {
    if (noDisk(t)) return
    const rig = makeRig(t)
    const disk = join(rig.aside, 'disk')
    mkdirSync(disk)
    const limit = (inodes: number) => `size=64m,nr_inodes=${inodes}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', limit(free + 1), 'tmpfs', disk])
    rig.atEnd(async () => void execFileSync('umount', ['-l', disk]))
    rig.env['XDG_DATA_HOME'] = disk
    Object.assign(rig.paths, pathsFrom(rig.env))
    const started = await rig.loop(startArgs('echo x >> work', 'test "$(wc -l < work)" -ge 2'))
    assert.doesNotMatch(started.stderr, /\n {4}at |This is a bug/, 'no stack trace')
    assert.notEqual(started.code, null)
    execFileSync('mount', ['-o', `remount,${limit(10_000)}`, disk])
    if (started.code === 0) return
    // An open file needs no new inode: if the journal exists, loop can write to it why the loop rests.
    const [id] = existsSync(rig.paths.database) ? rig.loops() : []
    if (id === undefined)
      return assert.match(started.stderr, /^loop: .*(ENOSPC|full|no space|unable to open)/i)
    const { stdout } = await rig.loop(['status', id])
    // If the shim of the first promise has no room for its files, it is unknown whether there is work to do.
    if (/^loop \w+: failed \(the promise cannot be judged/.test(stdout)) return
    assert.match(stdout, /^loop \w+: paused \(.+\)$/m)
    assert.equal(started.code, 1, 'it ended with its pause')
    const resumed = await rig.loop(['resume', '@last'])
    assert.equal(resumed.code, 0, resumed.stderr)
  })
}
