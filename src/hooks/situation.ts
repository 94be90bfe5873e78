/**
 * Everything known when a session stops or starts, gathered from the data directory, the work tree and the task
 * list. Their content is treated as claims (core/session).
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain, type TreeFile } from '../adapters/tree-file.ts'
import { parseJson, parseStateFile, type StateFile } from '../core/session/state-file.ts'
import { noBlocks, type SessionLoop, type Situation } from '../core/session/stop.ts'
import { parseWorkflow } from '../core/session/tasks.ts'
import { platform } from '../platform/platform.ts'
import type { Paths } from '../store/files/paths.ts'
import {
  isUnderWay,
  type Marker,
  readCounter,
  readMarkers,
  unboundName,
} from '../store/files/session-marker.ts'
import { tasksOf } from './task-list.ts'

/** The useful fields of the host program's message on stdin. */
export type HookCall = {
  session: string
  cwd: string
  again: boolean
  subagents: boolean
  costUsd: number | null
  tasks: unknown[] | null
}

export type SessionPlace = { paths: Paths; env: NodeJS.ProcessEnv; asked: HookCall }

/** `name`: the key of the counter and of a new marker. */
export type Seen = {
  situation: Situation
  tree: string
  marker: Marker | null
  name: string
  /** The directory of its task list, if it has one. */
  list: string | null
}

/** How often in a row Claude Code accepts a block. */
const hostCap = 8

export function lookAround({ paths, env, asked }: SessionPlace): Seen {
  const places = placesOf(asked, env)
  const marker = markerFor(readMarkers(paths), asked.session, places)
  const tree = marker?.loop.tree ?? places.find(hasState) ?? places[0] ?? asked.cwd
  const name = marker?.name ?? unboundName(tree)
  const workflow = read(tree, 'workflow-state.json')
  const loop = marker && sameHost(marker.loop, { env, asked })
  const bound = loop?.taskList ?? null
  const { list, tasks } = tasksOf(asked, { paths, env, bound })
  return {
    tree,
    marker,
    name,
    list,
    situation: {
      session: asked.session,
      again: asked.again,
      subagents: asked.subagents,
      loop,
      counter: marker ? readCounter(paths, name) : noBlocks,
      file: stateFile(tree),
      workflow: typeof workflow === 'string' ? null : parseWorkflow(workflow.text),
      tasks,
      costUsd: asked.costUsd,
      cap: capOf(env),
    },
  }
}

/** A cleared session has a new id but the same process, so it keeps its loop. */
function sameHost(loop: SessionLoop, { env, asked }: Pick<SessionPlace, 'env' | 'asked'>): SessionLoop {
  const isCleared = loop.session !== asked.session && loop.host !== undefined && loop.host === hostHere(env)
  return isCleared ? { ...loop, session: asked.session } : loop
}

/** The process of the session, if the host program names it: its pid and start time. */
export function hostHere(env: NodeJS.ProcessEnv): string | undefined {
  const pid = Number(env['CLAUDE_PID'])
  const proc = Number.isSafeInteger(pid) && pid > 1 ? platform.processes.find(pid) : null
  return proc ? `${pid}:${proc.start}` : undefined
}

/** Zero means no cap; the hook then uses the usual one. */
function capOf(env: NodeJS.ProcessEnv): number {
  const cap = Number(env['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'])
  return cap > 0 ? cap : hostCap
}

function stateFile(tree: string): StateFile | 'broken' | null {
  const found = read(tree, 'state.json')
  if (found === 'absent') return null
  return (found !== 'broken' && parseStateFile(found.text)) || 'broken'
}

/** The `pipeline` in a run's `_meta.md`. */
export function pipelineOf({ loop }: Situation): string {
  const found = loop?.run ? readPlain(join(loop.tree, loop.run), '_meta.md', 64_000) : 'absent'
  const line = typeof found === 'string' ? null : /^[ \t>*-]*pipeline[ \t*:]+(.+)$/im.exec(found.text)
  return line?.[1]?.trim().slice(0, 100) || 'loop'
}

export function hasContext({ loop }: Situation): boolean {
  return loop?.run ? typeof readPlain(join(loop.tree, loop.run), '_context.md') !== 'string' : false
}

/**
 * The session's own active loop, otherwise an unbound one in this directory, otherwise any other of the session or
 * the directory.
 */
export function markerFor(markers: Marker[], session: string | null, places: string[]): Marker | null {
  const own = markers.filter(({ loop }) => loop.session !== null && loop.session === session)
  const here = markers
    .filter(({ loop }) => places.some(place => isInside(place, loop.tree)))
    .sort((a, b) => b.loop.tree.length - a.loop.tree.length)
  const nobodys = here.filter(({ loop }) => loop.session === null)
  return (
    own.find(isUnderWay) ?? nobodys.find(isUnderWay) ?? own[0] ?? here.find(isUnderWay) ?? here[0] ?? null
  )
}

/** The session's first and current directories: an agent cannot escape by changing its directory. */
function placesOf({ cwd }: HookCall, env: NodeJS.ProcessEnv): string[] {
  const named = [env['CLAUDE_PROJECT_DIR'], cwd].filter(place => place?.startsWith('/'))
  return [...new Set(named.flatMap(place => real(place ?? '')))]
}

function real(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return [] // it is gone
  }
}

function hasState(tree: string): boolean {
  return read(tree, 'state.json') !== 'absent' || read(tree, 'workflow-state.json') !== 'absent'
}

function read(tree: string, name: string): TreeFile {
  return readPlain(join(tree, '.loop'), name)
}

function isInside(inner: string, outer: string): boolean {
  return `${inner}/`.startsWith(outer === '/' ? outer : `${outer}/`)
}

/** Null if it cannot be understood; then the session is released with a message. */
export function askedFrom(text: string): HookCall | null {
  const input = parseJson(text)
  if (typeof input !== 'object' || input === null) return null
  const { session_id, cwd, stop_hook_active, background_tasks, cost_usd, tasks } = input as Record<
    string,
    unknown
  >
  if (typeof session_id !== 'string' || session_id === '' || typeof cwd !== 'string') return null
  return {
    session: session_id,
    cwd,
    again: stop_hook_active === true,
    subagents: Array.isArray(background_tasks) && background_tasks.some(isSubagent),
    costUsd: typeof cost_usd === 'number' && Number.isFinite(cost_usd) ? cost_usd : null,
    tasks: Array.isArray(tasks) ? tasks : null,
  }
}

/** A shell can be a server that never ends; a subagent reports, and then the session stops again. */
function isSubagent(task: unknown): boolean {
  return typeof task === 'object' && task !== null && (task as Record<string, unknown>)['type'] === 'subagent'
}
