/**
 * The commands of an agent in a copy: it sees and changes files as in a run. Also used by programs that are no tests.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { containment } from '../../../src/adapters/process/contain.ts'
import type { WorkCopy } from '../../../src/adapters/workcopies/contract.ts'
import { mounting } from '../../../src/platform/linux/runs.ts'
import { entering } from '../../../src/platform/linux/sandbox.ts'

/** Runs a script as a run does. `as`: words in front of the command. */
export function within(copy: WorkCopy, script: string, as: string[] = []): string {
  const { mounts, path } = copy
  const argv = [...as, 'sh', '-ec', script]
  const mode = containment(process.env)
  const cwd = mounts?.find(({ upper }) => upper === path)?.at ?? path
  const line = mounts ? [...entering(mode, true), ...mounting(mode, { mounts, cwd, argv })] : argv
  const [program = '', ...args] = line
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' }
  return execFileSync(program, args, {
    cwd: mounts ? '/' : path,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
}

const lister = `'${process.execPath}' '${join(import.meta.dirname, 'list-files.ts')}'`

/** Names, permissions, times and bytes of every file that a run in the copy sees. */
export function seenIn(copy: WorkCopy): string[] {
  return within(copy, lister).trim().split('\n')
}

export function filesIn(directory: string): string[] {
  return execFileSync('sh', ['-c', lister], { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n')
}
