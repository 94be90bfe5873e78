/**
 * The files that steer the promise of a loop, at its beginning and now. Files of the tree are compared by checkpoints.
 * Files in no checkpoint (ignored tools, settings in HOME, programs on the PATH) are compared by fingerprints, which
 * are written whenever the tree becomes the reference.
 */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  cachesWritten,
  differences,
  type Fingerprints,
  fingerprints,
  type Wanted,
} from '../../../adapters/steering/fingerprints.ts'
import { type GitState, gitChanges, gitState } from '../../../adapters/steering/git-state.ts'
import { packageNames, packageSums, packagesTouched } from '../../../adapters/steering/packages.ts'
import type { State } from '../../../core/loop/state.ts'
import { type Chain, chainOf } from '../../../core/trust/chain.ts'
import { judgingKind, rulesOf, type SideRules, settingKind } from '../../../core/trust/side.ts'
import { noFacts } from '../../../core/trust/test-facts.ts'
import { packageOf, toolsOf } from '../../../core/trust/tools.ts'
import { ok, type Result } from '../../../model/failure.ts'
import { matchesGlob } from '../../../model/glob.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { steeringFile } from '../../../store/files/paths.ts'
import { inPlaces, namesAtRoot, readingOf, scriptText } from './promise-text.ts'
import { changedInTree, type Sides } from './sides.ts'
import type { Task } from './steps.ts'

/** The recorded facts about the reference tree. */
type Found = {
  chain: Chain
  rootFiles: string[]
  prints: Fingerprints
  /** What a promise that runs git sees of the repository besides its files. */
  git?: GitState
  /** The packages that were installed, by the directory they are in, and when that was looked at. */
  packages: Record<string, string[]>
  /** The content of those packages; not of a copy, whose packages stay in it. */
  sums?: Record<string, string>
  atMs: number
  /** The PATH of promises from here on. */
  path: string
}

/** A second look puts each of them back: far more than people are shown. */
const mostNamed = 2_000

/** Without checkpoints there is nothing to compare with, and a question to a model changes nothing. */
function isWatched({ spec }: State): boolean {
  return spec.checkpoint !== 'none' && spec.criteria.some(({ command }) => command !== null)
}

/** Called before an agent works in the tree, or after a person has accepted the tree. Returns the checksum of the file. */
export async function recordSteering({ world, state }: Task): Promise<string | null> {
  if (!isWatched(state) || state.tree.reference !== null) return null
  const { cwd, copy } = state.spec
  const rootFiles = namesAtRoot(cwd)
  const chain = chainNow(state, world.env)
  const rules = rulesOf(chain, rootFiles)
  const { packages } = toolsOf(rules)
  // The packages of a copy are in the tree it is a copy of, as layers of its runs.
  const namesOf = (dir: string) => packageNames(join(copy?.tree ?? cwd, dir))
  // Taken before the packages are read: what is changed meanwhile counts as changed.
  const atMs = world.now()
  const found: Found = {
    chain,
    rootFiles,
    prints: fingerprints(wantedOf(rules, { cwd, env: world.env })),
    ...(chain.programs.includes('git') && { git: await gitState(cwd) }),
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

/** When the reference tree was looked at; null if that is not known. */
export function begunAt(task: Task): number | null {
  const found = readFound(task)
  return found === null || found === 'forged' ? null : found.atMs
}

export function rulesAtBegin(task: Task): SideRules | null {
  const found = readFound(task)
  return found === null || found === 'forged' ? null : rulesOf(found.chain, found.rootFiles)
}

/** A promise runs with the PATH at the beginning of the loop, whoever hosts the loop now. */
export function frozenPath(task: Task): { PATH?: string } {
  const found = readFound(task)
  return found !== null && found !== 'forged' && found.path ? { PATH: found.path } : {}
}

/** `product`: how many files of the work itself were changed; null if nothing is compared. */
type Steered = {
  steered: SteeringChange[]
  /** There are more than can be listed. */
  isCut?: true
  allowed: string[]
  silenced?: string[]
  product: number | null
  /** Caches or build outputs were written before the promise ran. */
  hasLeftovers?: true
}

/** Called only after the promise has passed. `tree`: the tree in which it passed, from `verifiedAtMs` on. */
export async function lookForSteering(
  { tree, verifiedAtMs }: { tree: string; verifiedAtMs: number },
  task: Task,
): Promise<Result<Steered>> {
  const { world, state } = task
  const { reference } = state.tree
  if (!isWatched(state) || reference === null) return ok({ steered: [], allowed: [], product: null })
  const read = readFound(task)
  const found = read === 'forged' ? null : read
  const { cwd } = state.spec
  const rules = rulesOf(found?.chain ?? chainNow(state, world.env), found?.rootFiles ?? namesAtRoot(cwd))
  const inTree = await changedInTree({ reference, tree, rules, verifiedAtMs }, task)
  if (!inTree.ok) return inTree
  const env = { ...world.env, ...(found?.path && { PATH: found.path }) }
  const outside = found ? await changedOutside(found, rules, { cwd, env }) : []
  const { caches } = toolsOf(rules)
  const span = { sinceMs: found?.atMs ?? verifiedAtMs, untilMs: verifiedAtMs - clockTickMs }
  const ignored = state.spec.copy
    ? { files: [], hasLeftovers: false }
    : await world.copies(cwd).ignoredSince({ ...span, signal: task.signal })
  const judging = [
    ...(read === 'forged' ? [forged(task)] : []),
    ...inTree.value.judging,
    ...outside.filter(({ path }) => !inTree.value.work.includes(path)),
    ...cachesWritten(caches, world.env['HOME'], span).map(
      (path): SteeringChange => ({ path, kind: 'ignored', how: 'changed', unsure: true }),
    ),
    ...ignored.files
      .filter(path => !isScript(path, rules))
      .map((path): SteeringChange => ({ path, kind: 'ignored', how: 'changed' })),
  ]
  // What the run itself has written has to be looked at, however long it takes.
  const hasLeftovers = ignored.hasLeftovers || inTree.value.isTouched === true
  return ok({ ...sorted({ ...inTree.value, judging }, state), ...(hasLeftovers && { hasLeftovers }) })
}

/** A file system takes its times from a clock that stands still for some milliseconds. */
const clockTickMs = 10

/** An ignored script of the promise has a fingerprint. */
function isScript(path: string, { chain }: SideRules): boolean {
  return chain.scripts.includes(path)
}

/** What `--allow` names is the work; what the prompt names is marked. Each path is listed once. */
function sorted({ judging, work, silenced }: Sides, { spec }: State): Steered {
  const { allow = [], namedByWords = [] } = spec
  const isNamed = (path: string) => namedByWords.some(glob => matchesGlob(path, glob))
  const once = new Map(judging.toReversed().map(change => [change.path, change]))
  const listed = [...once.values()].toReversed()
  const isAllowed = ({ path }: SteeringChange) => allow.some(glob => matchesGlob(path, glob))
  const allowed = listed.filter(isAllowed).map(({ path }) => path)
  const steered = listed
    .filter(change => !isAllowed(change))
    .map(change => (isNamed(change.path) ? { ...change, named: true as const } : change))
  return {
    steered: steered.slice(0, mostNamed),
    ...(steered.length > mostNamed && { isCut: true }),
    allowed: allowed.slice(0, mostNamed),
    ...(silenced.length > 0 && { silenced: silenced.slice(0, mostNamed) }),
    product: work.length + allowed.filter(path => !work.includes(path)).length,
  }
}

/** Tools, settings and packages that no checkpoint holds. What one holds too is named by it already. */
async function changedOutside(found: Found, rules: SideRules, place: Place): Promise<SteeringChange[]> {
  const { cwd } = place
  const drifted = differences(found.prints, wantedOf(rules, place)).map(
    ({ path, how }): SteeringChange => ({
      path: shortened(path, cwd),
      kind: kindOf(path, { rules, cwd }),
      how,
      ...(isLookedFor(path, rules, cwd) && { unsure: true as const }),
    }),
  )
  const known = drifted.map(({ path }) => packageOf(path))
  const changed = await changedPackages(found, cwd)
  const git = found.git ? gitChanges(found.git, await gitState(cwd)) : []
  const repository = git.map(
    ({ path, isNew }): SteeringChange =>
      isNew ? { path, kind: 'tool', how: 'added', unsure: true } : { path, kind: 'tool', how: 'changed' },
  )
  return [...drifted, ...repository, ...changed.filter(({ path }) => !known.includes(path))]
}

/** A file outside of the tree that a command only looks for can be what the work writes, or what spares a run. */
function isLookedFor(path: string, { chain }: SideRules, cwd: string): boolean {
  return chain.inspected.some(one => resolve(cwd, one) === path)
}

async function changedPackages({ packages, sums, atMs }: Found, cwd: string): Promise<SteeringChange[]> {
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

/** What the commands of the promise run and look at, as the files of the tree are now. */
function chainNow({ spec }: State, env: NodeJS.ProcessEnv): Chain {
  const inPlace = inPlaces(spec.cwd, env)
  const promise = spec.criteria.flatMap(({ command }) => command ?? []).map(inPlace)
  return chainOf(promise, readingOf(spec.cwd, env))
}

type Place = { cwd: string; env: NodeJS.ProcessEnv }

function wantedOf(rules: SideRules, { cwd, env }: Place): Wanted {
  const { tools, programs, words } = toolsOf(rules)
  // What is compiled is made anew by whoever builds it.
  const isText = (path: string) =>
    !rules.chain.scripts.includes(path) || scriptText(resolve(cwd, path)) !== null
  const isSetting = (name: string) => settingKind(name, rules) === 'config'
  return { tree: cwd, env, tools: tools.filter(isText), programs, words, isSetting }
}

function kindOf(path: string, { rules, cwd }: { rules: SideRules; cwd: string }): SteeringChange['kind'] {
  // A script that is ignored is in every copy as it is now.
  if (rules.chain.scripts.includes(shortened(path, cwd))) return 'tool'
  if (path.startsWith(`${cwd}/`))
    return judgingKind({ path: shortened(path, cwd), isAdded: false }, rules, noFacts) ?? 'tool'
  return /\/(?:\.[\w-]+|config|conf|env|settings|init|properties)[^/]*$/.test(path) ? 'config' : 'tool'
}

function shortened(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

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
