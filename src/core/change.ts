/**
 * What the paths of changed files tell: the size of a change for a person who reads it, the files that nobody wrote by
 * hand, and those that are tests. Lock files, generated files and vendored code are named but not counted, so that an
 * attempt is not larger just because it installed a package.
 */

/** `begins`: the first lines of the changed file, if known. */
type ChangedFile = { path: string; added: number; removed: number; begins?: string }

type ChangeSize = {
  added: number
  removed: number
  files: number
  notCounted: { path: string; why: string }[]
}

export function changeSize(changed: readonly ChangedFile[]): ChangeSize {
  const judged = changed.map(file => ({ ...file, why: generatedWhy(file) }))
  const counted = judged.filter(({ why }) => why === null)
  return {
    added: counted.reduce((sum, { added }) => sum + added, 0),
    removed: counted.reduce((sum, { removed }) => sum + removed, 0),
    files: counted.length,
    notCounted: judged.flatMap(({ path, why }) => (why === null ? [] : [{ path, why }])),
  }
}

/** Recognises files that nobody writes by hand, by name, directory or their own text. */
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

/**
 * Recognises test files by the conventions of JavaScript, TypeScript, Python, Go, Rust, Java, Kotlin, Ruby, PHP, C#
 * and C++. Only the path is used, so tests inside a source file, as in Rust, are not recognised.
 */

/** Everything in these directories belongs to the tests, including helpers and data. */
const testDirectory = /^(?:tests?|__tests__|__mocks__|__snapshots__|testdata|e2e|cypress)$/i
/** `App.Tests` in C#. */
const testProject = /\.(?:Unit|Integration)?Tests?$/
/** A directory `spec` can contain documents: only code in it counts. */
const specDirectory = /^specs?$/
const specCode = /\.(?:rb|[cm]?[jt]sx?|php)$/

const fileNames: readonly RegExp[] = [
  /[.-](?:test|spec|cy)\.[cm]?[jt]sx?$/,
  /\.(?:test|spec)-d\.ts$/,
  /^(?:test_.*|.*_test|conftest)\.pyi?$/,
  /_test\.go$/,
  /^(?:tests?|.*_tests?)\.rs$/,
  /^(?:Test[A-Z\d].*|.*(?:Test|Tests|TestCase|IT|Spec))\.(?:java|kt|kts|groovy|scala)$/,
  /^(?:.*_(?:spec|test)|test_.*|spec_helper|rails_helper)\.rb$/,
  /^(?:.*(?:Test|TestCase|Cest|Cept)\.php|.*\.phpt)$/,
  /^.*(?:Test|Tests)\.(?:cs|fs|vb)$/,
  /^(?:test_.*|.*_(?:test|unittest))\.(?:c|cc|cpp|cxx)$/,
  /_test\.exs$/,
  /\.snap$/,
]

export function isTestFile(path: string): boolean {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if (parts.some(part => testDirectory.test(part) || testProject.test(part))) return true
  if (specCode.test(name) && parts.some(part => specDirectory.test(part))) return true
  return fileNames.some(pattern => pattern.test(name))
}
