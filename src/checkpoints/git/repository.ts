/**
 * The private git directory of one work tree: its layout, its configuration, the environment git runs in.
 * The one idea: git sees only what is written here, and never the work tree. No configuration, hook, filter,
 * attribute or index of the user's repository is read or run by it; only objects are read, and compared.
 * Written by hand instead of `git init`: no templates, no spawn, the same on every version of git.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ExecResult, exec } from '../../adapters/process/exec.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { isCheckpointName } from '../../model/units.ts'
import { type Batch, openBatch } from '../objects/batch.ts'
import { codeOf, Unable } from './trouble.ts'

type GitCall = {
  args: readonly string[]
  input?: Buffer | Promise<Buffer> | undefined
  /** Besides the environment that every git of this directory has. */
  env?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Exit codes that are answers and not failures; 0 alone unless given. */
  codes?: readonly number[]
  onStdout?: (piece: Buffer) => void
}

type Git = (call: GitCall) => Promise<Result<ExecResult>>

/** `rulesOf`: where rules from outside the tree are looked up; the tree itself unless it is a copy. */
export type Repository = {
  tree: string
  rulesOf: string
  /** The file that remembers what is known of the tree. Copies share a store with their tree: each has its own. */
  cache: string
  dir: string
  env: Record<string, string>
  git: Git
  /** What is written but not yet durable; settled with the next checkpoint. */
  batch: Batch
}

// fsyncMethod=batch is documented as safe for macOS and Windows alone, and was not faster when measured.
// bigFileThreshold: what is larger counts as binary and is streamed by git; `largeBytes` is the same number.
// fsyncObjectFiles is for git before 2.36, which knows no other; newer ones only warn about it.
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

/** What every git program opens first. */
const readByGit = [
  'config',
  'HEAD',
  'packed-refs',
  'shallow',
  'info/attributes',
  'info/grafts',
  'objects/info/alternates',
]

/** The cache of the tree itself, which the store is of. */
export const ownCache = 'snapshot'

/** The cache of a working copy, which lies in a directory of its own name. */
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
    if (spoilt) return fail('step-failed', `${spoilt} is not a plain file. Remove it, then try again.`)
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

/** Makes the directory where it is not there yet, and brings its configuration up to date. */
export function prepareRepository(repository: Repository): void {
  const { dir } = repository
  for (const part of ['objects/pack', 'refs/loop', 'info']) makeDirectory(repository, join(dir, part))
  writeWhenDifferent(repository, 'config', Buffer.from(config))
  // What a kill left of a pack.
  for (const name of readdirSync(join(dir, 'objects/pack'))) {
    const pid = /^tmp_[a-z]+_(\d+)/.exec(name)?.[1]
    if (name.startsWith('tmp_') && !(pid && isAlive(Number(pid))))
      rmSync(join(dir, 'objects/pack', name), { force: true })
  }
  // Last: git takes the directory for a repository only once HEAD is there.
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
  if (result.cut === 'stopped')
    return fail('step-failed', `Saving ${tree} was stopped; nothing of it counts.`)
  if (result.cut === 'unstartable') {
    const words = `${what} could not be started for ${tree} (${said}).`
    return fail('step-failed', `${words} Install git, or use --checkpoint none.`)
  }
  const how =
    result.cut === 'flooded' ? 'printed more than can be held' : `exit ${result.code ?? result.signal}`
  const words = `${what} failed for ${tree} (${how}): ${said || 'it said nothing'}.`
  return fail('step-failed', `${words} Nothing of it counts; solve this and resume.`)
}

function lastLines(text: string): string {
  const lines = text.trim().split('\n')
  return lines
    .filter(line => !line.startsWith('warning: core.fsyncObjectFiles'))
    .slice(-3)
    .join('; ')
}

/** Not a FIFO, which whoever opens it would wait for, for ever: an agent can put one anywhere. */
export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Whole or not at all for a reader; after a power cut it is the next call that writes it again. */
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
    if (!isCheckpointName(part))
      throw new Unable(`${JSON.stringify(part)} cannot be the name of a checkpoint.`)
  }
  return join(repository.dir, 'refs/loop', loop, name)
}

/** Durable once the batch is settled. */
export function addRef(repository: Repository, path: string, id: string): void {
  makeDirectory(repository, dirname(path))
  repository.batch.replace(path, Buffer.from(`${id}\n`))
}
