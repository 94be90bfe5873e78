/** `loop export`: everything about a loop as one archive, without secrets, written completely or not at all. */
import { createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { journalKind, meantKind } from '../../core/folds.ts'
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import { secretBytes } from '../../engine/perform/loop/redaction.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { count } from '../../model/units.ts'
import { secretsIn } from '../../secrets/redact.ts'
import { fsyncPath } from '../../store/files/directory.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { doneWords } from '../../views/words/done.ts'
import {
  archive,
  ChangedWhileExported,
  contentsOf,
  type ExportSource,
  emptyManifest,
  type Manifest,
} from '../archive.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoopId, noLoops } from '../find-loop.ts'
import { bytesOut, err, out, outDocument, sayLost } from '../terminal.ts'

const exportLoop: CommandRun = async input => {
  const found = sourceFrom(input)
  if (!found.ok) return found
  const source = found.value
  const { id, secretBytes: secrets } = source
  const target = targetFrom(input, id)
  if (!target.ok) return target
  const manifest = emptyManifest(id)
  try {
    const contents = contentsOf(source)
    const bytes = Readable.from(archive({ id, contents, secrets }, manifest), { objectMode: false })
    if (target.value === null) return await toStandardOutput(bytes, source, manifest)
    return await toFile(bytes, { file: target.value, source, manifest, input })
  } catch (error) {
    if (!(error instanceof ChangedWhileExported)) throw error
    return fail('system', { kind: 'changed-while-exported', what: error.message })
  }
}

function sourceFrom(input: Input): Result<ExportSource> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  if (!store.value) return noLoops(input)
  const { journals } = store.value
  const id = findLoopId(store.value, input)
  if (!id.ok) return id
  const common = { paths, secrets: secretsIn(input.env), secretBytes: secretBytes(input.env) }
  const sourceOf = (one: string): ExportSource => {
    const members = journals.inGroup(one).map(sourceOf)
    const survey = journals.survey(one)
    // The first event can be damaged; then the members show that it is a group.
    const named = members.length > 0 ? 'group' : journalKind(survey.events[0])
    return { id: one, kind: meantKind({ kind: named }), members, ...common, ...survey }
  }
  return ok(sourceOf(id.value))
}

/** The file to write; null for standard output. */
function targetFrom(input: Input, id: string): Result<string | null> {
  const given = input.value('output')
  if (given === '-') {
    if (input.given('json')) return invalid({ kind: 'archive-with-json' })
    if (process.stdout.isTTY) return invalid({ kind: 'archive-to-terminal' })
    return ok(null)
  }
  const name = `loop-${id}.tar.gz`
  const path = resolve(given ?? name)
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, name) : path
  if (!existsSync(dirname(file))) return invalid({ kind: 'no-directory-for-archive', path: dirname(file) })
  return existsSync(file) && !input.given('force') ? taken(file) : ok(file)
}

function taken(file: string): Result<never> {
  return invalid({ kind: 'archive-there', path: file })
}

async function toStandardOutput(
  bytes: Readable,
  source: ExportSource,
  manifest: Manifest,
): Promise<Result<number>> {
  try {
    await pipeline(bytes, createGzip(), bytesOut(), { end: false })
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== 'write') throw error
    if (code !== 'EPIPE') sayLost(error as NodeJS.ErrnoException)
    return ok(0) // nobody reads any more
  }
  for (const line of notes(source, manifest)) err(line)
  return ok(0)
}

type Writing = { file: string; source: ExportSource; manifest: Manifest; input: Input }

async function toFile(bytes: Readable, { file, source, manifest, input }: Writing): Promise<Result<number>> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`)
  try {
    await pipeline(
      bytes,
      createGzip(),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    )
    if (!input.given('force') && !claimed(temporary, file)) return taken(file)
    if (input.given('force')) renameSync(temporary, file)
    fsyncPath(dirname(file))
  } finally {
    rmSync(temporary, { force: true })
  }
  const { size } = statSync(file)
  const { entries, leftOut } = manifest
  if (input.given('json')) {
    const { id, bad } = source
    const packed = { entries: entries.length, redacted: redactedIn(manifest), leftOut }
    outDocument<'exported'>({ id, file, bytes: size, ...packed, damagedEvents: bad })
    return ok(0)
  }
  const what = `${{ loop: 'Loop', group: 'Group' }[source.kind]} ${source.id}`
  out(doneWords.exported(what, file, { files: entries.length, bytes: size }))
  for (const line of notes(source, manifest)) out(line)
  return ok(0)
}

/** Moves it to its name, unless that has been taken meanwhile. */
function claimed(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    renameSync(temporary, file) // a file system without hard links
    return true
  }
}

/** How many secrets were taken out. */
function redactedIn({ entries }: Manifest): number {
  return entries.reduce((sum, entry) => sum + (entry.redacted ?? 0), 0)
}

function notes(source: ExportSource, manifest: Manifest): string[] {
  const { leftOut } = manifest
  const redacted = redactedIn(manifest)
  return [
    ...(source.bad.length > 0 ? ['Its journal is damaged: what is readable of it is in there.'] : []),
    ...(redacted > 0 ? [`${count(redacted, 'secret')} taken out of its outputs.`] : []),
    ...leftOut.map(({ what, why }) => `  left out: ${spelledOut(what)} (${safeLine(why)})`),
  ]
}

export default exportLoop
