/**
 * The private git directory of one work tree: its layout, its configuration, the environment git runs in.
 * The one idea: git sees only what is written here. No configuration, hook, filter or index of the user's
 * repository is read or run; conversions are off, so that bytes go in and come out as they are.
 * Written by hand instead of `git init`: no templates, no spawn, the same on every version of git.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { type ExecResult, exec } from '../process/exec.ts'

export type GitCall = {
  args: readonly string[]
  input?: Buffer | undefined
  signal?: AbortSignal | undefined
  /** Exit codes that are answers and not failures; 0 alone unless given. */
  codes?: readonly number[]
  /** Another work tree or index than the one of the store. */
  env?: Record<string, string>
}

export type Git = (call: GitCall) => Promise<Result<ExecResult>>

export type GitStore = { tree: string; dir: string; index: string; git: Git }

// fsyncMethod=batch is documented as safe for macOS and Windows alone, and was not faster when measured.
// fsyncObjectFiles is for git before 2.36, which knows no other; newer ones only warn about it.
const config = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	autocrlf = false
	safecrlf = false
	protectHFS = false
	protectNTFS = false
	fsmonitor = false
	untrackedCache = false
	splitIndex = false
	sparseCheckout = false
	logAllRefUpdates = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	compression = 1
	fsyncObjectFiles = true
	fsync = all
	fsyncMethod = fsync
[gc]
	auto = 0
[maintenance]
	auto = false
[submodule]
	recurse = false
[advice]
	addEmbeddedRepo = false
`

const attributes = '* -text -ident -filter !eol !working-tree-encoding\n'

const maxExcludeBytes = 1024 * 1024

export function openGitStore(options: { tree: string; store: string }): GitStore {
  const { tree, store: dir } = options
  const env = environment(tree, dir)
  const git: Git = async call => {
    const result = await exec({
      argv: ['git', ...call.args],
      cwd: tree,
      env: { ...env, ...call.env },
      ...(call.input ? { input: call.input } : {}),
      ...(call.signal ? { signal: call.signal } : {}),
    })
    return (call.codes ?? [0]).includes(result.code ?? -1) ? ok(result) : gitFailed(tree, call, result)
  }
  return { tree, dir, index: join(dir, 'index'), git }
}

/** Makes the directory where it is not there yet, and brings configuration and exclude rules up to date. */
export function prepareGitStore(store: GitStore): void {
  for (const part of ['objects/pack', 'refs/loop', 'info']) {
    mkdirSync(join(store.dir, part), { recursive: true, mode: 0o700 })
  }
  writeWhenDifferent(join(store.dir, 'config'), Buffer.from(config))
  writeWhenDifferent(join(store.dir, 'info/attributes'), Buffer.from(attributes))
  // A copy that stays when the agent removes .git: what was ignored when the loop began stays ignored.
  const exclude = readUserExclude(store.tree)
  if (exclude) writeWhenDifferent(join(store.dir, 'info/exclude'), exclude)
  // Last: git takes the directory for a repository only once HEAD is there.
  writeWhenDifferent(join(store.dir, 'HEAD'), Buffer.from('ref: refs/heads/none\n'))
}

function environment(tree: string, dir: string): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    GIT_DIR: dir,
    GIT_WORK_TREE: tree,
    GIT_INDEX_FILE: join(dir, 'index'),
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
    const next = existsSync(tree) ? 'Install git, or use --checkpoint none.' : 'The directory is gone.'
    return fail('step-failed', `${what} could not be started for ${tree} (${said}). ${next}`)
  }
  const how =
    result.cut === 'flooded' ? 'printed more than can be held' : `exit ${result.code ?? result.signal}`
  const words = `${what} failed for ${tree} (${how}): ${said || 'it said nothing'}.`
  return fail('step-failed', `${words} Nothing of it counts; solve this and resume.`)
}

export function lastLines(text: string): string {
  const lines = text.trim().split('\n')
  return lines
    .filter(line => !line.startsWith('warning: core.fsyncObjectFiles'))
    .slice(-3)
    .join('; ')
}

function writeWhenDifferent(path: string, content: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return
  writeDurably(path, content)
}

/** Whole or not at all, also across a power cut. */
export function writeDurably(path: string, content: Buffer): void {
  // Git passes over names with a leading dot where it lists refs.
  const temporary = join(dirname(path), `.tmp-${process.pid}`)
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  fsyncDirectory(dirname(path))
}

export function fsyncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

export function refPath(store: GitStore, loop: string, name: string): string {
  for (const part of [loop, name]) {
    if (!/^[A-Za-z0-9][\w-]*(\.[\w-]+)*$/.test(part) || part.endsWith('.lock')) {
      throw new Error(`Internal error: ${JSON.stringify(part)} can not be part of the name of a checkpoint`)
    }
  }
  return join(store.dir, 'refs/loop', loop, name)
}

export function writeRef(path: string, tree: string): void {
  const directory = dirname(path)
  if (mkdirSync(directory, { recursive: true, mode: 0o700 })) fsyncDirectory(dirname(directory))
  writeDurably(path, Buffer.from(`${tree}\n`))
}

/** The rules of .git/info/exclude, read as a file: nothing of the user's repository is run. */
function readUserExclude(tree: string): Buffer | null {
  try {
    const path = join(userGitDirectory(tree), 'info/exclude')
    const found = statSync(path)
    return found.isFile() && found.size <= maxExcludeBytes ? readFileSync(path) : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function userGitDirectory(tree: string): string {
  const path = join(tree, '.git')
  if (statSync(path).isDirectory()) return path
  // A linked worktree or a submodule: a file that names the directory, which names the common one.
  const named = /^gitdir: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.trim() ?? '.git'
  const gitDirectory = resolve(tree, named)
  const common = join(gitDirectory, 'commondir')
  return existsSync(common) ? resolve(gitDirectory, readFileSync(common, 'utf8').trim()) : gitDirectory
}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
