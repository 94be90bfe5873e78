/**
 * The program that runs the scripts of a package.json: the one that the file names (`packageManager`, `devEngines`),
 * otherwise the owner of the lock file, otherwise npm. Also the command syntax of each.
 */
import { firstOf, type ProjectListing } from './listing.ts'

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** `because` is empty for npm by default. */
export type ScriptRunner = { manager: PackageManager; because: string; doubt: string | null }

const lockFiles: Record<PackageManager, readonly string[]> = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
}
const managers: readonly PackageManager[] = ['pnpm', 'yarn', 'bun', 'npm']

type PackageJson = Readonly<Record<string, unknown>>

export function packageJson(listing: ProjectListing): PackageJson | null {
  const text = listing.text('package.json')
  if (text === '') return null
  try {
    return keysIn(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return null // half-written, or not JSON: its scripts cannot be run either
  }
}

export function keysIn(value: unknown): PackageJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PackageJson) : {}
}

export function scriptRunner(listing: ProjectListing, json: PackageJson): ScriptRunner {
  const named = namedManager(json)
  if (named) return { ...named, doubt: null }
  const found = managers.flatMap(manager => {
    const file = firstOf(listing, lockFiles[manager])
    return file === null ? [] : { manager, because: file }
  })
  const [first, second] = found
  if (!first) return { manager: 'npm', because: '', doubt: null }
  const doubt = second
    ? `${found.map(({ because }) => because).join(' and ')} are both there and package.json names no packageManager: ${first.manager} is taken.`
    : null
  return { ...first, doubt }
}

function namedManager(json: PackageJson): Omit<ScriptRunner, 'doubt'> | null {
  const texts: [string, unknown][] = [
    ['package.json packageManager', json['packageManager']],
    ['package.json devEngines', keysIn(keysIn(json['devEngines'])['packageManager'])['name']],
  ]
  for (const [because, said] of texts) {
    const name = typeof said === 'string' ? said.split('@')[0] : null
    const manager = managers.find(one => one === name)
    if (manager) return { manager, because }
  }
  return null
}

/** `bun test` is Bun's own test runner, so scripts need `bun run`. */
export function runScript({ manager }: ScriptRunner, script: string): string {
  if (script === 'test' && manager !== 'bun') return `${manager} test`
  return `${manager} run ${script}`
}

/** Runs a program that the project has installed, and never downloads one. */
export function runInstalled({ manager }: ScriptRunner, command: string): string {
  const how = { npm: 'npx --no', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx --no-install' } as const
  return `${how[manager]} ${command}`
}
