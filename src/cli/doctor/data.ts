/**
 * Checks the files that loop keeps around the store: the directory and who may read it, the disk space, backups, locks of
 * hosts, checkpoints and working copies.
 */
import { hash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isWholePack } from '../../checkpoints/objects/lookup.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { strayCopies } from '../../engine/garbage/files.ts'
import { loopsById } from '../../engine/garbage/work.ts'
import { failureWords } from '../../failures/words.ts'
import { count, formatBytes, formatDuration, someOf } from '../../model/units.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { parseConfig } from '../../options/config/parse.ts'
import { platform } from '../../platform/platform.ts'
import { envFile, type Paths } from '../../store/files/paths.ts'
import { backupEveryMs, backupsIn, failedBackup, problemOf } from '../../store/sqlite/backup.ts'
import { hostsIn } from '../../store/sqlite/lock.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { restoringFile } from '../../store/sqlite/restore.ts'
import { bad, type Check, good, warn } from './check.ts'

export function directoryCheck({ data }: Paths): Check[] {
  const name = 'data directory'
  const there = existing(data)
  const refused = writeRefused(there)
  if (refused) {
    const next = 'Make it writable for you, or set XDG_DATA_HOME to a directory that is.'
    return [bad(name, `${data} cannot be written: ${refused}`, next)]
  }
  if (there !== data) return [good(name, `${data}: will be made by the first loop`)]
  const { mode, uid } = statSync(data)
  const me = process.getuid?.() ?? uid
  if (uid !== me) {
    return [warn(name, `${data} belongs to user ${uid}, and you are ${me}`, `chown -R ${me} ${data}`)]
  }
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  if (mode & 0o077) return [warn(name, `${data} is open to others (mode ${bits})`, `chmod 700 ${data}`)]
  return [good(name, `${data} (writable, mode ${bits}, yours)`)]
}

/** Tested by writing: permission bits know nothing of read-only mounts, quotas and root. */
function writeRefused(directory: string): string | null {
  const probe = join(directory, `.loop-doctor-${randomUUID()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The directory, or its nearest existing parent. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}

/** The user's own file: if it cannot be read, every start fails. A project's file is asked about at a start. */
export function configCheck({ config }: Paths): Check[] {
  const file = readConfigFile({ path: config, of: 'user' })
  const entries = file.ok && file.value ? parseConfig(file.value) : file
  if (!entries.ok) return [bad('configuration', failureWords(entries.failure), `Mend or remove ${config}.`)]
  if (!entries.value) return [good('configuration', `no file of your own (${config})`)]
  return [good('configuration', config)]
}

export function spaceCheck({ data }: Paths): Check[] {
  return [spaceLeft(platform.files.freeBytes(existing(data)))]
}

const tightBytes = 2_000_000_000
const fullBytes = 100_000_000

export function spaceLeft(bytes: number): Check {
  const found = `${formatBytes(bytes)} free`
  if (bytes < fullBytes) return bad('disk space', found, 'Make room: a loop pauses when the disk is full.')
  if (bytes >= tightBytes) return good('disk space', found)
  return warn(
    'disk space',
    found,
    'Make room: one run may print 2 GB (--max-output), and checkpoints need some.',
  )
}

export function hostsCheck(paths: Paths): Check[] {
  const { alive, stale } = hostsIn(paths)
  // One process can be several hosts: loopd is one for its loops and one for its API.
  const pids = [...new Set(alive.map(host => host.split('-')[0]))]
  const living =
    pids.length === 0 ? 'none running' : `${count(pids.length, 'process')} running: ${pids.join(', ')}`
  if (stale.length === 0) return [good('hosts', living)]
  const old = stale.map(host => join(paths.hosts, `${host}.lock`)).filter(isOld)
  for (const file of old) rmSync(file, { force: true })
  const left = `${count(stale.length, 'lock file')} of hosts that died`
  return [good('hosts', `${living}; ${left}${old.length > 0 ? `, ${old.length} of them removed` : ''}`)]
}

/** A file created a moment ago may be about to be locked. */
function isOld(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > 3_600_000
}

/** `lastEnd`: the time at which the newest ended loop ended. A sound backup is at least as new. */
export function backupsCheck(paths: Paths, lastEnd: number | null, now: number): Check[] {
  const name = 'backups'
  if (existsSync(restoringFile(paths))) {
    return [bad(name, 'a restore was interrupted', 'Finish it: loop doctor --restore')]
  }
  const backups = backupsIn(paths, now)
  const [newest] = backups
  if (!existsSync(paths.database) && newest) {
    const next = `If you did not remove ${paths.database}, bring it back: loop doctor --restore`
    return [warn(name, `${count(backups.length, 'backup')} of a store that is not there`, next)]
  }
  const failed = failedBackup(paths)
  const there = `Backups are in ${paths.backups}.`
  if (failed)
    return [warn(name, `the last try failed (${failed})`, `Solve that; the next loop tries again. ${there}`)]
  if (lastEnd !== null && lastEnd - (newest?.at ?? 0) > 2 * backupEveryMs) {
    return [warn(name, `none newer than the loops there are`, `The next loop that ends makes one. ${there}`)]
  }
  if (!newest) return [good(name, 'none yet: the first is taken when a loop ends')]
  const problem = problemOf(newest.file)
  if (problem) return [warn(name, `the newest is not sound (${problem})`, `rm ${newest.file}`)]
  const age = formatDuration(Math.max(0, now - newest.at))
  return [good(name, `${backups.length}, the newest ${age} old`)]
}

const mostNamed = 5
/** The most loops whose kept environment is checked. */
const mostLoops = 2_000

/** Returns nothing if all is well. */
export function permissionsCheck(paths: Paths): Check[] {
  const { database, daemon, backups, config, userTemplates } = paths
  const kept = [database, `${database}-wal`, daemon.token, paths.sealKey, ...below(backups)]
  const environments = below(paths.loops)
    .slice(-mostLoops)
    .map(loop => envFile(paths, loop.slice(paths.loops.length + 1)))
  const own = [dirname(config), config, userTemplates, ...below(userTemplates)]
  return [
    ...openTo([...kept, ...environments], { bits: 0o077, what: 'open to others', cure: 'chmod go-rwx' }),
    ...openTo(own, { bits: 0o022, what: 'for others to change', cure: 'chmod go-w' }),
  ]
}

type Wrong = { bits: number; what: string; cure: string }

function openTo(files: string[], { bits, what, cure }: Wrong): Check[] {
  const me = process.getuid?.()
  const wrong = files.filter(file => {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return false
    return (stat.mode & bits) !== 0 || (me !== undefined && stat.uid !== me && stat.uid !== 0)
  })
  if (wrong.length === 0) return []
  const named = wrong.slice(0, mostNamed).map(spelledOut).join(' ')
  const more = wrong.length > mostNamed ? ` and ${wrong.length - mostNamed} more` : ''
  return [warn('permissions', `${named}${more}: ${what}, or not yours`, `Take it back: ${cure} ${named}`)]
}

function below(directory: string): string[] {
  try {
    return readdirSync(directory).map(name => join(directory, name))
  } catch {
    return [] // there is none
  }
}

/** Checks that each working copy of a group belongs to a known journal. */
export function copiesCheck(paths: Paths): Check[] {
  const name = 'working copies'
  // Problems of the store are reported by its own check; without a store the owner of a copy is unknown.
  const store = existsSync(paths.database) ? openStoreToRead(paths) : null
  if (!store?.ok || !store.value) return []
  const { value } = store
  const stray = strayCopies({ paths, loops: () => loopsById(value) })
  value.close()
  if (stray.length === 0) return [good(name, 'none without a loop')]
  const found = `belong to no known loop: ${someOf(stray)}`
  return [warn(name, found, 'Look at them, then delete them with: loop gc --yes')]
}

/** Larger packs are checked only at both ends: nobody waits minutes for a doctor. */
const mostBytes = 64_000_000
const sumBytes = 20

export function checkpointsCheck({ trees }: Paths): Check[] {
  const name = 'checkpoints'
  const packs = (existsSync(trees) ? readdirSync(trees) : []).flatMap(tree => packsIn(join(trees, tree)))
  const damaged = packs.filter(pack => !isSound(pack))
  if (damaged.length === 0) return [good(name, `${count(packs.length, 'pack')}, none damaged`)]
  const next =
    'A rollback to a checkpoint in it is refused; other checkpoints are not affected. Check the disk.'
  return damaged.map(pack => warn(name, `${pack} is damaged`, next))
}

function packsIn(tree: string): string[] {
  const directory = join(tree, 'git/objects/pack')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(file => /^pack-\w+\.pack$/.test(file))
    .map(file => join(directory, file))
}

function isSound(pack: string): boolean {
  try {
    const index = pack.replace(/pack$/, 'idx')
    return existsSync(index) && isWholePack(pack, index) && hasItsSum(pack)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return false
    throw error
  }
}

/** A pack ends with the checksum of everything before it. */
function hasItsSum(pack: string): boolean {
  const file = openSync(pack, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (fstatSync(file).size > mostBytes) return true
    const bytes = readFileSync(file)
    const end = bytes.length - sumBytes
    return hash('sha1', bytes.subarray(0, end)) === bytes.subarray(end).toString('hex')
  } finally {
    closeSync(file)
  }
}
