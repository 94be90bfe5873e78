/**
 * The store: the private git directory of one work tree. Its layout, its configuration, and the environment that git
 * runs in. Git sees only this directory and never the work tree: no configuration, hook, filter, attribute or index
 * of the user's repository is read or run by it. The directory is written by hand instead of `git init`: no
 * templates, no spawn, the same with every version of git.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { isCheckpointName } from '../../model/units.ts'
import { type ExecResult, exec } from '../../platform/exec.ts'
import { keepAside } from '../../platform/platform.ts'
import { codeOf, Unable } from '../errors.ts'
import { type Batch, openBatch } from './batch.ts'

type GitCall = {
  args: readonly string[]
  input?: Buffer | Promise<Buffer> | undefined
  /** Added to the environment that every git of this directory has. */
  env?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Exit codes that are no failure; only 0 unless given. */
  codes?: readonly number[]
  onStdout?: (piece: Buffer) => void
}

type Git = (call: GitCall) => Promise<Result<ExecResult>>

export type Repository = {
  tree: string
  /** The tree whose rules from outside apply: another one where `tree` is a working copy of it. */
  rulesOf: string
  /** The name of the snapshot file. Working copies share the store of their tree, each with a snapshot of its own. */
  cache: string
  dir: string
  env: Record<string, string>
  git: Git
  /** Files that are written but not durable yet; settled with the next checkpoint. */
  batch: Batch
}

// fsyncMethod=batch is documented as safe on macOS and Windows only, and was not faster when measured.
// bigFileThreshold: git streams larger files and treats them as binary; `largeBytes` is the same number.
// fsyncObjectFiles is for git before 2.36, which knows no other setting; newer versions only warn about it.
const config = `[core]
	repositoryformatversion = 0
	bare = true
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	logAllRefUpdates = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	compression = 1
	bigFileThreshold = 16m
	fsyncObjectFiles = true
	fsync = all
	fsyncMethod = fsync
[gc]
	auto = 0
[maintenance]
	auto = false
[pack]
	window = 0
	threads = 1
	writeBitmaps = false
`

/** Files that every git program opens first: a pipe among them would block it for ever. */
const readByGit = [
  'config',
  'HEAD',
  'packed-refs',
  'shallow',
  'info/attributes',
  'info/grafts',
  'objects/info/alternates',
]

/** The snapshot file of the tree itself. */
export const ownCache = 'snapshot'

/** The snapshot file of a working copy, named after the directory that holds the copy. */
export function copyCache(path: string): string {
  return `${ownCache}-${basename(dirname(path))}`
}

function isPipe(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && !stat.isFile()
}

export function openRepository(options: {
  tree: string
  store: string
  rulesOf?: string
  cache?: string
}): Repository {
  const { tree, store: dir, rulesOf = tree, cache = ownCache } = options
  const env = environment(dir)
  const git: Git = async call => {
    const spoilt = readByGit.map(name => join(dir, name)).find(isPipe)
    if (spoilt) return fail('step-failed', { kind: 'git-file-spoilt', path: spoilt })
    const result = await exec({
      argv: ['git', ...call.args],
      cwd: dir,
      env: { ...env, ...call.env },
      ...(call.input ? { input: call.input } : {}),
      ...(call.signal ? { signal: call.signal } : {}),
      ...(call.onStdout ? { onStdout: call.onStdout } : {}),
    })
    return (call.codes ?? [0]).includes(result.code ?? -1) ? ok(result) : gitFailed(tree, call, result)
  }
  return { tree, rulesOf, cache, dir, env, git, batch: openBatch() }
}

/** Creates the directory where it is missing, and brings its configuration up to date. */
export function prepareRepository(repository: Repository): void {
  const { dir } = repository
  for (const part of ['objects/pack', 'refs/loop', 'info']) makeDirectory(repository, join(dir, part))
  writeWhenDifferent(repository, 'config', Buffer.from(config))
  // Unfinished packs of processes that were killed.
  for (const name of readdirSync(join(dir, 'objects/pack'))) {
    const pid = /^tmp_[a-z]+_(\d+)/.exec(name)?.[1]
    if (name.startsWith('tmp_') && !(pid && isAlive(Number(pid))))
      rmSync(join(dir, 'objects/pack', name), { force: true })
  }
  // HEAD last: without it git does not take the directory for a repository.
  writeWhenDifferent(repository, 'HEAD', Buffer.from('ref: refs/heads/none\n'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function environment(dir: string): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    GIT_DIR: dir,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
  }
}

function gitFailed(tree: string, call: GitCall, result: ExecResult): Result<ExecResult> {
  const what = `git ${call.args.find(arg => !arg.startsWith('-') && !arg.includes('=')) ?? ''}`.trim()
  const said = lastLines(result.stderr.toString())
  if (result.cut === 'stopped') return fail('step-failed', { kind: 'saving-stopped', tree })
  if (result.cut === 'unstartable') {
    return fail('step-failed', { kind: 'git-unstartable', command: what, tree, said })
  }
  const how =
    result.cut === 'flooded' ? 'printed more than can be held' : `exit ${result.code ?? result.signal}`
  return fail('step-failed', {
    kind: 'git-failed',
    command: what,
    tree,
    how,
    said: said || 'it said nothing',
  })
}

function lastLines(text: string): string {
  const lines = text.trim().split('\n')
  return lines
    .filter(line => !line.startsWith('warning: core.fsyncObjectFiles'))
    .slice(-3)
    .join('; ')
}

/** False for a FIFO, which would block whoever opens it: an agent can put one anywhere. */
export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Replaces a file in one step. Not waited for: after a power cut the next call writes it again. */
export function writeWhenDifferent({ dir, batch }: Repository, name: string, content: Buffer): void {
  const path = join(dir, name)
  if (isPlainFile(path) && readFileSync(path).equals(content)) return
  const temporary = `${path}.tmp-${process.pid}`
  writeFileSync(temporary, content, { mode: 0o600 })
  renameSync(temporary, path)
  batch.sync(path)
}

function makeDirectory({ batch }: Repository, path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) batch.syncDirectory(dirname(made))
}

export function refPath(repository: Repository, loop: string, name: string): string {
  for (const part of [loop, name]) {
    if (!isCheckpointName(part)) throw new Unable({ kind: 'bad-checkpoint-name', name: part })
  }
  return join(repository.dir, 'refs/loop', loop, name)
}

type Ref = { id: string; isNew: boolean | undefined }

/**
 * The ref becomes durable when the batch is settled. `isNew`: no journal names it, so what another one saved under this
 * name, before it was lost, keeps a name of its own.
 */
export function addRef(repository: Repository, path: string, { id, isNew }: Ref): void {
  if (isNew && isPlainFile(path) && readFileSync(path, 'utf8').trim() !== id) keepAside(path)
  makeDirectory(repository, dirname(path))
  repository.batch.replace(path, Buffer.from(`${id}\n`))
}
