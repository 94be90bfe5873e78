/**
 * Words that only this host system knows, for cli/completion/complete: ids of loops; the checkpoints, nodes or findings
 * of the loop that the line names; templates and their variables. If something is missing or broken there are none,
 * because a message would disturb the person who pressed Tab.
 */
import { history, ownCheckpoints } from '../../core/loop/history.ts'
import { findingsIn } from '../../core/plan/review.ts'
import { type ByKind, byKind } from '../../core/summary.ts'
import { readState } from '../../engine/machine.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { allTemplates } from '../workflow/places.ts'
import type { LiveKind } from './complete.ts'

const mostIds = 50

type Line = Input & { command: string }

/** Each with a tab and its description. */
export async function liveWords(kind: LiveKind, line: Line): Promise<string[]> {
  if (kind === 'templates') return allTemplates(line).map(({ name, place }) => `${name}\t${place}`)
  if (kind === 'variables') return variables(line)
  const store = openStoreToRead(pathsFrom(line.env))
  if (!store.ok || !store.value) return []
  try {
    return kind === 'ids' ? ids(store.value) : ofLoop(kind, store.value, line).map(word => `${word}\t`)
  } finally {
    store.value.close()
  }
}

function ids(store: Store): string[] {
  const { summaries } = store.heads.briefs({ all: { limit: mostIds } })
  return [...summaries.map(({ id, status }) => `${id}\t${status}`), '@last\tthe newest loop here']
}

type Named = 'saved' | 'nodes' | 'findings'

function ofLoop(kind: Named, store: Store, line: Line): string[] {
  const found = findLoop(store, { ...line, positionals: line.positionals.slice(0, 1) })
  return found.ok ? byKind(names, found.value, store)[kind] : []
}

const none = { saved: [], nodes: [], findings: [] }

const names: ByKind<Record<Named, string[]>, [Store]> = {
  loop({ id }, store) {
    const events = store.journals.read(id)
    if (!events.ok) return none
    const taken = history(events.value).flatMap(({ checkpoint, after }) => [
      checkpoint,
      ...(after ? [after] : []),
    ])
    return { ...none, saved: ['initial', ...taken, ...ownCheckpoints(events.value)] }
  },
  group({ id }, store) {
    const group = readState(store, id, 'group')
    if (!group.ok) return none
    const { nodes, checkpoints } = group.value
    // The nodes that are loops with files of their own.
    const results = nodes.flatMap(({ node }) => (node.kind === 'loop' && !node.reads ? node.id : []))
    const saved = [...checkpoints.map(({ name }) => name), ...results]
    return { saved, nodes: results, findings: findingsIn(group.value) }
  },
  newer: () => none,
}

/** Those of the file or template that the line names: `workflow run <file>`, `template run <name>`, `--template`. */
async function variables(line: Line): Promise<string[]> {
  const [, named] = line.positionals
  const template = line.command === 'template' ? named : line.command === 'start' && line.value('template')
  const found = allTemplates(line).find(({ name }) => name === template)
  const path = line.command === 'workflow' ? named : found?.path
  if (!path) return []
  const { declaredIn } = await import('../workflow/places.ts')
  return declaredIn(path).map(
    ({ name, description }) => `${name}=\t${description?.replaceAll(/\s+/g, ' ') ?? ''}`,
  )
}
