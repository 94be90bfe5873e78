/** Calls loop's hook as a host program does: JSON on stdin, the output parsed as JSON. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { loopProgram, type Rig, root } from './rig.ts'

export const hookScript = join(root, 'plugins', 'claude-code', 'hooks', 'loop.sh')

export type Said = {
  code: number | null
  stdout: string
  stderr: string
  /** The output; null if there was none. */
  said: Record<string, unknown> | null
  reason: string
  message: string
}

type Call = { kind?: 'stop' | 'session-start'; more?: string[]; env?: NodeJS.ProcessEnv; script?: boolean }

/** `input` as an object stands for a whole one of the session s1 in the tree. */
export function hook(rig: Rig, input: string | Record<string, unknown> = {}, call: Call = {}): Said {
  const { kind = 'stop', more = [], script = false } = call
  const text =
    typeof input === 'string' ? input : JSON.stringify({ session_id: 's1', cwd: rig.tree, ...input })
  const [program = '', ...args] = script ? ['sh', hookScript, kind] : [loopProgram, 'hook', kind, ...more]
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: rig.tree,
    env: { ...rig.env, ...call.env },
    input: text,
    encoding: 'utf8',
    timeout: 120_000,
  })
  const said = stdout === '' ? null : (JSON.parse(stdout) as Record<string, unknown>)
  return {
    code: status,
    stdout,
    stderr,
    said,
    reason: String(said?.['reason'] ?? ''),
    message: String(said?.['systemMessage'] ?? ''),
  }
}
