/**
 * A workflow file as a person names it: read once, bounded, and, before any of it runs, trusted. It may have come
 * with a repository or a download, so it is used only after a human has agreed to exactly this content; wherever it
 * is, but beside the user's own configuration.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { formatBytes } from '../../model/units.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { safeLine, spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { askNow, isAttended } from '../foreground/question.ts'

export type WorkflowFile = { path: string; bytes: Buffer; text: string }

const mostBytes = 256_000

export function readWorkflowFile(named: string): Result<WorkflowFile> {
  const typed = resolve(named)
  try {
    const path = realpathSync(typed)
    const stat = statSync(path)
    if (!stat.isFile()) return invalid(typed, 'is not a regular file')
    if (stat.size > mostBytes)
      return invalid(typed, `has ${formatBytes(stat.size)}; a workflow has at most ${formatBytes(mostBytes)}`)
    const bytes = readFileSync(path)
    return ok({ path, bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return invalid(typed, 'is not there')
    if (code === 'EACCES') return invalid(typed, 'is closed to you')
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return invalid(typed, 'is not UTF-8 text')
    throw error
  }
}

function invalid(path: string, what: string): Result<never> {
  return fail('invalid-arguments', `${spelledOut(path)} ${what}. Name a workflow file.`)
}

/** Whether the file may be run; `lines` say what it would do, for whoever is asked. */
export function trustedWorkflow(
  file: WorkflowFile,
  { input, lines }: { input: Input; lines: string[] },
): Result<null> {
  const paths = pathsFrom(input.env)
  if (file.path.startsWith(`${dirname(paths.config)}/`)) return ok(null)
  const known = { path: file.path, bytes: file.bytes, of: 'project' as const }
  const trust = trustOf(paths, known)
  if (trust === 'trusted') return ok(null)
  if (input.given('trust')) return input.given('dry-run') ? ok(null) : recordTrust(paths, known, true)
  const why = trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'
  const question = 'Run it? You are asked again only when it changes. [y/N] '
  const shown = [`${spelledOut(file.path)} ${why}.`, ...lines.map(safeLine), question].join('\n')
  if (isAttended(input) && askNow(shown)) return recordTrust(paths, known, true)
  return fail(
    'not-allowed',
    `${spelledOut(file.path)} ${why}, and nothing of it was run. Read it, then trust it with: --trust`,
  )
}
