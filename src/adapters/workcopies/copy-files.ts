/**
 * Copies files and directories with permissions, times, links and, where permitted, owners, and removes what was copied.
 * Large directories are copied by several `cp` programs at once, small files in this process, where a spawn would cost
 * more.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { BlockSharing, CopyCommand } from '../../platform/contract.ts'
import { exec } from '../../platform/exec.ts'
import { platform } from '../../platform/platform.ts'

/** One `cp` program, to its end. */
export async function cp(copy: CopyCommand, signal: AbortSignal): Promise<Result<null>> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
  const done = await exec({ argv: platform.files.copyCommand(copy), cwd: '/', env, signal })
  if (done.code === 0) return ok(null)
  const said = done.stderr.toString().trim().split('\n').at(-1) ?? ''
  return fail('step-failed', { kind: 'copying-failed', why: said || String(done.cut) })
}

type Work = {
  from: string
  to: string
  /** May blocks be shared? `always` fails where the file system cannot. */
  reflink: BlockSharing
  signal: AbortSignal
  progress?: ((done: number, of: number) => void) | undefined
}

/** How many entries one `cp` gets. */
const batch = 64
/** A directory with more entries is split too: node_modules/.pnpm, site-packages. */
const worthSplit = 100
const atOnce = 2

/** The work of one `cp`: some entries of a directory. */
type Part = { from: string; to: string; names: string[] }
type Plan = { parts: Part[]; directories: { to: string; stat: Stats }[] }

export async function copyLarge(work: Work): Promise<Result<null>> {
  const { from, to, reflink, signal, progress } = work
  const plan = split(from, to)
  if (!plan) return cp({ from: [from], to: { as: to }, how: { reflink } }, signal)
  const waiting = [...plan.parts]
  let failed: Result<null> = ok(null)
  const worker = async () => {
    for (let part = waiting.shift(); part && failed.ok; part = waiting.shift()) {
      const paths = part.names.map(name => join(part.from, name))
      const copied = await cp({ from: paths, to: { into: part.to }, how: { reflink } }, signal)
      if (!copied.ok) failed = copied
      progress?.(plan.parts.length - waiting.length, plan.parts.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // Last, and deepest first: an entry that is created changes the time of its directory, which may be read-only.
  for (const one of plan.directories.toReversed()) dress(one.to, one.stat)
  return failed
}

/** Plans the parts and creates the directories that are split. Null for a file, or for names that are not UTF-8. */
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

/** Copies one small file, link or directory. Throws the system's error; skips pipes, devices, and files written later. */
export function copySmall(from: Buffer, to: Buffer, untilMs = Number.POSITIVE_INFINITY): void {
  const stat = lstatSync(from)
  if (!stat.isDirectory() && stat.ctimeMs > untilMs) return
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to)
  else if (stat.isFile()) copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  else if (stat.isDirectory()) {
    mkdirSync(to, { mode: 0o700 })
    for (const name of readdirSync(from, { encoding: 'buffer' }))
      copySmall(within(from, name), within(to, name), untilMs)
  } else return
  dress(to, stat)
}

export function within(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name])
}

/** Sets owner, permissions and times. The owner first: chown clears setuid, which only a file of that owner may have. */
function dress(path: string | Buffer, stat: Stats): void {
  const { uid, gid } = lstatSync(path)
  if (process.getuid?.() === 0 && (uid !== stat.uid || gid !== stat.gid)) lchownSync(path, stat.uid, stat.gid)
  if (stat.isSymbolicLink()) return lutimesSync(path, stat.atimeMs / 1_000, stat.mtimeMs / 1_000)
  const isOwn = process.getuid?.() === 0 || uid === stat.uid
  chmodSync(path, stat.mode & (isOwn ? 0o7777 : 0o1777))
  utimesSync(path, stat.atimeMs / 1_000, stat.mtimeMs / 1_000)
}

/**
 * Removes a directory that an agent has worked in. It may have directories without permission to write or list, on
 * which a plain recursive removal fails. Never follows a link.
 */
export async function removeAll(path: string): Promise<Result<null>> {
  try {
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch {
    // Try again after making every directory writable.
  }
  try {
    await openAll(Buffer.from(path))
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch (error) {
    if (!existsSync(path)) return ok(null)
    return fail('step-failed', { kind: 'cannot-be-removed', path, why: (error as Error).message })
  }
}

async function openAll(path: Buffer): Promise<void> {
  const stat = await lstat(path)
  if (!stat.isDirectory()) return
  if ((stat.mode & 0o700) !== 0o700) await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) await openAll(Buffer.concat([path, slash, entry.name]))
  }
}

const slash = Buffer.from('/')
