/**
 * The ignored files of a tree that were written in a span of time, by their ctime, which only root can set. No checkpoint
 * has them, so that this is how an agent's changes to them are seen. Dependency directories are compared elsewhere;
 * caches and build outputs are written by every run, and are left out of clean copies instead.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { isIgnored, type Rules, rulesIn } from '../../checkpoints/format/ignore-rules.ts'
import { joinPath, locate, readable } from '../../checkpoints/format/path.ts'
import { isDirectory, isRegular } from '../../checkpoints/format/stat.ts'
import { isLoopsOwn } from '../../checkpoints/scan/ignored.ts'
import { type ListedDirectory, listDirectory } from '../../checkpoints/scan/listing.ts'

export type WrittenIn = { sinceMs: number; untilMs: number }

type Walk = WrittenIn & { tree: string; outer: readonly Rules[]; signal: AbortSignal }
type Place = { path: string; stack: readonly Rules[]; ignored: boolean }

const mostEntries = 200_000
const mostFound = 200
const entriesPerBreath = 5_000

const dependencies =
  /^(?:node_modules|\.venv|venv|vendor|site-packages|\.tox|\.nox|\.cargo|\.mvn|\.yarn|\.pnpm-store)$/
const written =
  /^(?:__pycache__|\.(?:pytest|mypy|ruff|hypothesis)_cache|\.cache|\.(?:nyc_output|coverage|eslintcache|stylelintcache|turbo|parcel-cache|vite|next|nuxt|svelte-kit|angular|gradle|idea|vscode|DS_Store)|coverage|htmlcov|dist|build|out|target|obj|bin|tmp|logs?|CMakeFiles|_build)$|\.(?:py[co]|tsbuildinfo|log|tmp|swp|swo|o|obj|a|so|d|class|gcda|gcno|egg-info)$/

export async function ignoredSince({ tree, outer, sinceMs, untilMs, signal }: Walk): Promise<string[]> {
  const found: string[] = []
  const open: Place[] = [{ path: '', stack: outer, ignored: false }]
  let seen = 0
  for (let place = open.pop(); place && seen < mostEntries && found.length < mostFound; place = open.pop()) {
    const entries = listed(tree, place.path)
    if (Math.floor(seen / entriesPerBreath) < Math.floor((seen + entries.length) / entriesPerBreath))
      await breathe()
    signal.throwIfAborted()
    seen += entries.length
    const stack = place.ignored ? place.stack : withRules(tree, place, entries)
    for (const { name, stat } of entries) {
      const path = joinPath(place.path, name)
      const isDir = isDirectory(stat.mode)
      const ignored = place.ignored || isIgnored(stack, path, isDir)
      if (name === '.git' || isLoopsOwn(path) || (ignored && (dependencies.test(name) || written.test(name))))
        continue
      if (isDir) open.push({ path, stack, ignored })
      else if (ignored && stat.ctimeMs > sinceMs && stat.ctimeMs < untilMs) found.push(readable(path))
    }
  }
  return found.sort()
}

export function isDependencies(path: string): boolean {
  return path.split('/').some(part => dependencies.test(part))
}

function listed(tree: string, path: string): ListedDirectory[] {
  try {
    return listDirectory(tree, path)
  } catch {
    return [] // it cannot be listed, so the promise cannot read it either
  }
}

function withRules(
  tree: string,
  { path, stack }: Place,
  entries: readonly ListedDirectory[],
): readonly Rules[] {
  const file = entries.find(({ name, stat }) => name === '.gitignore' && isRegular(stat.mode))
  return file
    ? [...stack, rulesIn(path, readFileSync(locate(tree, joinPath(path, '.gitignore')), 'latin1'))]
    : stack
}
