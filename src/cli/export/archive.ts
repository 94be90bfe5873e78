/**
 * The content of an export before compression: each file is redacted on the way, and a manifest at the end lists
 * what is included and what is not. A file is read twice, first for its size and checksum, which precede its
 * content; so any size needs the same memory and no disk space.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { openOutput, redactedPieces } from '../../engine/perform/loop/redaction.ts'
import { version } from '../../model/version.ts'
import { redactor, type Secret } from '../../secrets/redact.ts'
import type { ExportEntry, LeftOut } from './contents.ts'

const block = 512

/** The largest size in eleven octal digits. */
const mostUstarBytes = 8 ** 11 - 1

type TarEntry = { path: string; bytes: number; mtimeS: number }

/** The bytes before the content of a file. */
export function header(entry: TarEntry): Buffer {
  if (entry.bytes <= mostUstarBytes) return ustar(entry, '0')
  const record = pax('size', String(entry.bytes))
  const about = ustar({ path: 'PaxHeader', bytes: record.length, mtimeS: entry.mtimeS }, 'x')
  return Buffer.concat([about, record, padding(record.length), ustar({ ...entry, bytes: 0 }, '0')])
}

/** The bytes that fill the last block of a content. */
export function padding(bytes: number): Buffer {
  return Buffer.alloc((block - (bytes % block)) % block)
}

/** An archive ends with two empty blocks. */
export const ending = Buffer.alloc(2 * block)

function ustar({ path, bytes, mtimeS }: TarEntry, type: string): Buffer {
  if (!/^[\x21-\x7E]{1,100}$/.test(path)) throw new Error(`Internal error: ${path} as a name in an archive`)
  const text = Buffer.alloc(block)
  const put = (at: number, value: string) => text.write(value, at, 'latin1')
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(0, path)
  put(100, octal(0o600, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(bytes, 11))
  put(136, octal(mtimeS, 11))
  put(148, ' '.repeat(8)) // the checksum counts itself as spaces
  put(156, type)
  put(257, 'ustar\u000000')
  const sum = text.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)}\u0000 `)
  return text
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function pax(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  let length = rest.length
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length
  return Buffer.from(`${length}${rest}`)
}

type Packed = { path: string; bytes: number; sha256: string; redacted?: number }

export type Manifest = {
  format: 1
  createdBy: string
  id: string
  entries: Packed[]
  leftOut: LeftOut[]
}

/** A file changed between the two readings. */
export class ChangedWhileExported extends Error {}

type Packing = {
  id: string
  contents: AsyncIterable<ExportEntry | LeftOut>
  /** As bytes. */
  secrets: Secret[]
}

/** Filled while the archive is made. */
export function emptyManifest(id: string): Manifest {
  return { format: 1, createdBy: `loop ${version}`, id, entries: [], leftOut: [] }
}

export async function* archive(packing: Packing, manifest: Manifest): AsyncGenerator<Buffer> {
  const root = `loop-${packing.id}`
  let newest = 0
  for await (const item of packing.contents) {
    if ('why' in item) {
      manifest.leftOut.push(item)
      continue
    }
    const mtimeS = Math.floor(item.at / 1_000)
    newest = Math.max(newest, mtimeS)
    if (!('file' in item)) {
      const content = 'bytes' in item ? item.bytes : Buffer.from(item.text)
      manifest.entries.push({ path: item.path, bytes: content.length, sha256: sumOf(content) })
      yield* packed({ path: `${root}/${item.path}`, bytes: content.length, mtimeS }, content)
      continue
    }
    const file = await openOutput(item.file)
    if (!file) {
      manifest.leftOut.push({ what: item.path, why: 'not there, or not a regular file' })
      continue
    }
    try {
      yield* packedFile(file, { ...item, mtimeS, secrets: packing.secrets }, manifest)
    } finally {
      await file.close()
    }
  }
  const about = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  yield* packed({ path: `${root}/manifest.json`, bytes: about.length, mtimeS: newest }, about)
  yield ending
}

function* packed(entry: Parameters<typeof header>[0], content: Buffer): Generator<Buffer> {
  yield header(entry)
  yield content
  yield padding(content.length)
}

async function* packedFile(
  file: FileHandle,
  { path, mtimeS, secrets }: { path: string; mtimeS: number; secrets: Secret[] },
  manifest: Manifest,
): AsyncGenerator<Buffer> {
  // Content added while it is read is not included.
  const { size } = await file.stat()
  const redact = redactor(secrets)
  const sum = createHash('sha256')
  let bytes = 0
  for await (const piece of redactedPieces(file, size, redact)) {
    sum.update(piece)
    bytes += piece.length
  }
  const sha256 = sum.digest('hex')
  manifest.entries.push({ path, bytes, sha256, ...(redact.count() > 0 && { redacted: redact.count() }) })
  yield header({ path: `loop-${manifest.id}/${path}`, bytes, mtimeS })
  const again = createHash('sha256')
  for await (const piece of redactedPieces(file, size, redactor(secrets))) {
    again.update(piece)
    yield piece
  }
  if (again.digest('hex') !== sha256) throw new ChangedWhileExported(path)
  yield padding(bytes)
}

function sumOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
