/**
 * Which objects are on disk: the indexes of packs, read by this process, and loose ones. Asking git would be
 * a process for each checkpoint. Looks once; `reload` looks again.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Stored = { has(id: string): boolean; reload(): void }

const indexMagic = 0xff744f63

export function openStored(directory: string): Stored {
  let found: { indexes: Buffer[]; loose: Set<string> } | null = null
  return {
    has(id) {
      found ??= { indexes: readIndexes(join(directory, 'pack')), loose: new Set(readdirSync(directory)) }
      const bytes = Buffer.from(id, 'hex')
      if (found.indexes.some(index => holds(index, bytes))) return true
      const first = id.slice(0, 2)
      return found.loose.has(first) && existsSync(join(directory, first, id.slice(2)))
    },
    reload() {
      found = null
    },
  }
}

function readIndexes(packs: string): Buffer[] {
  const names = new Set(readdirSync(packs))
  return [...names]
    .filter(name => name.endsWith('.idx') && names.has(name.replace(/idx$/, 'pack')))
    .map(name => readFileSync(join(packs, name)))
    .filter(index => index.length > 8 + 1024 && index.readUInt32BE(0) === indexMagic)
}

/** A table by first byte, then the ids in order. */
function holds(index: Buffer, id: Buffer): boolean {
  const first = id[0] as number
  let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4)
  let high = index.readUInt32BE(8 + first * 4)
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = 8 + 1024 + middle * 20
    const order = id.compare(index, at, at + 20)
    if (order === 0) return true
    if (order < 0) high = middle
    else low = middle + 1
  }
  return false
}
