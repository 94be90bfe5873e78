/**
 * A stand-in for an agent program: an executable of its name that does what a shell script says. For agents
 * that cannot be installed here, and for output that no real program would print on demand.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeRig, type Rig, root } from '../rig/rig.ts'

export const recordings = join(root, 'test', 'recordings')

/** A work tree, with these programs on the PATH. The promise of the tests is that the file `done` exists. */
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
  // As if opencode had a provider configured: a stand-in asks no model.
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

/** The words of claude at its limit until this time, in seconds, which may be a shell expression. */
export function limitedUntil(seconds: string): string {
  const info = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'"${seconds}"'}}`
  return `echo '${info}'; ${plays('claude-limit.out')}; exit 1`
}
