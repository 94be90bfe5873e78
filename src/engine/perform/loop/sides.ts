/**
 * The two sides of what has changed in the tree since the loop found it: the work, and what judges it (core/trust/side).
 * Texts are those of the tree that the loop found, so that an agent cannot change what they say.
 */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeTexts } from '../../../checkpoints/git/saved-files.ts'
import { isTestFile } from '../../../core/change.ts'
import { below, directoryOf, inTree } from '../../../core/trust/calls.ts'
import { isTable, mayCheck } from '../../../core/trust/checkers.ts'
import { loadedBy } from '../../../core/trust/loaded.ts'
import { isLock, isManifest } from '../../../core/trust/manifest.ts'
import { isOfTests } from '../../../core/trust/own-tests.ts'
import { partsWithin } from '../../../core/trust/parts.ts'
import { productKind } from '../../../core/trust/product-kinds.ts'
import { isKnownJudge, isLooked, isUnread, judgingKind, type SideRules } from '../../../core/trust/side.ts'
import { helping, type TestFacts, testFacts } from '../../../core/trust/test-facts.ts'
import { silences } from '../../../core/trust/tools.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { excerpt } from '../../../store/files/artifact.ts'
import { loopDir, verifyDir } from '../../../store/files/paths.ts'
import { scriptText } from './promise-text.ts'
import type { Task } from './steps.ts'

/** `work`: the changed files that are the work itself. `silenced`: those that keep a tool of the promise from looking. */
/** `isTouched`: something that judges was written while the promise ran. */
export type Sides = { judging: SteeringChange[]; work: string[]; silenced: string[]; isTouched?: boolean }

type Compared = { reference: string; tree: string; rules: SideRules; verifiedAtMs: number }

/** Separates the changed files of the tree into those of the work and those that judge it. */
export async function changedInTree(
  { reference, tree, rules, verifiedAtMs }: Compared,
  task: Task,
): Promise<Result<Sides>> {
  const { world, state } = task
  const { cwd, copy } = state.spec
  const changed = await world.checkpoints(state.spec).changed({ from: reference, to: tree })
  if (!changed.ok) return changed
  if (changed.value.length === 0) return ok({ judging: [], work: [], silenced: [] })
  const saved = await world.copies(copy?.tree ?? cwd).tree.files(reference)
  if (!saved.ok) return saved
  try {
    const failed = baselineOutput(task)
    const before = await textsFor(changed.value, saved.value, rules)
    const promise = state.spec.criteria.map(({ command }) => command ?? '').join('\n')
    const { paths } = saved.value
    const links = await linksIn(saved.value)
    const sides = sidesOf(changed.value, { before, paths, rules, cwd, failed, promise, links })
    const isTouched = paths.some(
      path => isKnownJudge(path, rules) && isWritten(join(cwd, path), verifiedAtMs),
    )
    return ok({ ...sides, isTouched })
  } finally {
    await saved.value.close()
  }
}

function isWritten(file: string, sinceMs: number): boolean {
  return (lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > sinceMs
}

/** Null where there was no baseline, or its output is gone. */
function baselineOutput({ world, state }: Task): string | null {
  if (state.trust.baseline === null) return null
  const root = loopDir(world.store.paths, state.id)
  const texts = state.spec.criteria.map((_, index) => {
    const file = join(root, verifyDir(0, index), 'out')
    if (!existsSync(file)) return null
    const { head, tail } = excerpt(file, 100_000)
    return `${head}\n${tail}`
  })
  return texts.includes(null) ? null : texts.join('\n')
}

type Material = {
  before: Map<string, string | null>
  paths: string[]
  rules: SideRules
  cwd: string
  /** What the promise printed before any agent came. */
  failed: string | null
  promise: string
  links: Link[]
}

/** A symbolic link of the tree, and where it leads to. */
type Link = { from: string; to: string }

async function linksIn({ links, text }: TreeTexts): Promise<Link[]> {
  const own = links.filter(path => !/(?:^|\/)(?:node_modules|\.?venv|vendor)\//.test(path))
  const found: Link[] = []
  for (const from of own.slice(0, mostTexts)) {
    const target = (await text(from)) ?? '/'
    if (!target.startsWith('/')) found.push({ from, to: inTree(below(directoryOf(from), target)) })
  }
  return found
}

/** The names that a file has by links: through one of them it can lie with the tests. */
function namesByLinks(path: string, links: readonly Link[]): string[] {
  return links.flatMap(({ from, to }) =>
    path === to || path.startsWith(`${to}/`) ? `${from}${path.slice(to.length)}` : [],
  )
}

function sidesOf(
  changed: readonly string[],
  { before, paths, rules, cwd, failed, promise, links }: Material,
): Sides {
  const there = new Set(paths)
  const textNow = (path: string) => scriptText(join(cwd, path))
  const facts = testFacts({
    paths,
    before: path => before.get(path) ?? null,
    now: textNow,
    changed,
    scripts: rules.chain.scripts,
    failed,
    promise,
  })
  const sides = changed.map(path => {
    const versions = { before: before.get(path) ?? null, now: textNow(path) }
    const names = namesByLinks(path, links)
    return sideOf({ path, names, isAdded: !there.has(path), ...versions }, { rules, facts, cwd })
  })
  const judging = sides.flatMap(({ judges }) => judges ?? [])
  const settings = judging.flatMap(({ path, kind }) => (kind === 'config' ? (textNow(path) ?? []) : []))
  const isJudging = (path: string) => judging.some(one => one.path === path)
  const loaded = loadedBy(
    settings,
    changed.filter(path => !there.has(path) && !isJudging(path)),
  )
  const work = changed.filter((path, at) => sides[at]?.isWork && !loaded.includes(path))
  const isSilenced = (path: string) => {
    const count = (text: string | null | undefined) => silences(text ?? '', rules.chain.tools)
    return count(textNow(path)) > count(before.get(path))
  }
  const marked = judging.map(one => (isLooked(one, rules.chain) ? { ...one, looked: true as const } : one))
  const lookedAt = marked.flatMap(({ path, looked }) => (looked ? path : []))
  const silenced = rules.chain.isLinted ? [...new Set([...work, ...lookedAt])].filter(isSilenced) : []
  return { judging: [...marked, ...loaded.map(asLoaded)], work, silenced }
}

type Changed = { path: string; names: string[]; isAdded: boolean; before: string | null; now: string | null }
type Side = { judges: SteeringChange | null; isWork: boolean }

/** The side of a file, or of its two parts. */
function sideOf(
  { path, names, isAdded, before, now }: Changed,
  { rules, facts, cwd }: { rules: SideRules; facts: TestFacts; cwd: string },
): Side {
  const kinds = [path, ...names].map(name => judgingKind({ path: name, isAdded }, rules, facts))
  const kind = kinds.find(one => one !== null) ?? null
  if (before !== null && now !== null && mayHaveParts(path, kind, { rules, facts })) {
    const parts = partsWithin(path, { before, now }, isUnread(path, rules))
    if (parts) {
      const part = { path, kind: kind ?? 'test', how: 'changed', part: true } as const
      return { judges: parts.isJudging ? part : null, isWork: parts.isWork }
    }
  }
  // Lock files go with the dependencies that they list.
  if (kind === null || (kind === 'config' && isLock(path))) return { judges: null, isWork: true }
  const isThere = lstatSync(join(cwd, path), { throwIfNoEntry: false }) !== undefined
  const how = isAdded ? 'added' : isThere ? 'changed' : 'deleted'
  const isGuessed = kind === 'script' && ![path, ...names].some(name => rules.chain.scripts.includes(name))
  const unsure = isGuessed || (kind === 'test' && facts.isUnsure(path))
  return { judges: { path, kind, how, ...(unsure && { unsure }) }, isWork: false }
}

/** Manifests, and sources that a promise runs with the tests in them; not a script that judges other code. */
function mayHaveParts(
  path: string,
  kind: SteeringChange['kind'] | null,
  { rules: { chain }, facts }: { rules: SideRules; facts: TestFacts },
): boolean {
  if (kind === 'config' || isManifest(path)) return true
  if (!chain.isRunning || (chain.wantsTests && facts.isGrown(path))) return false
  if (kind === 'script') return !facts.importsWork(path)
  return kind === null && (productKind(path) === 'code' || chain.programs.includes('doctest'))
}

/** The texts that the sides depend on: of the changed files, and of tests and sources where data was changed. */
async function textsFor(
  changed: readonly string[],
  saved: TreeTexts,
  { chain }: SideRules,
): Promise<Map<string, string | null>> {
  const isCode = (path: string) => productKind(path) === 'code'
  const there = new Set(saved.paths)
  const texts = new Map<string, string | null>()
  const read = async (paths: readonly string[]) => {
    for (const path of paths.slice(0, mostTexts))
      if (!texts.has(path)) texts.set(path, there.has(path) ? await saved.text(path) : null)
  }
  await read(changed)
  const isAsked = (path: string) =>
    isCode(path)
      ? !there.has(path) ||
        helping.test(path) ||
        isTable(path, texts.get(path) ?? null) ||
        (chain.isOpaque && mayCheck(path, texts.get(path) ?? null)) ||
        chain.scripts.includes(path) ||
        isOfTests(path, texts.get(path) ?? '')
      : productKind(path) !== null
  if (chain.isRunning && changed.some(path => isAsked(path) && !isTestFile(path))) {
    const isJudge = (path: string) => isTestFile(path) || chain.scripts.includes(path)
    // What judges comes first: in a large repository not all sources are read.
    await read(saved.paths.filter(isJudge))
    await read(saved.paths.filter(path => isCode(path) && !isJudge(path)))
  }
  return texts
}

const mostTexts = 2_000

function asLoaded(path: string): SteeringChange {
  return { path, kind: 'config', how: 'added' }
}

/** Files of which one part judges, as they are in a copy with the work alone (green) or with what judges it (red). */
export async function partsFor(
  which: 'green' | 'red',
  { world, state }: Task,
  rules: SideRules | null,
): Promise<Map<string, string>> {
  const { cwd, copy } = state.spec
  const { reference } = state.tree
  const found = new Map<string, string>()
  const divided = state.trust.changed.filter(({ part }) => part)
  if (divided.length === 0 || reference === null) return found
  const saved = await world.copies(copy?.tree ?? cwd).tree.files(reference)
  if (!saved.ok) return found
  for (const { path } of divided) {
    const [before, now] = [await saved.value.text(path), scriptText(join(cwd, path))]
    if (before === null || now === null) continue
    const parts = partsWithin(path, { before, now }, rules !== null && isUnread(path, rules))
    if (parts) found.set(path, which === 'green' ? parts.workAlone : parts.judgingAlone)
  }
  await saved.value.close()
  return found
}
