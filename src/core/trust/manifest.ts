/**
 * The two sides of a manifest such as package.json: entries about dependencies and the description of the package go
 * with the work, scripts and settings judge it. Lock files go with the dependencies they list. Pure.
 */
import { baseName } from './commands.ts'

/** `merged`: both sides changed; the text as it was found, with the entries of the work as they are now. */
type ManifestChange = { is: 'work' | 'judging' } | { is: 'both'; merged: string }

const locks =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock|requirements.*\.(?:txt|in))$/

/** A list of exact versions, which goes with the dependencies. */
export function isLock(path: string): boolean {
  return locks.test(baseName(path))
}

/** A list of what a project needs, with settings of its tools beside. */
export function isManifest(path: string): boolean {
  return /^(?:package\.json|composer\.json|go\.mod|Cargo\.toml|pyproject\.toml)$/.test(baseName(path))
}

/** Null: it is no manifest. */
export function manifestChange(path: string, before: string, now: string): ManifestChange | null {
  const name = baseName(path)
  if (locks.test(name)) return { is: 'work' }
  if (name === 'package.json' || name === 'composer.json') return jsonChange(before, now)
  if (name === 'go.mod') return { is: directives(before) === directives(now) ? 'work' : 'judging' }
  if (name === 'Cargo.toml' || name === 'pyproject.toml') return { is: tomlChange(before, now) }
  return null
}

const describing =
  /^(?:(?:dev|peer|optional|bundled?)?[dD]ependencies|require(?:-dev)?|name|version|description|keywords|homepage|bugs|license|licenses|author|authors|contributors|maintainers|funding|repository|main|module|browser|types|typings|exports|bin|man|files|private|sideEffects|engines|support)$/

/** Of a package.json whose scripts nobody runs: where the imports of the tests lead is all that judges in it. */
export function mapsChange(path: string, before: string, now: string): ManifestChange | null {
  return baseName(path) === 'package.json' ? jsonChange(before, now, /^(?!(?:imports|type)$)/) : null
}

function jsonChange(before: string, now: string, workKeys = describing): ManifestChange {
  try {
    const [old, fresh] = [JSON.parse(before), JSON.parse(now)] as [Entries, Entries]
    const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    const changed = keys.filter(key => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]))
    if (changed.every(key => workKeys.test(key))) return { is: 'work' }
    if (!changed.some(key => workKeys.test(key))) return { is: 'judging' }
    const merged = { ...old }
    for (const key of changed.filter(one => workKeys.test(one))) {
      if (fresh[key] === undefined) delete merged[key]
      else merged[key] = fresh[key]
    }
    return { is: 'both', merged: `${JSON.stringify(merged, null, 2)}\n` }
  } catch {
    return { is: 'judging' } // one of the two is broken
  }
}

type Entries = Record<string, unknown>

/** The lines of go.mod that send imports or tools elsewhere. */
function directives(text: string): string {
  return text
    .split('\n')
    .filter(line => /^\s*(?:replace|exclude|retract|tool|toolchain|godebug|module)\b|=>/.test(line))
    .join('\n')
}

const workTables =
  /^(?:(?:dev-|build-)?dependencies|workspace\.dependencies|target\..*dependencies|project\.(?:optional-dependencies|urls|scripts)|dependency-groups|tool\.poetry(?:\..*)?dependencies)$/
const describingKeys =
  /^\s*(?:name|version|description|readme|license|authors?|maintainers|keywords|classifiers|homepage|repository|documentation|dependencies|requires-python|edition|rust-version|urls)\s*=/

/** By tables: in `[package]` and `[project]` only keys that describe go with the work. */
function tomlChange(before: string, now: string): 'work' | 'judging' {
  const [old, fresh] = [tablesOf(before), tablesOf(now)]
  const names = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    name => old.get(name) !== fresh.get(name),
  )
  const isWork = (name: string) => {
    if (workTables.test(name)) return true
    if (name !== 'package' && name !== 'project') return false
    const others = (text = '') =>
      text.split('\n').filter(line => line.trim() !== '' && !describingKeys.test(line))
    // Lines of a list belong to the key before them, which this does not follow: any other line has to be the same.
    const listed = (line: string) => /^\s*(?:["'].*["'],?|\])\s*$/.test(line)
    const rest = (text?: string) =>
      others(text)
        .filter(line => !listed(line))
        .join('\n')
    return rest(old.get(name)) === rest(fresh.get(name))
  }
  return names.every(isWork) ? 'work' : 'judging'
}

function tablesOf(text: string): Map<string, string> {
  const tables = new Map<string, string>()
  let name = ''
  for (const line of text.split('\n')) {
    const header = /^\s*\[+([^\]]+)\]+\s*(?:#.*)?$/.exec(line)?.[1]
    if (header !== undefined) name = header.trim()
    else if (line.trim() !== '') tables.set(name, `${tables.get(name) ?? ''}${line.trim()}\n`)
  }
  return tables
}
