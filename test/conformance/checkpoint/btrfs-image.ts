/**
 * A btrfs filesystem for the tests: an image, mounted by a loop device, if the machine allows that. Otherwise the tests
 * that need it are skipped with the reason; in CI a missing program is a failure.
 */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { without } from '../../rig/needs.ts'

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }

/** The mount point, or in `skip` the reason why there is none. */
export function mountBtrfs(): { root: string; skip: string | false } {
  const skip = obstacle()
  if (skip !== false) return { root: '', skip }
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'loop-btrfs-')))
  const [image, root] = [join(place, 'image'), join(place, 'root')]
  writeFileSync(image, '')
  truncateSync(image, 1024 ** 3)
  mkdirSync(root)
  try {
    run('mkfs.btrfs', '-q', image)
    run('mount', '-o', 'loop', image, root)
  } catch (error) {
    rmSync(place, { recursive: true })
    return {
      root: '',
      skip: `a btrfs image cannot be mounted: ${error instanceof Error ? error.message : error}`,
    }
  }
  after(() => {
    run('umount', root)
    rmSync(place, { recursive: true })
  })
  return { root, skip: false }
}

export function makeSubvolume(path: string): void {
  run('btrfs', 'subvolume', 'create', path)
}

function obstacle(): string | false {
  const missing = without('root', 'btrfs', 'mkfs.btrfs')
  if (missing !== false) return missing
  return !/\bbtrfs\b/.test(readFileSync('/proc/filesystems', 'utf8')) && 'this kernel has no btrfs'
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
