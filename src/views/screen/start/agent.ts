/** What an agent does and did, in a few words: its step now, its last words, and why its run did not end well. */
import { plainText, safeText } from '../../../core/text/plain-text.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import { formatBytes } from '../../../model/units.ts'
import { felt } from './pieces.ts'

export function lastLine(text: string): string {
  const lines = safeText(text).split('\n')
  return (lines.findLast(line => line.trim() !== '') ?? '').trim()
}

const verbs: Record<string, string> = {
  edit: 'editing',
  multiedit: 'editing',
  replace: 'editing',
  patch: 'editing',
  apply_patch: 'editing',
  write: 'writing',
  write_file: 'writing',
  read: 'reading',
  read_file: 'reading',
  bash: 'running',
  shell: 'running',
  run_shell_command: 'running',
  grep: 'searching',
  glob: 'searching',
  search: 'searching',
}

/** `editing cart.js` of `→ Edit: cart.js`; other lines as they are. */
export function stepNow(line: string): string {
  const text = plainText({ colour: false })(line).replaceAll(/\s+/g, ' ').trim()
  const [, tool = '', detail = ''] = /^→ (\w+): (.+)$/.exec(text) ?? []
  const verb = verbs[tool.toLowerCase()]
  return verb ? `${verb} ${detail}` : text.replace(/^→ /, '')
}

type End = EventOf<'run.ended'>['data']

/** Its last words; empty if it said none. */
export function lastWords({ said, out }: End): string {
  return lastLine(said ?? out.tail)
}

/** Why a run did not end well; null if it did, and for what the loop says anyway (a limit, no sign-in, a cancel). */
export function runTrouble(agent: string, end: End): string | null {
  if (end.limit || end.auth !== undefined) return null
  const time = felt(end.durationMs)
  switch (end.how) {
    case 'exited':
      return end.failed === undefined && end.exitCode === 0 ? null : failed(agent, end)
    case 'unstartable':
      return `${agent} could not start: ${lastLine(end.err.tail)}`
    case 'timeout':
      return `${agent} was stopped after ${time} (--timeout); its work is kept`
    case 'idle':
      return `${agent} was stopped after ${time}: it printed nothing for too long (--idle-timeout)`
    case 'killed':
      return `${agent} was killed after ${time}`
    case 'flooded':
      return `${agent} was stopped: it printed ${formatBytes(end.out.bytes + end.err.bytes)} (--max-output)`
    default:
      return null
  }
}

function failed(agent: string, { exitCode, failed: why, err, out }: End): string {
  const said = why ?? (lastLine(err.tail) || lastLine(out.tail))
  const code = exitCode === null ? '' : ` (exit ${exitCode})`
  return `${agent} failed${code}${said === '' ? '' : `: ${said}`}`
}
