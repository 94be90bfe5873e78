/**
 * How many tests fail, from what a test runner printed. Null when no runner is recognised: then nothing is
 * said. Knows node:test (spec and TAP) and plain TAP so far; a runner is one row.
 */

const runners: readonly ((text: string) => number | null)[] = [nodeTest, tap]

export function failingCount(text: string): number | null {
  for (const read of runners) {
    const count = read(text)
    if (count !== null) return count
  }
  return null
}

function nodeTest(text: string): number | null {
  if (!/^[#ℹ] tests \d+$/m.test(text)) return null
  const failed = /^[#ℹ] fail (\d+)$/m.exec(text)?.[1]
  return failed === undefined ? null : Number(failed)
}

function tap(text: string): number | null {
  if (!/^(TAP version \d+|1\.\.\d+)$/m.test(text)) return null
  return text.match(/^not ok\b(?!.*#\s*(?:TODO|SKIP)\b)/gim)?.length ?? 0
}
