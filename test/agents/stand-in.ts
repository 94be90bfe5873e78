/**
 * A stand-in for an agent program: an executable of its name that does what a shell script says. For agents
 * that cannot be installed here, and for output that no real program would print on demand.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeRig, type Rig, root } from '../rig/rig.ts'

export const recordings = join(root, 'test', 'recordings')

/** A work tree, and on the PATH a program of this name. The promise of the tests is that `done` is there. */
export function standIn(t: Pick<TestContext, 'after'>, programs: Record<string, string>): Rig {
  const rig = makeRig(t)
  putPrograms(rig, programs)
  return rig
}

export function putPrograms(rig: Rig, programs: Record<string, string>): void {
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(programs)) {
    const file = join(bin, name)
    writeFileSync(file, `#!/bin/sh\nset -u\n${script}\n`)
    chmodSync(file, 0o755)
  }
  // As of a provider of its own: what is played here asks no model of anybody.
  rig.env['OPENCODE_CONFIG_CONTENT'] = '{}'
  rig.env['PATH'] = [bin, dirname(process.execPath), rig.env['PATH']].join(delimiter)
}

/** The arguments of a start with an agent by name. */
export function startWith(agent: string, ...more: string[]): string[] {
  return ['start', 'do the work', '-p', 'test -e done', '--agent', agent, '--json', ...more]
}

/** Prints a recorded stream. */
export function plays(recording: string): string {
  const to = recording.endsWith('.err') ? ' >&2' : ''
  return `cat '${join(recordings, recording)}'${to}`
}

/** As claude says that it is at its limit until this time, in seconds; a shell expression may stand for it. */
export function limitedUntil(seconds: string): string {
  const info = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'"${seconds}"'}}`
  return `echo '${info}'; ${plays('claude-limit.out')}; exit 1`
}
