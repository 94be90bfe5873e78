/**
 * Failures of tests that hold other tests: one that fails only because something inside it fails is not
 * counted, so the count is that of the things to be repaired.
 */

export type TestResult = { depth: number; failed: boolean }

/** The results in the order in which they ended: what is inside before what holds it. */
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

/** Names such as `TestA/b`: `TestA` is not counted when `TestA/b` fails too. */
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
