/**
 * The user's trust in a work tree's configuration: one small record per path, with the hash of the content that the
 * user was asked about. A changed content has to be asked about again, and so does an unreadable record.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Paths } from '../../store/files/paths.ts'
import { type ConfigFile, writeWhole } from './file.ts'

/** `new`: never asked; `changed`: asked about another content; the others are the answer. */
type Trust = 'trusted' | 'refused' | 'changed' | 'new'

type Record = { path: string; sha256: string; trusted: boolean }

export function trustOf(paths: Paths, file: ConfigFile): Trust {
  const record = readRecord(recordFile(paths, file.path))
  if (record?.path !== file.path) return 'new'
  if (record.sha256 !== sha256(file.bytes)) return 'changed'
  return record.trusted ? 'trusted' : 'refused'
}

/** Durable, so that the question is not asked twice. */
export function recordTrust(paths: Paths, file: ConfigFile, trusted: boolean): Result<null> {
  const record: Record = { path: file.path, sha256: sha256(file.bytes), trusted }
  const target = recordFile(paths, file.path)
  const text = `${JSON.stringify(record)}\n`
  const written = writeWhole(target, { text, fileMode: 0o600, directoryMode: 0o700 })
  if (written.ok) return ok(null)
  return fail('system', { kind: 'trust-unrecorded', path: file.path, because: written.failure.facts })
}

function recordFile(paths: Paths, path: string): string {
  return join(paths.trust, sha256(Buffer.from(path)).slice(0, 32))
}

function readRecord(file: string): Record | null {
  try {
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof record === 'object' ? (record as Record) : null
  } catch {
    return null // absent, or damaged: both mean that nothing is trusted
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
