/**
 * Makes a copy in a process of its own and prints the result: `make-copy.ts ROOT NAME [BASE]`. For tests that kill it
 * half-way ($LOOP_FAULT), and for tests that need another containment ($LOOP_CONTAIN) or another user.
 */
import { join } from 'node:path'
import { localCopies } from '../../../src/adapters/workcopies/local.ts'
import { faultFrom } from '../../../src/engine/fault.ts'

const [root = '', name = '', base = null] = process.argv.slice(2)
const all = localCopies({
  tree: join(root, 'tree'),
  store: join(root, 'store'),
  copies: join(root, 'cache/copies'),
  templates: join(root, 'cache/templates'),
  env: process.env,
  fault: faultFrom(process.env),
})
const seen: string[] = []
const progress = ({ path, done, of }: { path: string; done: number; of: number }) => {
  seen.push(`${path} ${done}/${of}`)
}
const made = await all.make({ loop: 'abc123', name, base, signal: new AbortController().signal, progress })
process.stdout.write(JSON.stringify({ made, seen }))
