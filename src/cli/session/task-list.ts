/**
 * The task list of a session. Which one a command means: the named one, the one that Claude Code was told to use, the one
 * bound to this session's loop, the session's own, otherwise the project's. And what `loop task add` and `update` do: the
 * files of the list, the recorded command, and the run that completes a task.
 */

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { addTaskFile, changeTaskFile, readTaskFiles } from '../../adapters/task-files.ts'
import { blockerCycle, progressive, taskName, taskNumber } from '../../core/plan/waves.ts'
import { type CheckedTask, checkTask } from '../../engine/task-check.ts'
import { markerFor } from '../../hooks/situation.ts'
import { listDir, namedList } from '../../hooks/task-list.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { type TaskFile, type TaskStatus, taskStatuses } from '../../model/task-file.ts'
import { platform } from '../../platform/platform.ts'
import { type Paths, pathsFrom } from '../../store/files/paths.ts'
import { type Marker, readMarkers, writeMarker } from '../../store/files/session-marker.ts'
import { ownTaskList, readTaskCheck, removeTaskCheck, writeTaskCheck } from '../../store/files/task-checks.ts'
import type { Input } from '../command-table.ts'
import { sessionHere } from './begin.ts'

/** `marker`: of the loop whose session works through the list. */
export type ListHere = { list: string; name: string; marker: Marker | null; paths: Paths }

export function taskListHere(input: Input, tree: string): Result<ListHere> {
  const { env } = input
  const paths = pathsFrom(env)
  const marker = markerFor(readMarkers(paths), sessionHere(env), [tree])
  const typed = input.value('task-list')
  if (typed === '') return invalid({ kind: 'empty-task-list' })
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

/** `checked`: the result of loop's own run of its command; null if none was run. */
export type ChangedTask = { task: TaskFile; checked: CheckedTask | null; deleted: boolean }

export function addTask(
  subject: string,
  input: Input,
  place: ListHere & { tree: string },
): Result<ChangedTask> {
  const wanted = readWish(input, place)
  if (!wanted.ok) return wanted
  if (/[\r\n]/.test(subject) || subject.length > 200) return invalid({ kind: 'bad-subject' })
  const { verify, blockedBy = [], files, description, owner } = wanted.value
  const added = addTaskFile(place.list, number => {
    const others = readTaskFiles(place.list)
    const wave = 1 + Math.max(0, ...others.filter(({ id }) => blockedBy.includes(id)).map(waveOf))
    const metadata = {
      wave,
      ...(place.marker && { loopId: place.marker.loop.id ?? place.marker.name }),
      ...(verify !== undefined && { verification: 'execution output' }),
      stuckCount: 0,
      ...(files && { files }),
    }
    return {
      id: String(number),
      subject,
      description: described(description ?? subject, verify),
      activeForm: progressive(subject),
      ...(owner !== undefined && { owner }),
      status: 'pending',
      blocks: [],
      blockedBy,
      metadata,
    }
  })
  if (!added.ok) return added
  const task = added.value
  if (verify !== undefined) record(place, Number(task.id), verify)
  bindList(place)
  return ok({ task, checked: null, deleted: false })
}

/** The status `completed` is written only after the recorded command has passed. */
export async function updateTask(
  [id = '', status]: readonly string[],
  input: Input,
  place: ListHere & { tree: string },
): Promise<Result<ChangedTask>> {
  const number = taskNumber(id)
  if (number === null) return invalid({ kind: 'bad-task-id', id })
  const wanted = readWish(input, place)
  if (!wanted.ok) return wanted
  if (status !== undefined && status !== 'deleted' && !isStatus(status))
    return invalid({ kind: 'bad-task-status', status })
  const wish = wanted.value
  const circle = wish.blockedBy ? circleWith(place.list, String(number), wish.blockedBy) : null
  if (circle) return invalid({ kind: 'task-circle', path: circle })
  if (wish.verify !== undefined) record(place, number, wish.verify)
  if (status !== undefined && status !== 'completed') forgetPass(place, number)
  const checked = status === 'completed' ? await check(number, input, place) : ok(null)
  if (!checked.ok) return checked
  const isRefused = checked.value !== null && checked.value.verdict !== 'PASS'
  const changed = changeTaskFile(place.list, number, task =>
    ok(status === 'deleted' ? null : changedBy(task, wish, isRefused ? undefined : status)),
  )
  if (!changed.ok) return changed
  if (!changed.value) return invalid({ kind: 'unknown-task', task: taskName(number), list: place.name })
  if (status === 'deleted') removeTaskCheck(place.paths, { list: place.list, number })
  return ok({ task: changed.value, checked: checked.value, deleted: status === 'deleted' })
}

/** Work on the task continues, so an earlier pass no longer counts. */
function forgetPass({ paths, list }: ListHere, number: number): void {
  const recorded = readTaskCheck(paths, { list, number })
  if (recorded?.passedAt) writeTaskCheck(paths, { list, number }, { ...recorded, passedAt: null })
}

async function check(
  number: number,
  { env }: Input,
  { list, paths }: ListHere,
): Promise<Result<CheckedTask | null>> {
  const place = { list, number }
  const recorded = readTaskCheck(paths, place)
  if (!recorded) return ok(null)
  const never = new AbortController().signal
  const found = await checkTask(place, recorded, {
    paths,
    env,
    here: platform.processes.here(),
    now: new Date(),
    signal: never,
  })
  return found ?? ok(null)
}

function changedBy(task: TaskFile, wish: TaskWish, status: string | undefined): TaskFile {
  const { subject = task.subject, verify, blockedBy, files, description, owner } = wish
  const words = description ?? task.description
  return {
    ...task,
    subject,
    description: verify === undefined && description === undefined ? words : described(words, verify),
    ...(wish.subject !== undefined && { activeForm: progressive(subject) }),
    ...(owner !== undefined && { owner }),
    ...(blockedBy && { blockedBy }),
    ...(files && { metadata: { ...task.metadata, files } }),
    ...(status !== undefined && isStatus(status) && { status }),
  }
}

type TaskWish = {
  verify: string | undefined
  blockedBy: string[] | undefined
  files: string[] | undefined
  description: string | undefined
  subject: string | undefined
  owner: string | undefined
}

function readWish(input: Input, { list, name }: ListHere): Result<TaskWish> {
  const typed = (flag: string) => input.value(flag) ?? undefined
  const verify = typed('verify')
  if (verify !== undefined && (verify.trim() === '' || verify.length > 1_000 || /[\r\n\0]/.test(verify)))
    return invalid({ kind: 'bad-verify' })
  const ids = typed('blocked-by')
    ?.split(/[\s,]+/)
    .filter(Boolean)
  const known = new Set(ids ? readTaskFiles(list).map(({ id }) => id) : [])
  const blockedBy = ids?.map(id => String(taskNumber(id) ?? ''))
  const unknown = ids?.find((_, at) => !known.has(blockedBy?.[at] ?? ''))
  if (unknown !== undefined) return invalid({ kind: 'unknown-blocker', task: unknown, list: name })
  return ok({
    verify,
    blockedBy: blockedBy && [...new Set(blockedBy)],
    files: typed('files')
      ?.split(',')
      .map(path => path.trim())
      .filter(Boolean),
    description: typed('description'),
    subject: typed('subject'),
    owner: typed('owner'),
  })
}

/** The cycle that these blockers would close. */
function circleWith(list: string, id: string, blockedBy: string[]): string[] | null {
  const tasks = readTaskFiles(list).filter(({ status }) => status !== 'completed')
  const path = blockerCycle(tasks.map(task => (task.id === id ? { ...task, blockedBy } : task)))
  return path?.map(one => taskName(Number(one))) ?? null
}

/** The description, with the command as its last line. */
function described(words: string, verify: string | undefined): string {
  const plain = words.replace(/\n?^Verify: .*$/m, '').trimEnd()
  const before = /^Verify: (.*)$/m.exec(words)?.[1]
  const command = verify ?? before
  return command === undefined ? plain : `${plain}\nVerify: ${command}`
}

function record({ paths, list, tree }: ListHere & { tree: string }, number: number, command: string): void {
  writeTaskCheck(paths, { list, number }, { command, cwd: tree, passedAt: null })
}

/** Binds the list to the loop: from now on its session, whichever it is, works through it. */
function bindList({ paths, marker, list }: ListHere): void {
  if (marker && marker.loop.taskList !== list)
    writeMarker(paths, { ...marker, loop: { ...marker.loop, taskList: list } })
}

function waveOf({ metadata }: TaskFile): number {
  const wave = metadata?.['wave']
  return typeof wave === 'number' && wave > 0 ? wave : 1
}

function isStatus(text: string): text is TaskStatus {
  return taskStatuses.some(status => status === text)
}
