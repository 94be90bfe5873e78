/** Makes one call of the git backend in a process of its own, which a test can kill or starve; prints the result. */
import { callsSoFar } from './kill-at.ts'

export type Call = { tree: string; store: string } & (
  | { take: string; since: string | null }
  | { restore: string; keepAs: string }
)

const { gitCheckpoints } = await import('../../../src/checkpoints/git/backend.ts')
const call: Call = JSON.parse(process.argv[2] ?? '')
const checkpoints = gitCheckpoints(call)
const loop = 'abc123'
const { signal } = new AbortController()
const before = callsSoFar()
const result =
  'take' in call
    ? await checkpoints.take({ loop, name: call.take, since: call.since, signal })
    : await checkpoints.restore({ loop, tree: call.restore, keepAs: call.keepAs })
const calls = callsSoFar() - before
process.stdout.write(`${JSON.stringify({ ...result, calls })}\n`)
