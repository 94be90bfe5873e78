/**
 * Small disks of their own for tests, where the machine allows it: one in memory that can be filled, and one in an
 * image that becomes read-only while files on it are open, as a real one does after an error of its device.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { without } from './needs.ts'

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }

export type Disk = { dir: string; spoil(): void; mend(): void; unmount(): void }

/** In memory; when spoilt, it is full. */
export function fillable(aside: string, size: string): Disk {
  const dir = mountPoint(aside)
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir)
  return {
    dir,
    spoil: () => run('sh', '-c', `cat /dev/zero > ${dir}/fill 2> /dev/null || true`),
    mend: () => rmSync(join(dir, 'fill')),
    unmount: () => run('umount', '-l', dir),
  }
}

/** When spoilt, every write is refused (EROFS), also by open files; mounting it again repairs it. */
export function abortable(aside: string): Disk {
  const dir = mountPoint(aside)
  const image = join(aside, 'image')
  writeFileSync(image, '')
  truncateSync(image, 64_000_000)
  run('mkfs.ext4', '-q', '-F', image)
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, dir)
  mount()
  return {
    dir,
    spoil: () => run('mount', '-o', 'remount,abort', dir),
    mend() {
      run('umount', dir)
      // Whoever has copied the mounts of this machine meanwhile (a run in a namespace) still holds it.
      run('sh', '-c', `until [ -z "$(losetup -j ${image})" ]; do sleep 0.05; done`)
      // Its journal says that it was left in the middle of something.
      run('sh', '-c', `fsck.ext4 -p ${image} || [ $? = 1 ]`)
      mount()
    },
    unmount: () => run('umount', '-l', dir),
  }
}

/** Whether a disk cannot be made here: then the test is skipped with the reason. */
export function noDisk(t: TestContext): boolean {
  const why = without('root', 'mkfs.ext4')
  if (why !== false) t.skip(why)
  return why !== false
}

function mountPoint(aside: string): string {
  const dir = join(aside, 'disk')
  mkdirSync(dir)
  return dir
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
