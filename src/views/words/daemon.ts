/** What loopd says about its own state: the problems that `loopd status` and the page show, and its notices. */
import { formatDuration } from '../../model/units.ts'

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
