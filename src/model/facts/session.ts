/** Facts about failures: loops inside a session of a person. Their sentences: views/words/failure/session. */
import type { Nothing } from './all.ts'

export type SessionFailures = {
  'not-in-session': { id: string }
  'no-session': Nothing
  'not-claimable': { dir: string }
  'agent-flag-in-session': { flag: string }
  'tree-taken': { id: string; cwd: string }
  'run-under-way': { tree: string; run: string }
  'session-not-background': { id: string }
  'loop-not-session': { id: string }
  'not-a-directory': { path: string }
  'bad-run-name': { name: string }
  'too-many-runs': { path: string }
  'no-loop-in-session': Nothing
  'agent-flag-with-session': { flag: string }
  'session-of-loop': Nothing
}
