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
