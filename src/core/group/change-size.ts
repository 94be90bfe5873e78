/** Lines that a change has, generated files and lock files not counted. */
const generated =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock)$/

export function sizeOfChange(files: readonly { path: string; added: number; removed: number }[]): number {
  return files
    .filter(({ path }) => !generated.test(path))
    .reduce((sum, { added, removed }) => sum + added + removed, 0)
}
