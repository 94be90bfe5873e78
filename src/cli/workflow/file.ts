/**
 * A workflow file named by a person: read once, bounded, and trusted before any of it runs. A file that came with a
 * repository is used only after a person has agreed to exactly this content; a file outside any repository is the
 * user's own.
 */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import type { Facts } from '../../failures/all.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { askNow, isAttended } from '../foreground/question.ts'

/** `path` is `typed` with links resolved. */
export type WorkflowFile = { path: string; typed: string; bytes: Buffer; text: string }

const mostBytes = 256_000

export function readWorkflowFile(named: string): Result<WorkflowFile> {
  const typed = resolve(named)
  try {
    const path = realpathSync(typed)
    const stat = statSync(path)
    if (!stat.isFile()) return unreadable(typed, 'not-a-file')
    if (stat.size > mostBytes)
      return fail('invalid-arguments', {
        kind: 'workflow-too-large',
        path: typed,
        bytes: stat.size,
        most: mostBytes,
      })
    const bytes = readFileSync(path)
    return ok({ path, typed, bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return unreadable(typed, 'not-there')
    if (code === 'EACCES') return unreadable(typed, 'closed')
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable(typed, 'not-text')
    throw error
  }
}

type Problem = Extract<Facts, { kind: 'workflow-unreadable' }>['why']

function unreadable(path: string, why: Problem): Result<never> {
  return fail('invalid-arguments', { kind: 'workflow-unreadable', path, why })
}

type Asking = { input: Input; lines: string[]; workflow: WorkflowSpec }

/** Whether the file may be run; `lines` tell the person who is asked what it would do. */
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
  return fail('not-allowed', { kind: 'workflow-untrusted', path: file.path, changed: trust === 'changed' })
}

/** In a work tree of its loops, or in any repository: a parent of the work tree, another clone. */
function isOfRepository(path: string, trees: string[]): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (trees.includes(at) || existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}
