/**
 * Changes one key of a configuration file; comments, order and the other keys stay. The file is replaced as a whole.
 * An invalid file is not touched, because its other content is unknown. The caller holds the lock against concurrent
 * changes.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { type Document, isMap, isNode, isScalar, parseDocument, Scalar } from 'yaml'
import { ok, type Result } from '../../model/failure.ts'
import type { Paths } from '../../store/files/paths.ts'
import { type ConfigFile, type ConfigPlace, overSize, readConfigFile, writeWhole } from './file.ts'
import { parseConfig } from './parse.ts'
import { recordTrust, trustOf } from './trust.ts'

/** `text` null removes the key. */
export type ConfigChange = { key: string; text: string | null }

type Edited = { changed: boolean; trusted: boolean }

export function editConfig(paths: Paths, place: ConfigPlace, change: ConfigChange): Result<Edited> {
  const file = readConfigFile(place)
  if (!file.ok) return file
  const before = file.value ?? { ...place, bytes: Buffer.alloc(0) }
  const entries = parseConfig(before)
  if (!entries.ok) return entries
  const trusted = place.of === 'user' || file.value === null || trustOf(paths, before) === 'trusted'
  const known = entries.value.find(({ key }) => key === change.key)
  if ((known?.text ?? null) === change.text) return ok({ changed: false, trusted })
  const after: ConfigFile = { ...place, bytes: Buffer.from(edited(before.bytes.toString('utf8'), change)) }
  const large = overSize(place, after.bytes.length)
  if (large) return large
  const check = parseConfig(after)
  const held = check.ok && (check.value.find(({ key }) => key === change.key)?.text ?? null)
  if (held !== change.text) throw new Error(`Internal error: ${place.path} would not hold ${change.key}`)
  const written = write(place, after.bytes.toString('utf8'))
  if (!written.ok) return written
  // The user made this change: a trusted file stays trusted, another one does not become so.
  if (place.of === 'project' && trusted) {
    const recorded = recordTrust(paths, after, true)
    if (!recorded.ok) return recorded
  }
  return ok({ changed: true, trusted })
}

function edited(before: string, { key, text }: ConfigChange): string {
  const document = parseDocument(before)
  if (text === null) return without(document, before, key)
  const node = new Scalar(plain(text))
  const old = document.get(key, true)
  if (isScalar(old) && old.comment) node.comment = old.comment
  // Removing the last key leaves {}; later keys go on lines of their own.
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = false
  if (isScalar(document.contents)) document.contents = null
  document.set(key, node)
  return document.toString({ lineWidth: 0 })
}

/** Cuts the key's lines out of the text: a comment above it is the user's and stays. */
function without(document: Document, before: string, key: string): string {
  const { contents } = document
  const pair = isMap(contents) && contents.items.find(item => isScalar(item.key) && item.key.value === key)
  const [from, to] = pair ? [pair.key, pair.value].map(node => (isNode(node) && node.range) || null) : []
  if (!from || !to || !isMap(contents) || contents.flow) {
    document.delete(key)
    return document.toString({ lineWidth: 0 })
  }
  const begin = before.lastIndexOf('\n', from[0] - 1) + 1
  const isWhole = before[to[1] - 1] === '\n' // of a text over several lines
  const end = isWhole ? to[1] : before.indexOf('\n', to[1]) + 1 || before.length
  return before.slice(0, begin) + before.slice(end)
}

/** Without quotes if that means the same. */
function plain(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

function write(place: ConfigPlace, text: string): Result<null> {
  // A user's link stays a link: its target is replaced.
  const path = place.of === 'user' && existsSync(place.path) ? realpathSync(place.path) : place.path
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  const modes =
    place.of === 'user'
      ? { fileMode: 0o600, directoryMode: 0o700 }
      : { fileMode: 0o666, directoryMode: 0o777 }
  return writeWhole(path, { text, ...modes, ...(mode !== undefined && { fileMode: mode & 0o777 }) })
}
