/**
 * File systems: which kind a path is on (by the magic number of statfs), what is mounted, and which files are mapped
 * into memory. The programs that copy and sync are those of GNU coreutils.
 */
import { lstatSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { setImmediate as breath } from 'node:timers/promises'
import type { FileSystems, MountedPath } from '../contract.ts'

/** From linux/magic.h. */
const magic = {
  ext: 0xef53,
  btrfs: 0x9123683e,
  xfs: 0x58465342,
  tmpfs: 0x01021994,
  f2fs: 0xf2f52010,
  overlay: 0x794c7630,
} as const

const withSharedBlocks: readonly number[] = [magic.btrfs, magic.xfs]
const withDirectoryTimes: readonly number[] = Object.values(magic)

/** The inode of the root of every subvolume. */
const subvolumeInode = 256
const typeBits = 0o170000
const characterDevice = 0o020000

const kindOf = (path: string): number => statfsSync(path).type

export const files: FileSystems = {
  within: (directory, name) => `/proc/self/fd/${directory}/${name}`,
  freeBytes(path) {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  },
  sharesBlocks: path => withSharedBlocks.includes(kindOf(path)),
  keepsDirectoryTimes: path => withDirectoryTimes.includes(kindOf(path)),
  isSubvolume: path => kindOf(path) === magic.btrfs && statSync(path).ino === subvolumeInode,
  isWhiteout: ({ mode, rdev }) => (mode & typeBits) === characterDevice && rdev === 0,
  mountedBelow,
  mappedForWriting,
  sockets,
  copyCommand({ from, to, how }) {
    const target =
      'into' in to ? ['-t', to.into, '--', ...from] : ['--no-target-directory', '--', ...from, to.as]
    return ['cp', '-a', how === 'link' ? '--link' : `--reflink=${how.reflink}`, ...target]
  },
  syncCommand: path => ['sync', '-f', path],
}

/** The path is the last of eight columns; a socket without a name, or with an abstract one, has no such path. */
function sockets(): string[] {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
  const paths = lines.flatMap(line => /^(?:\S+ +){7}(\/.+)$/.exec(line)?.[1] ?? [])
  return [...new Set(paths)].filter(isSocket)
}

/** Also false for one that cannot be reached, or whose path is one of another mount namespace. */
function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    return false
  }
}

function mountedBelow(directory: string): MountedPath[] {
  const prefix = `${Buffer.from(directory).toString('latin1')}/`
  const found: MountedPath[] = []
  for (const line of mountLines()) {
    // `36 35 98:0 /root /place rw,noatime master:1 - ext4 /dev/disk rw,errors=continue`
    const [mount = '', source = ''] = line.split(' - ')
    const [, , , , place = '', options = ''] = mount.split(' ')
    const path = place.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
    if (!path.startsWith(prefix)) continue
    const all = [...options.split(','), ...(source.split(' ')[2] ?? '').split(',')]
    found.push({ path: path.slice(prefix.length), isReadOnly: all.includes('ro') })
  }
  return found
}

function mountLines(): string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1').split('\n').slice(0, -1)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [] // no /proc here
    throw error
  }
}

/** `7f1a…-7f1b… rw-s 00000000 fd:01 1234 /path`: the inode of each mapping that is writable and shared. */
const sharedAndWritable = /^\S+ .w.s \S+ \S+ (\d+)/gm
const processesPerBreath = 20

async function mappedForWriting(): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  for (const [i, pid] of pids.entries()) {
    // Each file takes the kernel a while: others want to do something too.
    if (i % processesPerBreath === processesPerBreath - 1) await breath()
    for (const [, inode] of mapsOf(pid).matchAll(sharedAndWritable)) found.add(Number(inode))
  }
  return found
}

function mapsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1')
  } catch {
    return '' // it has ended, or is another user's
  }
}
