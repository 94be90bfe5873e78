/** Facts about failures: loopd, its socket and its API. Their sentences: views/words/failure/daemon. */
import type { Facts, Nothing } from './all.ts'

export type DaemonFailures = {
  'no-page': { why: string | null }
  'daemon-unreachable': { socket: string; why: string }
  'socket-unusable': { path: string; why: string }
  'no-place-for-socket': { why: string }
  'not-a-socket': { path: string }
  'socket-taken': { path: string }
  'cannot-listen': { path: string; why: string }
  'no-group-to-show': { id: string }
  'not-what-was-read': { path: string }
  'no-small-file': { path: string; mostKb: number }
  'asked-too-much': Nothing
  'no-own-answer': { command: string; exit: number | null; said: string }
  'no-such-directory': { path: string; problem: string }
  'daemon-runs': { pid: number | null }
  'daemon-not-running': Nothing
  'daemon-does-not-end': { pid: number }
  'other-socket': { named: string; pid: number; socket: string }
  'daemon-inside-run': { inside: 'run' | 'hook' }
  'daemon-unstartable': { said: string }
  'daemon-silent': { pid: number | null }
  'queued-for-nobody': { id: string; because: Facts }
  'daemon-older': { pid: number; version: string; because: Facts | null }
}
