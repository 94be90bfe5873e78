/** What loopd says about its own state, and its commands: the problems that `loopd status` and the page show, its notices. */
import { count, formatDuration } from '../../model/units.ts'

export const daemonWords = {
  bug: (what: string) => `a bug in loopd, which goes on: ${what}. The log has the details; please report it`,
  clockSet: (jumpMs: number, retentionMs: number) =>
    `the clock was set forward by ${formatDuration(jumpMs)}; nothing is thrown away until loopd has run for ${formatDuration(retentionMs)}`,
  diskFull: (data: string) => `the disk of ${data} is nearly full; no loop begins until there is room`,
  gcFailed: (why: string) => `loop gc failed: ${why}`,
  noBackup: (why: string) => `no backup could be taken: ${why}`,
  noLog: (why: string) => `loopd: its log cannot be written: ${why}`,
  noSocket: (why: string) => `its socket cannot be kept: ${why}`,
  notDriven: (what: string, why: string) => `${what} cannot be driven: ${why}`,
  notNotified: (channel: string, why: string) => `nobody can be notified by ${channel}: ${why}`,
  programChanged: (program: string, what: 'removed' | 'replaced') =>
    `${program} was ${what} since this loopd was started. Go on with what is installed now: loopd stop, then loopd start; loops and agents go on`,
  /** `loops`: those that wait for a temporary problem. */
  stalled(why: string, loops: readonly string[]): string {
    const more = loops.length > 5 ? ` and ${loops.length - 5} more` : ''
    const until =
      loops.length > 0
        ? `It keeps back loop ${loops.slice(0, 5).join(', ')}${more}, tried again`
        : 'It is tried again'
    return `${why} ${until} by itself; agents work on.`
  },
}

export const loopdWords = {
  serves: (socket: string, url: string | null, pid: number) =>
    `loopd: serves ${socket}${url ? ` and ${url}` : ''} (process ${pid}).`,
  noPage: (why: string) => `loopd: ${why}. The page is not served until then; everything else is.`,
  started: (pid: number) => `loop: loopd was started (process ${pid}).`,
  waits: (iterations: number) =>
    `loopd: waiting for ${count(iterations, 'iteration')} to finish. To stop now and leave agents running: loopd stop --now`,
  serviceWritten: (file: string, manager: string | null) =>
    `${file} was written${manager ? `, and loopd runs under ${manager} from now on` : ''}.`,
  serviceByHand: (manager: string, command: string) =>
    `loopd: ${manager} of this user could not be asked. Do it yourself: ${command}`,
  serviceRemoved: (file: string) => `${file} was removed. Agents that run go on.`,
  notNotified: (channel: string, why: string) => `loop: nobody could be notified by ${channel}: ${why}`,
}
