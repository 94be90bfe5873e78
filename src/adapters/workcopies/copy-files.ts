/**
 * Copies files and directories with all that they are: permissions, times, links, owners as far as they may be given.
 * Large directories by several `cp` at once, small things in this process, where a spawn would cost more.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  statfsSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { exec } from '../process/exec.ts'

/** btrfs, xfs. */
const sharing = [0x9123683e, 0x58465342]

/** Whether files of this filesystem may share blocks; a filesystem of the kind may still refuse. */
export function sharesBlocks(path: string): boolean {
  return sharing.includes(statfsSync(path).type)
}

export type Sharing = 'always' | 'auto' | 'never'

export async function cp(args: string[], signal: AbortSignal): Promise<Result<null>> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
  const done = await exec({ argv: ['cp', '-a', ...args], cwd: '/', env, signal })
  if (done.code === 0) return ok(null)
  const said = done.stderr.toString().trim().split('\n').at(-1) ?? ''
  return fail('step-failed', `Copying failed: ${said || done.cut}. Is the disk full?`)
}

type Work = {
  from: string
  to: string
  /** Whether blocks are to be shared; `always` fails where the filesystem cannot. */
  reflink: Sharing
  signal: AbortSignal
  progress?: ((done: number, of: number) => void) | undefined
}

/** Entries that one `cp` is given at once. */
const batch = 64
/** A directory with so many entries is worth a split of its own: node_modules/.pnpm, site-packages. */
const worthSplit = 100
const atOnce = 2

/** Parts for one `cp` each: the entries `names` of a directory. */
type Part = { from: string; to: string; names: string[] }
type Plan = { parts: Part[]; directories: { to: string; stat: Stats }[] }

export async function copyLarge(work: Work): Promise<Result<null>> {
  const { from, to, reflink, signal, progress } = work
  const share = `--reflink=${reflink}`
  const plan = split(from, to)
  if (!plan) return cp([share, '--no-target-directory', '--', from, to], signal)
  const waiting = [...plan.parts]
  let failed: Result<null> = ok(null)
  const worker = async () => {
    for (let part = waiting.shift(); part && failed.ok; part = waiting.shift()) {
      const paths = part.names.map(name => join(part.from, name))
      const copied = await cp([share, '-t', part.to, '--', ...paths], signal)
      if (!copied.ok) failed = copied
      progress?.(plan.parts.length - waiting.length, plan.parts.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // Deepest first: what is put into a directory changes its time, and it may be one that nothing may be put into.
  for (const one of plan.directories.toReversed()) dress(one.to, one.stat)
  return failed
}

/** Makes the directories that are split; null for what is no directory, or has names that no argument can hold. */
function split(from: string, to: string): Plan | null {
  if (!lstatSync(from).isDirectory()) return null
  const plan: Plan = { parts: [], directories: [] }
  return add(plan, { from, to, depth: 0 }) ? plan : null
}

function add(plan: Plan, { from, to, depth }: { from: string; to: string; depth: number }): boolean {
  const names = namesIn(from)
  if (!names) return false
  mkdirSync(to, { mode: 0o700 })
  plan.directories.push({ to, stat: lstatSync(from) })
  const rest: string[] = []
  for (const name of names) {
    const isSplit = depth < 2 && isWorthSplit(join(from, name))
    if (!isSplit) rest.push(name)
    else if (!add(plan, { from: join(from, name), to: join(to, name), depth: depth + 1 })) return false
  }
  for (let at = 0; at < rest.length; at += batch)
    plan.parts.push({ from, to, names: rest.slice(at, at + batch) })
  return true
}

function isWorthSplit(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && (namesIn(path)?.length ?? 0) > worthSplit
  } catch {
    return false
  }
}

function namesIn(directory: string): string[] | null {
  const names = readdirSync(directory, { encoding: 'buffer' })
  return names.every(name => Buffer.from(name.toString()).equals(name)) ? names.map(String) : null
}

/** One small file, link or directory. Throws what the system says; pipes and devices are passed over. */
export function copySmall(from: Buffer, to: Buffer): void {
  const stat = lstatSync(from)
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to)
  else if (stat.isFile()) copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  else if (stat.isDirectory()) {
    mkdirSync(to, { mode: 0o700 })
    for (const name of readdirSync(from, { encoding: 'buffer' }))
      copySmall(within(from, name), within(to, name))
  } else return
  dress(to, stat)
}

export function within(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name])
}

/** Owner first: giving a file away takes its setuid bit, which nobody else's copy may have. */
function dress(path: string | Buffer, stat: Stats): void {
  const { uid, gid } = lstatSync(path)
  if (process.getuid?.() === 0 && (uid !== stat.uid || gid !== stat.gid)) lchownSync(path, stat.uid, stat.gid)
  if (stat.isSymbolicLink()) return lutimesSync(path, stat.atimeMs / 1_000, stat.mtimeMs / 1_000)
  const isOwn = process.getuid?.() === 0 || uid === stat.uid
  chmodSync(path, stat.mode & (isOwn ? 0o7777 : 0o1777))
  utimesSync(path, stat.atimeMs / 1_000, stat.mtimeMs / 1_000)
}
