/**
 * A workflow file as a person names it: read once, bounded, and, before any of it runs, trusted. What came with a
 * repository is used only after a human has agreed to exactly this content; a file of the user's own is theirs.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { formatBytes } from '../../model/units.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { safeLine, spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { askNow, isAttended } from '../foreground/question.ts'

/** `path` is where the links of `typed` lead. */
export type WorkflowFile = { path: string; typed: string; bytes: Buffer; text: string }

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
    return ok({ path, typed, bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
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

type Asking = { input: Input; lines: string[]; workflow: WorkflowSpec }

/** Whether the file may be run; `lines` say what it would do, for whoever is asked. */
export function trustedWorkflow(file: WorkflowFile, { input, lines, workflow }: Asking): Result<null> {
  const trees = workflow.loops.map(({ spec }) => spec.cwd)
  if (![file.path, file.typed].some(path => isOfRepository(path, trees))) return ok(null)
  const paths = pathsFrom(input.env)
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

/** In a work tree of its loops, or in any repository: a parent of the work tree, another clone. */
function isOfRepository(path: string, trees: string[]): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (trees.includes(at) || existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}
