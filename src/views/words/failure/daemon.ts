/** Sentences about loopd, its socket and its API. */
import type { DaemonFailures } from '../../../model/facts/daemon.ts'
import type { Sentences } from './words.ts'

export const daemonSentences: Sentences<DaemonFailures> = {
  'no-page': ({ why }) => `There is no page: ${why ?? 'not yet'}.`,
  'daemon-unreachable': ({ socket, why }) =>
    `loopd cannot be reached at ${socket}: ${why}. See: loopd status`,
  'socket-unusable': ({ path, why }) => `$LOOPD_SOCKET cannot be used: ${path} ${why}.`,
  'no-place-for-socket': ({ why }) =>
    `There is no place for the socket of loopd: ${why}. Name one with $LOOPD_SOCKET.`,
  'not-a-socket': ({ path }) =>
    `${path} is there and is not a socket. Move it away, or name another place with $LOOPD_SOCKET.`,
  'socket-taken': ({ path }) =>
    `Another process serves ${path}, and it is not the loopd of this data directory. End it, or name another place with $LOOPD_SOCKET.`,
  'cannot-listen': ({ path, why }) => `loopd cannot listen on ${path}: ${why}.`,
  'no-group-to-show': ({ id }) => `Loop ${id} is no group: there is nothing to compare or to draw.`,
  'not-what-was-read': ({ path }) =>
    `${path} is not what you have read: it has changed since. Look at it again.`,
  'no-small-file': ({ path, mostKb }) => `${path} is no file of at most ${mostKb} kB that you can read.`,
  'asked-too-much': () => 'There are too many requests at once. Try again later.',
  'no-own-answer': ({ command, exit, said }) =>
    `loop ${command} gave no answer (exit ${exit ?? 'by a signal'}): ${said}`,
  'no-such-directory': ({ path, problem }) => `${path} is ${problem}.`,
  'daemon-runs': ({ pid }) =>
    `loopd runs already${pid ? ` (process ${pid})` : ''}. See it with: loopd status. End it with: loopd stop`,
  'daemon-not-running': () => 'loopd does not run. Start it with: loopd start',
  'daemon-does-not-end': ({ pid }) =>
    `loopd (process ${pid}) does not end. Then: kill -9 ${pid}. Nothing is lost.`,
  'other-socket': ({ named, pid, socket }) =>
    `$LOOPD_SOCKET names ${named}, but the loopd of this data directory (process ${pid}) serves ${socket}. Unset LOOPD_SOCKET to reach that one.`,
  'daemon-inside-run': ({ inside }) =>
    `loopd does not run, and started in here it would end with ${inside === 'run' ? 'the run of this agent' : 'this hook'}. Start it outside: loopd start`,
  'daemon-unstartable': ({ said }) => `loopd could not be started. ${said}`,
  'daemon-silent': ({ pid }) =>
    `loopd runs (${pid === null ? 'its process' : `process ${pid}`}) but does not answer. If it was stopped: kill -CONT ${pid ?? '<pid>'}. If it hangs: kill -9 ${pid ?? '<pid>'}, then: loopd start. Nothing is lost, and agents go on.`,
  'queued-for-nobody': ({ id, because }, say) =>
    `Loop ${id} is queued, but nobody will take it up. ${say(because)}`,
  'daemon-older': ({ pid, version, because }, say) =>
    `loopd (process ${pid}) is of an older version (${version}), which does not know groups, and cannot be replaced: ${because === null ? 'it does not end' : say(because)}. End it with: loopd stop --now. Its loops and agents go on.`,
}
