/**
 * Fingerprints of files that steer a promise and are in no checkpoint: programs on the PATH, settings in HOME, and
 * ignored tools of the project (node_modules, .venv). They are taken when the loop begins and compared before a verdict
 * counts. A file with the same size and times is the same file, because only root can set its ctime; otherwise its
 * content is compared. The number of files and bytes is bounded.
 */
import { hash } from 'node:crypto'
import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { type PathPrograms, pathChanges, programsOnPath } from './path-programs.ts'

/** Null for a missing file. `sum` is null for a file that is too large to read. */
type Print = { size: number; mtimeMs: number; ctimeMs: number; ino: number; sum: string | null } | null

export type Fingerprints = {
  files: Record<string, Print>
  /** The path of each program. */
  programs: Record<string, string | null>
  /** All programs on the PATH. */
  onPath: PathPrograms
}

/** `tools`: files and directories of the tree, or absolute paths. `words`: words of the commands that may name a program. */
export type Wanted = {
  tree: string
  tools: string[]
  programs: string[]
  words: string[]
  isSetting(name: string): boolean
  env: NodeJS.ProcessEnv
}

const mostFiles = 6_000
const mostBytes = 4 * 1024 * 1024

const homeFiles = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.gitconfig',
  '.config/git/config',
  '.config/pip/pip.conf',
  '.pip/pip.conf',
  '.pydistutils.cfg',
  '.cargo/config',
  '.cargo/config.toml',
  '.config/go/env',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.gradle/init.gradle',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshenv',
]

export function fingerprints(wanted: Wanted): Fingerprints {
  const { env } = wanted
  const paths = [
    ...(env['HOME'] ? homeFiles.map(name => join(env['HOME'] ?? '', name)) : []),
    ...listed(wanted),
  ].slice(0, mostFiles)
  const programs = Object.fromEntries(wanted.programs.map(name => [name, onPath(name, env)]))
  const found = Object.values(programs).filter(path => path !== null)
  const files = Object.fromEntries(
    [...paths, ...found, ...targetsOf(wanted), ...installedIn(env['HOME'])].map(path => [
      path,
      printOf(path),
    ]),
  )
  return { files, programs, onPath: programsOnPath(env['PATH'] ?? '') }
}

/**
 * The existing files in directories to which files can be added: directories of tools, and those that Python loads at
 * its start.
 */
function listed(wanted: Wanted): string[] {
  const { tree, tools, words, env } = wanted
  const inTree = tools.flatMap(tool => filesBelow(resolve(tree, tool)))
  const { HOME: home } = env
  const own = home ? settingsIn(home, words) : []
  return [...settingsAbove(wanted), ...inTree, ...startFiles(home), ...own].slice(0, mostFiles)
}

/** What programs write for themselves, and not to be told something. */
const ownNotes = /history|cache|session|\.log$|lock$|hst$/i

/** Files of HOME and of ~/.config that are named after a word of the commands: `.proverc`, `.jq`, `.bash_login`. */
function settingsIn(home: string, words: readonly string[]): string[] {
  const isMeant = (name: string) => {
    const plain = name.replace(/^\./, '')
    const isOf = (word: string) =>
      plain.startsWith(word) && /^(?:$|[^a-z]|rc|config)/.test(plain.slice(word.length))
    return !ownNotes.test(plain) && words.some(word => word.length > 1 && isOf(word))
  }
  const own = (entriesOf(home) ?? []).filter(({ name }) => name.startsWith('.') && isMeant(name))
  const config = join(home, '.config')
  const shared = (entriesOf(config) ?? []).filter(({ name }) => isMeant(name))
  return [
    ...own.filter(entry => !entry.isDirectory()).map(({ name }) => join(home, name)),
    ...shared.flatMap(({ name }) =>
      (entriesOf(join(config, name)) ?? [{ name: '' }]).map(entry => join(config, name, entry.name)),
    ),
  ]
}

/** The caches of these programs in HOME with a file that was written in a span of time. */
export function cachesWritten(
  programs: readonly string[],
  home: string | undefined,
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
): string[] {
  const roots = home ? ['.cache', '.local/state', '.local/share'].map(name => join(home, name)) : []
  const isWritten = (path: string) => {
    const ctimeMs = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0
    return ctimeMs > sinceMs && ctimeMs < untilMs
  }
  return roots
    .flatMap(root => programs.map(program => join(root, program)))
    .filter(path => entriesOf(path)?.length !== 0 && filesBelow(path).some(isWritten))
}

function sitesOf(home: string | undefined): string[] {
  if (!home) return []
  const lib = join(home, '.local', 'lib')
  return (entriesOf(lib) ?? [])
    .filter(({ name }) => name.startsWith('python'))
    .map(({ name }) => join(lib, name, 'site-packages'))
}

function startFiles(home: string | undefined): string[] {
  return sitesOf(home).flatMap(site =>
    (entriesOf(site) ?? [])
      .filter(({ name }) => /\.pth$|^(?:site|user)customize\.py$|-info$/.test(name))
      // Plugins of a runner are loaded because a package says so here.
      .map(({ name }) => join(site, name, name.endsWith('-info') ? 'entry_points.txt' : '')),
  )
}

/** What the programs that the commands name are links to: a link stays as it is when its target changes. */
function targetsOf({ words, env }: Wanted): string[] {
  return [...new Set(words)].flatMap(word => {
    const path = onPath(word, env)
    if (path === null || lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return []
    try {
      return realpathSync(path)
    } catch {
      return [] // the link leads nowhere
    }
  })
}

/** Settings of the tools in the directories above the tree, which are searched upwards. */
function settingsAbove({ tree, isSetting }: Wanted): string[] {
  const above: string[] = []
  for (let next = dirname(tree); next !== dirname(next); next = dirname(next)) above.push(next)
  return above.flatMap(directory =>
    (entriesOf(directory) ?? [])
      .filter(entry => !entry.isDirectory() && isSetting(entry.name))
      .map(({ name }) => join(directory, name)),
  )
}

/** The packages of the user's own Python, by the file that each begins with. */
function installedIn(home: string | undefined): string[] {
  return sitesOf(home)
    .flatMap(site =>
      (entriesOf(site) ?? []).map(entry => join(site, entry.name, entry.isDirectory() ? '__init__.py' : '')),
    )
    .filter(path => /\.py\/?$/.test(path))
    .slice(0, mostFiles)
}

type Drift = { path: string; how: 'changed' | 'deleted' | 'added' }

/** The files that differ, and the programs that are now found at another path. */
export function differences(before: Fingerprints, wanted: Wanted): Drift[] {
  const known = Object.entries(before.files).flatMap(([path, print]): Drift[] => {
    const how = compare(print, path)
    return how ? [{ path, how }] : []
  })
  const fresh = listed(wanted).filter(path => !Object.hasOwn(before.files, path) && isRun(path, wanted))
  const shadowed = Object.entries(before.programs).flatMap(([name, path]): Drift[] => {
    const now = onPath(name, wanted.env)
    return now !== null && now !== path ? [{ path: now, how: 'added' }] : []
  })
  const around = pathChanges(before.onPath, wanted.words)
  return [...known, ...fresh.map(path => ({ path, how: 'added' as const })), ...shadowed, ...around]
}

/** An executable of a package runs only if a command names it, or if it hides another program. */
function isRun(path: string, { words, env }: Wanted): boolean {
  if (!/\/(?:\.bin|bin)\/[^/]+$/.test(path)) return true
  return words.includes(basename(path)) || onPath(basename(path), env) !== null
}

function compare(before: Print, path: string): Drift['how'] | null {
  const now = statOf(path)
  if (before === null) return now === null ? null : 'added'
  if (now === null) return 'deleted'
  const isUntouched = (['size', 'mtimeMs', 'ctimeMs', 'ino'] as const).every(key => now[key] === before[key])
  if (isUntouched) return null
  return before.sum !== null && before.sum === sumOf(path, now.size) ? null : 'changed'
}

function printOf(path: string): Print {
  const stat = statOf(path)
  return stat && { ...stat, sum: sumOf(path, stat.size) }
}

function statOf(path: string): Omit<NonNullable<Print>, 'sum'> | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return null
  const { size, mtimeMs, ctimeMs, ino } = stat
  return { size, mtimeMs, ctimeMs, ino }
}

function sumOf(path: string, size: number): string | null {
  if (size > mostBytes) return null
  try {
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return `link:${readlinkSync(path)}`
    return stat.isFile() ? hash('sha256', readFileSync(path)) : null
  } catch {
    return null // gone or unreadable between two looks: the next comparison reports it
  }
}

/** The paths of all files below a directory, without following links; of a file, the file itself. */
function filesBelow(path: string): string[] {
  const found: string[] = []
  const open = [path]
  for (let next = open.pop(); next !== undefined && found.length < mostFiles; next = open.pop()) {
    const entries = entriesOf(next)
    if (entries === null) found.push(next)
    for (const entry of entries ?? []) {
      const at = join(next, entry.name)
      if (entry.isDirectory()) open.push(at)
      else found.push(at)
    }
  }
  return found.sort()
}

/** Null if it is no directory. An unreadable directory counts as empty: a promise cannot use it either. */
function entriesOf(path: string): Dirent[] | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return null
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

export function onPath(name: string, env: NodeJS.ProcessEnv): string | null {
  for (const dir of (env['PATH'] ?? '').split(delimiter)) {
    if (dir === '') continue
    const path = join(dir, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not here: the next directory may have it.
    }
  }
  return null
}
