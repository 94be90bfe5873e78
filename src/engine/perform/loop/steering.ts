/**
 * The files that steer the promise of a loop, at its beginning and now. Files of the tree are compared by checkpoints.
 * Files in no checkpoint (ignored tools, settings in HOME, programs on the PATH) are compared by fingerprints, which
 * are written whenever the tree becomes the reference.
 */
import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  differences,
  type Fingerprints,
  fingerprints,
  type Wanted,
} from '../../../adapters/steering/fingerprints.ts'
import { packageNames, packageSums, packagesTouched } from '../../../adapters/steering/packages.ts'
import type { State } from '../../../core/loop/state.ts'
import { learntFrom, loadedBy } from '../../../core/trust/learn.ts'
import { type SteeringRules, steeringKind, steeringRules } from '../../../core/trust/steering.ts'
import { packageOf, toolsOf } from '../../../core/trust/tools.ts'
import { ok, type Result } from '../../../model/failure.ts'
import { matchesGlob } from '../../../model/glob.ts'
import type { SteeringAllowed, SteeringChange } from '../../../model/loop/trust.ts'
import { steeringFile } from '../../../store/files/paths.ts'
import { inPlaces, namesAtRoot, scriptsIn, scriptText, textBelow } from './promise-text.ts'
import type { Task } from './steps.ts'

/** The recorded facts about the reference tree. Optional fields are missing in files of earlier versions. */
type Found = {
  commands: string[]
  learnt?: string[]
  rootFiles: string[]
  prints: Fingerprints
  /** The packages that were installed, by the directory they are in, and when that was looked at. */
  packages?: Record<string, string[]>
  /** The content of those packages; not of a copy, whose packages stay in it. */
  sums?: Record<string, string>
  atMs?: number
  /** The PATH of promises from here on. */
  path?: string
}

const mostNamed = 40

/** Without checkpoints there is nothing to compare with, and a question to a model changes nothing. */
function isWatched({ spec }: State): boolean {
  return spec.checkpoint !== 'none' && spec.criteria.some(({ command }) => command !== null)
}

/** Called before an agent works in the tree, or after a person has accepted the tree. Returns the checksum of the file. */
export async function recordSteering({ world, state }: Task): Promise<string | null> {
  if (!isWatched(state) || state.tree.reference !== null) return null
  const { cwd, copy } = state.spec
  const rootFiles = namesAtRoot(cwd)
  const { promise, commands } = commandsOf(state, world.env)
  const learnt = learntFrom(commands, textBelow(cwd, world.env))
  const rules = steeringRules({ commands, promise, learnt, rootFiles })
  const all = [...commands, ...learnt]
  const { packages } = toolsOf(rules, all)
  // The packages of a copy are in the tree it is a copy of, as layers of its runs.
  const namesOf = (dir: string) => packageNames(join(copy?.tree ?? cwd, dir))
  // Taken before the packages are read: what is changed meanwhile counts as changed.
  const atMs = world.now()
  const found: Found = {
    commands,
    learnt,
    rootFiles,
    prints: fingerprints(wantedOf(rules, { cwd, env: world.env, commands: all })),
    packages: Object.fromEntries(packages.map(dir => [dir, namesOf(dir)])),
    ...(!copy && { sums: await sumsOf(packages, cwd) }),
    atMs,
    path: world.env['PATH'] ?? '',
  }
  const text = JSON.stringify(found)
  const file = steeringFile(world.store.paths, state.id)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
  return hash('sha256', text)
}

async function sumsOf(directories: string[], tree: string, wanted?: ReadonlySet<string>) {
  const sums: Record<string, string> = {}
  for (const directory of directories)
    Object.assign(
      sums,
      await packageSums(directory, {
        tree,
        packageOf,
        ...(wanted && { wanted: name => wanted.has(name) }),
      }),
    )
  return sums
}

/** A promise runs with the PATH at the beginning of the loop, whoever hosts the loop now. */
export function frozenPath(task: Task): { PATH?: string } {
  const found = readFound(task)
  return found !== null && found !== 'forged' && found.path ? { PATH: found.path } : {}
}

type Steered = { steered: SteeringChange[]; allowed: SteeringAllowed[] }

/** Called only after the promise has passed. `tree`: the tree in which it passed. */
export async function lookForSteering(tree: string, task: Task): Promise<Result<Steered>> {
  const { world, state } = task
  const { reference } = state.tree
  if (!isWatched(state) || reference === null) return ok({ steered: [], allowed: [] })
  const read = readFound(task)
  const found = read === 'forged' ? null : read
  const { cwd } = state.spec
  const { promise, commands: present } = commandsOf(state, world.env)
  const commands = found?.commands ?? present
  const learnt = found ? (found.learnt ?? []) : learntFrom(commands, textBelow(cwd, world.env))
  const rootFiles = found?.rootFiles ?? namesAtRoot(cwd)
  const rules = steeringRules({ commands, promise, learnt, rootFiles })
  const inTree = await changedInTree({ reference, tree, rules }, task)
  if (!inTree.ok) return inTree
  const env = { ...world.env, ...(found?.path && { PATH: found.path }) }
  const outside = found
    ? await changedOutside(found, rules, { cwd, env, commands: [...commands, ...learnt] })
    : []
  return ok(sorted([...(read === 'forged' ? [forged(task)] : []), ...inTree.value, ...outside], state))
}

/** Separates the changes that the user allows from the others; each path is named once. */
function sorted(changes: readonly SteeringChange[], { spec }: State): Steered {
  const { allow = [], allowByWords = [] } = spec
  const byFlag = ({ path }: SteeringChange) => allow.some(glob => matchesGlob(path, glob))
  const byWords = ({ path, kind, how }: SteeringChange) =>
    !(kind === 'test' && how === 'deleted') && allowByWords.some(glob => matchesGlob(path, glob))
  const steered: SteeringChange[] = []
  const allowed: SteeringAllowed[] = []
  const seen = new Set<string>()
  for (const change of changes) {
    const { path } = change
    if (seen.has(path)) continue
    seen.add(path)
    const by = byFlag(change) ? 'flag' : byWords(change) ? 'words' : null
    if (by === null) steered.push(change)
    else allowed.push({ path, by })
  }
  return { steered: steered.slice(0, mostNamed), allowed: allowed.slice(0, mostNamed) }
}

/** Tools, settings and packages that no checkpoint holds. What one holds too is named by it already. */
async function changedOutside(found: Found, rules: SteeringRules, place: Place): Promise<SteeringChange[]> {
  const { cwd } = place
  const drifted = differences(found.prints, wantedOf(rules, place)).map(
    ({ path, how }): SteeringChange => ({
      path: shortened(path, cwd),
      kind: kindOf(path, { rules, cwd }),
      how,
    }),
  )
  const known = drifted.map(({ path }) => packageOf(path))
  const changed = await changedPackages(found, cwd)
  return [...drifted, ...changed.filter(({ path }) => !known.includes(path))]
}

async function changedPackages(
  { packages = {}, sums, atMs = Number.POSITIVE_INFINITY }: Found,
  cwd: string,
): Promise<SteeringChange[]> {
  const touched = Object.entries(packages).flatMap(([dir, names]) => {
    const wasThere = new Set(names)
    return packagesTouched(dir, { tree: cwd, sinceMs: atMs, packageOf }).filter(path => {
      const name = path.slice(dir.length + 1)
      return wasThere.has(name) || name.includes('/')
    })
  })
  const asChange = (path: string, how: 'changed' | 'added'): SteeringChange => ({
    path,
    kind: 'dependency',
    how,
  })
  if (!sums) return touched.map(path => asChange(path, 'changed'))
  const now = await sumsOf(Object.keys(packages), cwd, new Set(touched))
  return touched
    .filter(path => sums[path] === undefined || sums[path] !== now[path])
    .map(path => asChange(path, sums[path] === undefined ? 'added' : 'changed'))
}

type Compared = { reference: string; tree: string; rules: SteeringRules }

/** A new test steers nothing that was there before; new settings and tools do. */
async function changedInTree(
  { reference, tree, rules }: Compared,
  { world, state, signal }: Task,
): Promise<Result<SteeringChange[]>> {
  const { cwd, copy } = state.spec
  const changed = await world.checkpoints(state.spec).changed({ from: reference, to: tree })
  if (!changed.ok) return changed
  const steering = changed.value.filter(path => steeringKind(path, rules) !== null)
  if (steering.length === 0) return ok([])
  const git = world.copies(copy?.tree ?? cwd).tree
  const lines = await git.linesByFile({ from: reference, to: tree, signal })
  if (!lines.ok) return lines
  const added = new Set(lines.value.filter(({ isNew }) => isNew).map(({ path }) => path))
  const found = steering.flatMap((path): SteeringChange[] => {
    const kind = steeringKind(path, rules)
    const isThere = lstatSync(join(cwd, path), { throwIfNoEntry: false }) !== undefined
    const how = added.has(path) ? 'added' : isThere ? 'changed' : 'deleted'
    return kind === null || (how === 'added' && kind === 'test') ? [] : [{ path, kind, how }]
  })
  const settings = found.flatMap(({ path, kind }) =>
    kind === 'config' ? (scriptText(join(cwd, path)) ?? []) : [],
  )
  const moved = await movedTests(found, () => git.renames({ from: reference, to: tree, signal }))
  if (!moved.ok) return moved
  const others = [...added].filter(path => steeringKind(path, rules) === null)
  return ok([...moved.value, ...loadedBy(settings, others).map(asLoaded)])
}

/**
 * A renamed test is not a deleted one: the old file and the new one are compared like a changed test, so the second look
 * runs the tests under their old name on the new sources. Only within a directory: from another one the same text can
 * load other files.
 */
async function movedTests(
  found: SteeringChange[],
  renames: () => Promise<Result<Map<string, string>>>,
): Promise<Result<SteeringChange[]>> {
  const isGone = ({ kind, how }: SteeringChange) => kind === 'test' && how === 'deleted'
  if (!found.some(isGone)) return ok(found)
  const renamed = await renames()
  if (!renamed.ok) return renamed
  return ok(
    found.flatMap((change): SteeringChange[] => {
      const isNewName = ([now, old]: [string, string]) => old === change.path && dirname(now) === dirname(old)
      const [now] = [...renamed.value].find(isNewName) ?? []
      if (!isGone(change) || now === undefined) return [change]
      return [
        { ...change, how: 'renamed' },
        { path: now, kind: 'test', how: 'added' },
      ]
    }),
  )
}

function asLoaded(path: string): SteeringChange {
  return { path, kind: 'config', how: 'added' }
}

/** The commands of the promise, and all that steer it: also the scripts of package.json. */
function commandsOf({ spec }: State, env: NodeJS.ProcessEnv): { promise: string[]; commands: string[] } {
  const inPlace = inPlaces(spec.cwd, env)
  const promise = spec.criteria.flatMap(({ command }) => command ?? []).map(inPlace)
  return { promise, commands: [...promise, ...scriptsIn(spec.cwd).map(inPlace)] }
}

type Place = { cwd: string; env: NodeJS.ProcessEnv; commands: string[] }

function wantedOf(rules: SteeringRules, { cwd, env, commands }: Place): Wanted {
  const { tools, programs, words } = toolsOf(rules, commands)
  // What is compiled is made anew by whoever builds it.
  const isText = (path: string) => !rules.scripts.has(path) || scriptText(resolve(cwd, path)) !== null
  return { tree: cwd, env, tools: tools.filter(isText), programs, words }
}

function kindOf(path: string, { rules, cwd }: { rules: SteeringRules; cwd: string }): SteeringChange['kind'] {
  // A script that is ignored is in every copy as it is now.
  if (rules.scripts.has(shortened(path, cwd))) return 'tool'
  if (path.startsWith(`${cwd}/`)) return steeringKind(shortened(path, cwd), rules) ?? 'tool'
  return /\/(?:\.[\w-]+|config|conf|env|settings|init|properties)[^/]*$/.test(path) ? 'config' : 'tool'
}

function shortened(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

/** Null for a loop that began before there were fingerprints. */
function readFound({ world, state }: Task): Found | 'forged' | null {
  const { steeringSum } = state.tree
  if (steeringSum === null) return null
  try {
    const text = readFileSync(steeringFile(world.store.paths, state.id), 'utf8')
    return hash('sha256', text) === steeringSum ? JSON.parse(text) : 'forged'
  } catch {
    return 'forged'
  }
}

function forged({ world, state }: Task): SteeringChange {
  return { path: steeringFile(world.store.paths, state.id), kind: 'tool', how: 'forged' }
}
