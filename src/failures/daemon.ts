/** Failures: loopd, its socket and its API. */
import type { Caused, Say } from './all.ts'

export const daemonFailures = {
  'no-page': (d: { why: string | null }) => `There is no page: ${d.why ?? 'not yet'}.`,
  'daemon-unreachable': (d: { socket: string; why: string }) =>
    `loopd cannot be reached at ${d.socket}: ${d.why}. See: loopd status`,
  'socket-unusable': (d: { path: string; why: string }) =>
    `$LOOPD_SOCKET cannot be used: ${d.path} ${d.why}.`,
  'no-place-for-socket': (d: { why: string }) =>
    `There is no place for the socket of loopd: ${d.why}. Name one with $LOOPD_SOCKET.`,
  'not-a-socket': (d: { path: string }) =>
    `${d.path} is there and is not a socket. Move it away, or name another place with $LOOPD_SOCKET.`,
  'socket-taken': (d: { path: string }) =>
    `Another process serves ${d.path}, and it is not the loopd of this data directory. End it, or name another place with $LOOPD_SOCKET.`,
  'cannot-listen': (d: { path: string; why: string }) => `loopd cannot listen on ${d.path}: ${d.why}.`,
  'no-group-to-show': (d: { id: string }) =>
    `Loop ${d.id} is no group: there is nothing to compare or to draw.`,
  'not-what-was-read': (d: { path: string }) =>
    `${d.path} is not what you have read: it has changed since. Look at it again.`,
  'no-small-file': (d: { path: string; mostKb: number }) =>
    `${d.path} is no file of at most ${d.mostKb} kB that you can read.`,
  'asked-too-much': () => 'There are too many requests at once. Try again later.',
  'no-own-answer': (d: { command: string; exit: number | null; said: string }) =>
    `loop ${d.command} gave no answer (exit ${d.exit ?? 'by a signal'}): ${d.said}`,
  'no-such-directory': (d: { path: string; problem: string }) => `${d.path} is ${d.problem}.`,
  'daemon-runs': (d: { pid: number | null }) =>
    `loopd runs already${d.pid ? ` (process ${d.pid})` : ''}. See it with: loopd status. End it with: loopd stop`,
  'daemon-not-running': () => 'loopd does not run. Start it with: loopd start',
  'daemon-does-not-end': (d: { pid: number }) =>
    `loopd (process ${d.pid}) does not end. Then: kill -9 ${d.pid}. Nothing is lost.`,
  'other-socket': (d: { named: string; pid: number; socket: string }) =>
    `$LOOPD_SOCKET names ${d.named}, but the loopd of this data directory (process ${d.pid}) serves ${d.socket}. Unset LOOPD_SOCKET to reach that one.`,
  'daemon-inside-run': (d: { inside: 'run' | 'hook' }) =>
    `loopd does not run, and started in here it would end with ${d.inside === 'run' ? 'the run of this agent' : 'this hook'}. Start it outside: loopd start`,
  'daemon-unstartable': (d: { said: string }) => `loopd could not be started. ${d.said}`,
  'daemon-silent': (d: { pid: number | null }) =>
    `loopd runs (${d.pid === null ? 'its process' : `process ${d.pid}`}) but does not answer. If it was stopped: kill -CONT ${d.pid ?? '<pid>'}. If it hangs: kill -9 ${d.pid ?? '<pid>'}, then: loopd start. Nothing is lost, and agents go on.`,
  'queued-for-nobody': (d: Caused & { id: string }, say: Say) =>
    `Loop ${d.id} is queued, but nobody will take it up. ${say(d.because)}`,
}
