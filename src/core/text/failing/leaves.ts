/**
 * Failures of tests that contain other tests: a test that fails only because of a test inside it is not
 * counted, so that the count is the number of things to repair.
 */

export type TestResult = { depth: number; failed: boolean }

/** Counts failed leaves; results are in the order in which they ended, inner tests before the outer one. */
export function failedLeaves(results: readonly TestResult[]): number {
  const open: { depth: number; failures: number }[] = []
  for (const { depth, failed } of results) {
    let inside = 0
    for (let last = open.at(-1); last !== undefined && last.depth > depth; last = open.at(-1)) {
      inside += last.failures
      open.pop()
    }
    open.push({ depth, failures: failed ? Math.max(1, inside) : 0 })
  }
  return open.reduce((sum, { failures }) => sum + failures, 0)
}

/** Counts names such as `TestA/b`: `TestA` does not count if `TestA/b` failed too. */
export function failedPaths(names: ReadonlySet<string>): number {
  const holders = new Set<string>()
  for (const name of names) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const holder = name.slice(0, at)
      if (holders.has(holder)) break
      holders.add(holder)
    }
  }
  return [...names].filter(name => !holders.has(name)).length
}
