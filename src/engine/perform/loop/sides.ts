/**
 * The two sides of what has changed in the tree since the loop found it: the work, and what judges it (core/trust/side).
 * Texts are those of the tree that the loop found, so that an agent cannot change what they say.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeTexts } from '../../../checkpoints/git/tree-texts.ts'
import { isTestFile } from '../../../core/change/test-file.ts'
import { loadedBy } from '../../../core/trust/loaded.ts'
import { manifestChange } from '../../../core/trust/manifest.ts'
import { productKind } from '../../../core/trust/product-kinds.ts'
import { judgingKind, type SideRules } from '../../../core/trust/side.ts'
import { helping, testFacts } from '../../../core/trust/test-facts.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { scriptText } from './promise-text.ts'
import type { Task } from './steps.ts'

/** `work`: the changed files that are the work itself. */
export type Sides = { judging: SteeringChange[]; work: string[] }

type Compared = { reference: string; tree: string; rules: SideRules }

/** Separates the changed files of the tree into those of the work and those that judge it. */
export async function changedInTree(
  { reference, tree, rules }: Compared,
  { world, state }: Task,
): Promise<Result<Sides>> {
  const { cwd, copy } = state.spec
  const changed = await world.checkpoints(state.spec).changed({ from: reference, to: tree })
  if (!changed.ok) return changed
  if (changed.value.length === 0) return ok({ judging: [], work: [] })
  const saved = await world.copies(copy?.tree ?? cwd).tree.files(reference)
  if (!saved.ok) return saved
  try {
    const before = await textsFor(changed.value, saved.value, rules)
    return ok(sidesOf(changed.value, { before, paths: saved.value.paths, rules, cwd }))
  } finally {
    await saved.value.close()
  }
}

type Material = { before: Map<string, string | null>; paths: string[]; rules: SideRules; cwd: string }

function sidesOf(changed: readonly string[], { before, paths, rules, cwd }: Material): Sides {
  const there = new Set(paths)
  const textNow = (path: string) => scriptText(join(cwd, path))
  const facts = testFacts({
    paths,
    before: path => before.get(path) ?? null,
    now: textNow,
    changed,
    scripts: rules.chain.scripts,
  })
  const judging = changed.flatMap((path): SteeringChange[] => {
    const isAdded = !there.has(path)
    const kind = judgingKind({ path, isAdded }, rules, facts)
    if (kind === null) return []
    const manifest = kind === 'config' ? manifestChange(path, before.get(path) ?? null, textNow(path)) : null
    if (manifest?.is === 'work') return []
    const isThere = lstatSync(join(cwd, path), { throwIfNoEntry: false }) !== undefined
    return [{ path, kind, how: isAdded ? 'added' : isThere ? 'changed' : 'deleted' }]
  })
  const settings = judging.flatMap(({ path, kind }) => (kind === 'config' ? (textNow(path) ?? []) : []))
  const others = changed.filter(path => !there.has(path) && !judging.some(one => one.path === path))
  const loaded = loadedBy(settings, others)
  const all = [...judging, ...loaded.map(asLoaded)]
  return { judging: all, work: changed.filter(path => !all.some(one => one.path === path)) }
}

/** The texts that the sides depend on: of the changed files, and of tests and sources where data was changed. */
async function textsFor(
  changed: readonly string[],
  saved: TreeTexts,
  { chain }: SideRules,
): Promise<Map<string, string | null>> {
  const isCode = (path: string) => productKind(path) === 'code'
  const there = new Set(saved.paths)
  const isAsked = (path: string) =>
    isCode(path)
      ? !there.has(path) || helping.test(path) || chain.scripts.includes(path)
      : productKind(path) !== null
  const needsAll = chain.isRunning && changed.some(path => isAsked(path) && !isTestFile(path))
  const others = needsAll
    ? saved.paths.filter(path => isCode(path) || isTestFile(path) || chain.scripts.includes(path))
    : []
  const texts = new Map<string, string | null>()
  for (const path of [...changed.slice(0, mostTexts), ...others.slice(0, mostTexts)])
    if (!texts.has(path)) texts.set(path, await saved.text(path))
  return texts
}

const mostTexts = 2_000

function asLoaded(path: string): SteeringChange {
  return { path, kind: 'config', how: 'added' }
}

/** Manifests of which both sides changed: the text as it was found, with the dependencies as they are now. */
export async function mergedManifests({ world, state }: Task): Promise<Map<string, string>> {
  const { cwd, copy } = state.spec
  const { reference } = state.tree
  const found = new Map<string, string>()
  const settings = state.trust.changed.filter(({ kind, path }) => kind === 'config' && !path.startsWith('/'))
  if (settings.length === 0 || reference === null) return found
  const saved = await world.copies(copy?.tree ?? cwd).tree.files(reference)
  if (!saved.ok) return found
  for (const { path } of settings) {
    const change = manifestChange(path, await saved.value.text(path), scriptText(join(cwd, path)))
    if (change?.is === 'both') found.set(path, change.merged)
  }
  await saved.value.close()
  return found
}
