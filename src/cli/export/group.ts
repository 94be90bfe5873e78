/**
 * The content of a group's export: its journal and summary, the outputs of its commands, the changes of each
 * attempt; and everything of each loop below `members/<id>`.
 */

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { wholeDiff } from '../../checkpoints/contract.ts'
import { gitCheckpoints } from '../../checkpoints/git/backend.ts'
import { beginGroup, evolveGroup } from '../../core/group/evolve.ts'
import { checkpointOf, type GroupState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { failureWords } from '../../failures/words.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { redactAll, redactText } from '../../secrets/redact.ts'
import { checkpointStore, loopDir } from '../../store/files/paths.ts'
import { announceGroup, groupReceipt } from '../../views/text/group/announce.ts'
import { comparisonTable } from '../../views/text/group/compare.ts'
import { groupHistory } from '../../views/text/group/history.ts'
import { contentsOf, type ExportEntry, type ExportSource, journalOf, type LeftOut } from './contents.ts'

type Item = ExportEntry | LeftOut

export async function* contentsOfGroup(source: ExportSource, members: ExportSource[]): AsyncGenerator<Item> {
  yield* journalOf(source)
  const told = tellable(source)
  if (told) yield* toldOf(source, told)
  else yield { what: 'summary, log, history and receipt', why: 'the first event cannot be read' }
  yield* outputs(source)
  if (told) yield* diffs(source, told.state)
  for (const member of members) {
    for await (const item of contentsOf(member)) yield below(`members/${member.id}`, item)
  }
}

function below(place: string, item: Item): Item {
  return 'why' in item
    ? { ...item, what: `${place}: ${item.what}` }
    : { ...item, path: `${place}/${item.path}` }
}

type ToldGroup = { state: GroupState; log: string[] }

/** The state up to the first unreadable event. */
function tellable({ events, bad }: ExportSource): ToldGroup | null {
  const readable = events.filter(({ seq }) => seq < (bad[0] ?? Number.POSITIVE_INFINITY))
  const [first, ...rest] = readable as unknown as GroupRecorded[]
  if (first?.kind !== 'group.created') return null
  let state = beginGroup(first)
  const log = announceGroup(first, state)
  for (const event of rest) {
    state = evolveGroup(state, event)
    log.push(...announceGroup(event, state))
  }
  return { state, log }
}

function* toldOf({ events, secrets }: ExportSource, { state, log }: ToldGroup): Generator<Item> {
  const at = events.at(-1)?.at ?? 0
  const lines = (path: string, some: string[]) => ({
    path,
    at,
    text: `${redactAll(some, secrets).join('\n')}\n`,
  })
  const summary = redactAll(summarizeGroup(state), secrets)
  yield { path: 'summary.json', at, text: `${JSON.stringify(summary, null, 2)}\n` }
  yield lines('log.txt', log)
  yield lines('history.txt', groupHistory(state))
  yield lines('compare.txt', comparisonTable(state))
  yield lines('receipt.txt', groupReceipt(state, { summary: summarizeGroup(state), orphaned: false }, at))
}

/** The outputs of its commands, and of the promise in its tree. */
function* outputs({ id, paths, events }: ExportSource): Generator<Item> {
  const root = loopDir(paths, id)
  const at = events.at(-1)?.at ?? 0
  for (const part of ['commands', 'verify']) {
    for (const [i, name] of directoriesIn(join(root, part)).entries())
      yield { path: `${part}/${numbered(i, name)}/out`, at, file: join(root, part, name, 'out') }
  }
}

/** Only real directories: an agent can put a link there. */
function directoriesIn(dir: string): string[] {
  const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isDirectory(dir)) return []
  return readdirSync(dir)
    .filter(name => isDirectory(join(dir, name)))
    .sort()
}

const longestName = 50

/** The longest node names do not fit into an archive; the number keeps them apart. */
function numbered(i: number, name: string): string {
  return `${i + 1}-${name.replaceAll(/[^\w.-]/g, '-').slice(0, longestName)}`
}

/** The diff of each result against the tree that the group found. */
async function* diffs(source: ExportSource, state: GroupState): AsyncGenerator<Item> {
  const { cwd } = state.spec
  const from = checkpointOf(state, 'initial')
  const results = state.nodes.filter(({ end }) => end?.tree !== undefined)
  if (from === null || results.length === 0) return
  const backend = gitCheckpoints({ tree: cwd, store: checkpointStore(source.paths, { cwd }) })
  for (const [i, { node, end }] of results.entries()) {
    const path = `diffs/${numbered(i, node.id)}.patch`
    const diff = await wholeDiff(backend, { from, to: end?.tree ?? from })
    if (!diff.ok) yield { what: path, why: failureWords(diff.failure) }
    else {
      const clean = redactText(diff.value.toString('latin1'), source.secretBytes)
      yield { path, at: state.lastAt, bytes: Buffer.from(clean, 'latin1') }
    }
  }
}
