/**
 * The task list that a command means: the named one, the one that Claude Code was told to use, the one bound to this
 * session's loop, the session's own, otherwise the project's.
 */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { readTaskFiles } from '../../adapters/task-files.ts'
import { markerFor } from '../../hooks/situation.ts'
import { listDir, namedList } from '../../hooks/task-list.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { type Paths, pathsFrom } from '../../store/files/paths.ts'
import { type Marker, readMarkers } from '../../store/files/session-marker.ts'
import { ownTaskList } from '../../store/files/task-checks.ts'
import type { Input } from '../command-table.ts'
import { sessionHere } from '../session/begin.ts'

/** `marker`: of the loop whose session works through the list. */
export type ListHere = { list: string; name: string; marker: Marker | null; paths: Paths }

export function taskListHere(input: Input, tree: string): Result<ListHere> {
  const { env } = input
  const paths = pathsFrom(env)
  const marker = markerFor(readMarkers(paths), sessionHere(env), [tree])
  const typed = input.value('task-list')
  if (typed === '') return fail('invalid-arguments', { kind: 'empty-task-list' })
  const slug = marker?.loop.run ? slugOf(marker.loop.run) : 'tasks'
  const list = typed === null ? usualList(env, { marker, tree, slug }) : listNamed({ typed, tree, slug }, env)
  if (list === null) return fail('system', { kind: 'no-home' })
  return ok({ list, name: basename(list), marker, paths })
}

type Usual = { marker: Marker | null; tree: string; slug: string }

function usualList(env: NodeJS.ProcessEnv, { marker, tree, slug }: Usual): string | null {
  const session = sessionHere(env)
  const bound = env['CLAUDE_CODE_TASK_LIST_ID'] ? undefined : marker?.loop.taskList
  if (bound !== undefined) return bound
  if (env['CLAUDE_CODE_TASK_LIST_ID'] || session) return listDir(session ?? '', env)
  return namedList(projectList(tree, slug), env)
}

/** The directory of `new`, `session`, or a list of this name. */
export function listNamed(
  { typed, tree, slug }: { typed: string; tree: string; slug: string },
  env: NodeJS.ProcessEnv,
): string | null {
  const project = projectList(tree, slug)
  if (typed === 'session') return ownTaskList(pathsFrom(env), sessionHere(env) ?? project)
  return typed === 'new' ? unused(project, env) : namedList(typed, env)
}

function projectList(tree: string, slug: string): string {
  return `${basename(tree) || 'project'}-${slug}`
}

/** The name, or the first of -2, -3 … that has no list yet. */
function unused(name: string, env: NodeJS.ProcessEnv): string | null {
  const names = [name, ...Array.from({ length: 98 }, (_, at) => `${name}-${at + 2}`)]
  const free = names.find(one => {
    const dir = namedList(one, env)
    return dir === null || !existsSync(dir) || readTaskFiles(dir).length === 0
  })
  return namedList(free ?? name, env)
}

/** `login` of `.loop/runs/2026-11-17-login`. */
function slugOf(run: string): string {
  return basename(run).replace(/^\d{4}-\d\d-\d\d-/, '')
}
