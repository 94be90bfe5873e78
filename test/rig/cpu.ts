/** CPU time, for tests that hold an effort to a bound: unlike wall time it does not grow on a loaded machine. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
