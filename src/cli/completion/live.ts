/**
 * Words that only this machine knows, for the completion scripts: `loop completion words <kind> …` prints them, one per
 * line. If something is missing or broken it prints nothing, because a message would disturb the person who pressed
 * Tab.
 */
import { history, ownCheckpoints } from '../../core/loop/history.ts'
import { findingsIn } from '../../core/programs/plan/review.ts'
import { readGroup } from '../../engine/read-group.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { allTemplates } from '../template/places.ts'
import { declaredIn } from '../template/variables.ts'
import type { LiveKind } from './words.ts'

const mostIds = 50

/** `words`: the loop in question; for variables, the whole line. */
export function liveWords(kind: string, words: string[], input: Input): string[] {
  const read = readers[kind as LiveKind] as Reader | undefined
  return read ? read(words, input) : []
}

type Reader = (words: string[], input: Input) => string[]

const readers: Record<LiveKind, Reader> = {
  ids: (_, input) =>
    inStore(input, store => [
      ...store.heads.briefs({ all: { limit: mostIds } }).summaries.map(({ id }) => id),
      '@last',
    ]),
  saved: ofLoop((store, found) =>
    found.kind === 'group' ? savedInGroup(store, found.id) : savedInLoop(store, found.id),
  ),
  nodes: ofLoop((store, { id, kind }) => (kind === 'group' ? resultsIn(store, id) : [])),
  findings: ofLoop((store, { id, kind }) => {
    const state = kind === 'group' ? readGroup(store, id) : null
    return state?.ok ? findingsIn(state.value) : []
  }),
  templates: (_, input) => templatesHere(input).map(({ name }) => name),
  variables: (words, input) => {
    const path = fileOf(words, input)
    return path === null ? [] : declaredIn(path).map(({ name }) => `${name}=`)
  },
}

function inStore(input: Input, look: (store: Store) => string[]): string[] {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok || !store.value) return []
  try {
    return look(store.value)
  } finally {
    store.value.close()
  }
}

function ofLoop(look: (store: Store, found: { id: string; kind?: string }) => string[]): Reader {
  return ([name = ''], input) =>
    inStore(input, store => {
      const found = findLoop(store, { ...input, positionals: [name] })
      return found.ok ? look(store, found.value) : []
    })
}

function savedInLoop(store: Store, id: string): string[] {
  const events = store.journals.read(id)
  if (!events.ok) return []
  const names = history(events.value).flatMap(({ checkpoint, after }) => [
    checkpoint,
    ...(after ? [after] : []),
  ])
  return ['initial', ...names, ...ownCheckpoints(events.value)]
}

function savedInGroup(store: Store, id: string): string[] {
  const state = readGroup(store, id)
  return state.ok ? [...state.value.checkpoints.map(({ name }) => name), ...resultsIn(store, id)] : []
}

/** The nodes that are loops with files of their own. */
function resultsIn(store: Store, id: string): string[] {
  const state = readGroup(store, id)
  if (!state.ok) return []
  return state.value.nodes.flatMap(({ node }) => (node.kind === 'loop' && !node.reads ? node.id : []))
}

/** The templates for the current directory. */
function templatesHere(input: Input) {
  return allTemplates({ ...input, value: name => (name === 'cwd' ? null : input.value(name)) })
}

/** The template or file that the line names: `--template tdd`, `template run tdd`, `workflow run file.yaml`. */
function fileOf(words: readonly string[], input: Input): string | null {
  const after = (word: string) => words[words.indexOf(word) + 1] ?? ''
  const written = words.find(word => word.startsWith('--template='))?.slice('--template='.length)
  const isRun = words.includes('run')
  if (isRun && words.includes('workflow')) return after('run') || null
  const name = written ?? after(isRun && words.includes('template') ? 'run' : '--template')
  return templatesHere(input).find(template => template.name === name)?.path ?? null
}
