/**
 * Reads the index file of the user's repository: which files it tracks, the id of each, and the stat the file
 * had when git last saw it unchanged. Versions 2 to 4 of the format; anything else is no index to us.
 */

export type IndexEntry = { id: string; size: number; ino: number; mtimeMs: number; ctimeMs: number }

const entryBytes = 62
const assumeValid = 0x8000
const extended = 0x4000
const stageBits = 0x3000

/** By path (latin1): regular files and symlinks without a conflict. `trusted` is null where only the path counts. */
export function parseIndex(bytes: Buffer): Map<string, IndexEntry | null> | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const found = new Map<string, IndexEntry | null>()
  let previous = ''
  let at = 12
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    const flags = bytes.readUInt16BE(at + 60)
    const nameAt = at + entryBytes + (flags & extended ? 2 : 0)
    const name = version === 4 ? compressedName(bytes, nameAt, previous) : plainName(bytes, at, nameAt)
    previous = name.path
    const kind = bytes.readUInt32BE(at + 24) >>> 12
    const isPlain = (flags & (assumeValid | extended | stageBits)) === 0
    if (kind === 0o10 || kind === 0o12) found.set(name.path, isPlain ? entryAt(bytes, at) : null)
    at = name.next
  }
  // A split index has the rest of its entries elsewhere.
  return bytes.toString('latin1', at, at + 4) === 'link' ? null : found
}

function entryAt(bytes: Buffer, at: number): IndexEntry {
  const ms = (from: number) => bytes.readUInt32BE(from) * 1000 + bytes.readUInt32BE(from + 4) / 1e6
  return {
    ctimeMs: ms(at),
    mtimeMs: ms(at + 8),
    ino: bytes.readUInt32BE(at + 20),
    size: bytes.readUInt32BE(at + 36),
    id: bytes.toString('hex', at + 40, at + 60),
  }
}

type Name = { path: string; next: number }

function plainName(bytes: Buffer, start: number, at: number): Name {
  const end = bytes.indexOf(0, at)
  return { path: bytes.toString('latin1', at, end), next: start + ((end - start + 8) & ~7) }
}

/** How many bytes of the name before to drop, and what to add. */
function compressedName(bytes: Buffer, start: number, previous: string): Name {
  let at = start
  let drop = (bytes[at] as number) & 127
  while ((bytes[at] as number) & 128) {
    at += 1
    drop = (drop + 1) * 128 + ((bytes[at] as number) & 127)
  }
  const end = bytes.indexOf(0, at + 1)
  const path = previous.slice(0, previous.length - drop) + bytes.toString('latin1', at + 1, end)
  return { path, next: end + 1 }
}
