/**
 * A btrfs filesystem for the tests: an image, mounted by loop device, where the machine allows that. Where it
 * does not, the reason is said loudly; on a machine that builds (CI) it is a failure if it should have worked.
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

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }

/** Where it is mounted, or why it cannot be. */
export function mountBtrfs(): { root: string } | { why: string } {
  const why = obstacle()
  if (why !== null) return { why }
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
    return { why: `a btrfs image cannot be mounted: ${error instanceof Error ? error.message : error}` }
  }
  after(() => {
    run('umount', root)
    rmSync(place, { recursive: true })
  })
  return { root }
}

export function makeSubvolume(path: string): void {
  run('btrfs', 'subvolume', 'create', path)
}

/** Null on a machine where it must work. */
function obstacle(): string | null {
  if (process.getuid?.() !== 0) return 'mounting needs root'
  if (!/\bbtrfs\b/.test(readFileSync('/proc/filesystems', 'utf8'))) return 'this kernel has no btrfs'
  try {
    run('btrfs', '--version')
    run('mkfs.btrfs', '--version')
    return null
  } catch {
    const why = 'btrfs-progs is not installed'
    if (process.env['CI']) throw new Error(`${why}, and this machine could test it: install it.`)
    return why
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
