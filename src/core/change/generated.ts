/** Recognises files that nobody writes by hand, by name, directory or their own text. */
import type { ChangedFile } from './size.ts'

const lockFiles = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'go.sum',
  'go.work.sum',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pixi.lock',
  'Pipfile.lock',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'pubspec.lock',
  'packages.lock.json',
  'gradle.lockfile',
  'flake.lock',
  'Podfile.lock',
  'Package.resolved',
])

/** At any depth of a path. */
const directories = [
  'node_modules',
  'vendor',
  'dist',
  'coverage',
  '__pycache__',
  '__snapshots__',
  '.next',
  '.nuxt',
]

const names: readonly RegExp[] = [
  /\.min\.(?:js|mjs|cjs|css)$/,
  /\.(?:js|mjs|cjs|css)\.map$/,
  /\.snap$/,
  /\.tsbuildinfo$/,
  /\.pb\.(?:go|cc|h)$/,
  /_pb2(?:_grpc)?\.pyi?$/,
  /_pb\.(?:js|ts|d\.ts|rb)$/,
  /[._](?:generated|gen)\.[A-Za-z]+$/,
  /^zz_generated\b/,
  /\.(?:g|freezed)\.dart$/,
  /\.(?:g|designer)\.cs$/i,
  /^\.pnp\.(?:cjs|loader\.mjs)$/,
]

/** Text in the file: a marker that several tools use, and the line of Go's generators. */
const marks = /@generated\b|\bCode generated .{0,200}\bDO NOT EDIT\b/

/** The reason why a file is not counted; null if it is counted. */
export function generatedWhy({ path, begins = '' }: Pick<ChangedFile, 'path' | 'begins'>): string | null {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if (lockFiles.has(name)) return 'lock file'
  const directory = directories.find(one => parts.includes(one))
  if (directory !== undefined) return `in ${directory}/`
  if (names.some(pattern => pattern.test(name))) return 'generated, by its name'
  return marks.test(begins.slice(0, 2_000)) ? 'generated, by its own words' : null
}
