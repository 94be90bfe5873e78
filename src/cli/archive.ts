/**
 * An export. Its content: the journal and what is made of it as text, outputs as files to be read, diffs; of a group also
 * everything of each loop below `members/<id>`. Missing things are named with the reason; times are those of the events,
 * so that the same loop gives the same archive. And the archive before compression: each file is redacted on the way, and
 * a manifest at the end lists what is included and what is not. A file is read twice, first for its size and checksum,
 * which precede its content; so any size needs the same memory and no disk space.
 */

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeDiff } from '../checkpoints/contract.ts'
import { gitCheckpoints } from '../checkpoints/git/backend.ts'
import { folds, type JournalKind, type KindsOf } from '../core/folds.ts'
import { checkpointOf } from '../core/group/state.ts'
import { history } from '../core/loop/history.ts'
import { treeOf } from '../core/loop/parts/tree.ts'
import { type Fold, type Replayed, replayed } from '../core/machine.ts'
import { savedTree } from '../engine/garbage/discarded.ts'
import { openOutput, redactedPieces } from '../engine/perform/loop/redaction.ts'
import { failureWords } from '../failures/words.ts'
import { allOf, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { checkpointName } from '../model/units.ts'
import { version } from '../model/version.ts'
import { redactAll, redactor, redactText, type Secret } from '../secrets/redact.ts'
import { checkpointStore, loopDir, type Paths } from '../store/files/paths.ts'
import { toldFaces } from '../views/faces/told.ts'

type ExportEntry = { path: string; at: number } & ({ text: string } | { bytes: Buffer } | { file: string })
type LeftOut = { what: string; why: string }

type Item = ExportEntry | LeftOut

export type ExportSource = {
  id: string
  kind: JournalKind
  paths: Paths
  /** The events that chain correctly, and the numbers of damaged or missing ones. */
  events: Recorded[]
  bad: number[]
  secrets: Secret[]
  /** The same secrets as bytes. */
  secretBytes: Secret[]
  members: ExportSource[]
}

export async function* contentsOf(source: ExportSource): AsyncGenerator<Item> {
  const { kind, members } = source
  yield* journalOf(source)
  const state = yield* textsOf(source, kind)
  yield* parts[kind].outputs(source)
  if (state) yield* diffs(source, parts[kind].diffs(source, state as never))
  for (const member of members)
    for await (const item of contentsOf(member)) yield below(`members/${member.id}`, item)
}

function below(place: string, item: Item): Item {
  return 'why' in item
    ? { ...item, what: `${place}: ${item.what}` }
    : { ...item, path: `${place}/${item.path}` }
}

function* journalOf({ events, bad, secrets }: ExportSource): Generator<Item> {
  const lines = events.map(event => `${JSON.stringify(redactAll(event, secrets))}\n`)
  yield { path: 'journal.ndjson', at: events.at(-1)?.at ?? 0, text: lines.join('') }
  for (const seq of bad) yield { what: `event ${seq} of the journal`, why: 'damaged or missing' }
}

/** Returns the state up to the first unreadable event; null if that is the first one. */
function* textsOf<N extends JournalKind>(
  { events: all, bad, secrets }: ExportSource,
  kind: N,
): Generator<Item, KindsOf[N]['state'] | null> {
  const at = all.at(-1)?.at ?? 0
  const events = all.filter(({ seq }) => seq < (bad[0] ?? Number.POSITIVE_INFINITY))
  const fold = folds[kind] as unknown as Fold<KindsOf[N]>
  const log: string[] = []
  let last: Replayed<KindsOf[N]> | null = null
  for (last of replayed(fold, events)) log.push(...toldFaces[kind].announce(last))
  if (!last) {
    yield { what: 'summary, log, history and receipt', why: 'the first event cannot be read' }
    return null
  }
  const { state } = last
  const summary = redactAll(fold.summarize(state), secrets)
  yield { path: 'summary.json', at, text: `${JSON.stringify(summary, null, 2)}\n` }
  for (const [name, lines] of Object.entries({ log, ...toldFaces[kind].texts({ state, events: all, at }) }))
    yield { path: `${name}.txt`, at, text: `${redactAll(lines, secrets).join('\n')}\n` }
  return state
}

/** Two saved trees to compare, or the reason why they cannot be. */
type Range = { path: string; at: number; trees: Result<{ from: string; to: string }> } | LeftOut

type Parts<N extends JournalKind> = {
  outputs(source: ExportSource): Generator<Item>
  diffs(source: ExportSource, state: KindsOf[N]['state']): Iterable<Range>
}

const parts: { [N in JournalKind]: Parts<N> } = {
  loop: { outputs: outputsOfRuns, diffs: diffsOfIterations },
  group: { outputs: outputsOfNodes, diffs: diffsOfResults },
}

function* outputsOfRuns({ id, paths, events }: ExportSource): Generator<Item> {
  const root = loopDir(paths, id)
  const lastAt = events.at(-1)?.at ?? 0
  const times = timesOf(events)
  const found = new Set<string>()
  const places: [string, RegExp, string[]][] = [
    ['runs', /^\d+(\.unrecorded(-\d+)?)?$/, ['prompt', 'out', 'err']],
    ['verify', /^\d+-\d+$/, ['out']],
    ['hooks', /^\d+(\.unrecorded(-\d+)?)?$/, ['out']],
  ]
  for (const [part, pattern, names] of places) {
    for (const dir of directoriesIn(join(root, part), pattern).map(name => `${part}/${name}`)) {
      found.add(dir)
      for (const name of names)
        yield { path: `${dir}/${name}`, at: times.get(dir) ?? lastAt, file: join(root, dir, name) }
    }
  }
  for (const dir of times.keys()) if (!found.has(dir)) yield { what: dir, why: 'not on disk' }
}

/** The end times of runs and verifications, by directory. */
function timesOf(events: Recorded[]): Map<string, number> {
  const times = new Map<string, number>()
  const dirs = new Map<number, string>()
  for (const event of events) {
    if (event.kind === 'run.started') dirs.set(event.data.run, event.data.dir)
    if (event.kind === 'run.started' || event.kind === 'run.ended' || event.kind === 'run.lost')
      times.set(dirs.get(event.data.run) ?? `runs/${event.data.run}`, event.at)
    if (event.kind === 'hook.started') times.set(event.data.dir, event.at)
    if (event.kind === 'promise.verified')
      for (const index of event.data.results.keys())
        times.set(`verify/${event.data.iteration}-${index}`, event.at)
  }
  return times
}

/** The outputs of a group's commands, and of the promise in its tree. */
function* outputsOfNodes({ id, paths, events }: ExportSource): Generator<Item> {
  const root = loopDir(paths, id)
  const at = events.at(-1)?.at ?? 0
  for (const part of ['commands', 'verify'])
    for (const [i, name] of directoriesIn(join(root, part)).entries())
      yield { path: `${part}/${numbered(i, name)}/out`, at, file: join(root, part, name, 'out') }
}

/** By number, or else by name; only real directories, since an agent can put a link there. */
function directoriesIn(dir: string, pattern?: RegExp): string[] {
  const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isDirectory(dir)) return []
  const names = readdirSync(dir).filter(name => (pattern?.test(name) ?? true) && isDirectory(join(dir, name)))
  return pattern ? names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : names.sort()
}

const longestName = 50

/** The longest node names do not fit into an archive; the number keeps them apart. */
function numbered(i: number, name: string): string {
  return `${i + 1}-${name.replaceAll(/[^\w.-]/g, '-').slice(0, longestName)}`
}

async function* diffs(
  { paths, events, secretBytes }: ExportSource,
  ranges: Iterable<Range>,
): AsyncGenerator<Item> {
  const [created] = events
  const spec = created && 'spec' in created.data ? created.data.spec : null
  for (const range of ranges) {
    if ('why' in range || !spec) {
      if ('why' in range) yield range
      continue
    }
    const backend = gitCheckpoints({ tree: spec.cwd, store: checkpointStore(paths, spec) })
    const { path, at, trees } = range
    const diff = trees.ok ? await wholeDiff(backend, trees.value) : trees
    if (!diff.ok) yield { what: path, why: failureWords(diff.failure) }
    else {
      const clean = redactText(diff.value.toString('latin1'), secretBytes)
      yield { path, at, bytes: Buffer.from(clean, 'latin1') }
    }
  }
}

function* diffsOfIterations(source: ExportSource, state: KindsOf['loop']['state']): Generator<Range> {
  const { paths, events } = source
  if (state.spec.checkpoint === 'none') {
    yield { what: 'diffs', why: 'the loop was started with --checkpoint none' }
    return
  }
  for (const { n } of history(events)) {
    const [before, after] = [checkpointName(n), checkpointName(n, true)]
    const path = `diffs/${before}.patch`
    const isSaved = [before, after].every(name => treeOf(state.tree.checkpoints, name))
    const taken = (event: Recorded) => event.kind === 'checkpoint.taken' && event.data.name === after
    const trees = () =>
      allOf({
        from: savedTree(paths, state, { name: before }),
        to: savedTree(paths, state, { name: after }),
      })
    if (isSaved) yield { path, at: events.findLast(taken)?.at ?? state.lastAt, trees: trees() }
    else yield { what: path, why: 'the iteration has not come to its end' }
  }
}

/** Each result against the tree that the group found. */
function* diffsOfResults(_: ExportSource, state: KindsOf['group']['state']): Generator<Range> {
  const from = checkpointOf(state, 'initial')
  const results = state.nodes.flatMap(({ node, end }) =>
    end?.tree === undefined ? [] : { node, to: end.tree },
  )
  for (const [i, { node, to }] of results.entries())
    if (from !== null)
      yield { path: `diffs/${numbered(i, node.id)}.patch`, at: state.lastAt, trees: ok({ from, to }) }
}

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
