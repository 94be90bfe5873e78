/**
 * `npm run bench [-- name…]`: each benchmark prints a table of its figures side by side with those of the tool that
 * people would use instead, as ratios of one run. Speed is reported here; no test asserts it. `trust-sets <dir>` runs
 * only by name: it needs public repositories and takes its own arguments.
 */

import { checkpoint } from './checkpoint.ts'
import { cli } from './cli.ts'
import { daemon } from './daemon.ts'
import { groups } from './groups.ts'
import { hook } from './hook.ts'
import { iteration } from './iteration.ts'
import { output } from './output.ts'
import { trust } from './trust.ts'
import { trustSets } from './trust-sets.ts'
import { watch } from './watch.ts'
import { web } from './web.ts'

const benchmarks: Record<string, () => Promise<void>> = {
  iteration,
  checkpoint,
  cli,
  daemon,
  output,
  hook,
  groups,
  trust,
  watch,
  web,
}
const asked = process.argv.slice(2)
if (asked[0] === 'trust-sets') {
  await trustSets(asked.slice(1))
  process.exit()
}
const unknown = asked.find(name => !Object.hasOwn(benchmarks, name))
if (unknown) {
  console.error(
    `There is no benchmark ${unknown}. There are: ${Object.keys(benchmarks).join(', ')}, trust-sets`,
  )
  process.exit(4)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n## ${name}`)
  await run()
}
