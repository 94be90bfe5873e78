/**
 * The verify commands of tasks, as recorded by `loop task add --verify` or a plan: in the data directory, outside of
 * the agent's work tree. Only these are run; the description in a task file is just text. One small file for each task,
 * so that two processes never change the same one.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { objectOf, parseJson } from '../../core/session/state-file.ts'
import { sumOf } from './checksum.ts'
import type { Paths } from './paths.ts'

export type TaskCheck = {
  command: string
  /** The directory in which it runs. */
  cwd: string
  /** The time of loop's last passing run; null before the first. */
  passedAt: string | null
}

const mostBytes = 16_000

/** `list`: the directory of the task list; `number`: that of the task. */
export type TaskPlace = { list: string; number: number }

export function readTaskCheck(paths: Pick<Paths, 'data'>, place: TaskPlace): TaskCheck | null {
  const found = objectOf(parseJson(read(fileOf(paths, place))))
  // A list that was removed and made again begins with other tasks.
  if (found?.['inode'] !== inodeOf(place.list)) return null
  const { command, cwd, passedAt } = found
  if (typeof command !== 'string' || typeof cwd !== 'string') return null
  return { command, cwd, passedAt: typeof passedAt === 'string' ? passedAt : null }
}

export function writeTaskCheck(paths: Pick<Paths, 'data'>, place: TaskPlace, check: TaskCheck): void {
  const file = fileOf(paths, place)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, JSON.stringify({ ...check, inode: inodeOf(place.list) }), { mode: 0o600 })
  renameSync(next, file)
}

export function removeTaskCheck(paths: Pick<Paths, 'data'>, place: TaskPlace): void {
  rmSync(fileOf(paths, place), { force: true })
}

/** The directory for the files of such a run. */
export function taskRunDir({ data }: Pick<Paths, 'data'>, { list, number }: TaskPlace): string {
  return join(data, 'tasks', sumOf(list), `run-${number}`)
}

/** The task list of a session that keeps no list outside of the data directory. */
export function ownTaskList({ data }: Pick<Paths, 'data'>, name: string): string {
  return join(data, 'task-lists', name.replaceAll(/[^\w-]/g, '-'))
}

function fileOf({ data }: Pick<Paths, 'data'>, { list, number }: TaskPlace): string {
  return join(data, 'tasks', sumOf(list), `${number}.json`)
}

function inodeOf(dir: string): number | null {
  return lstatSync(dir, { throwIfNoEntry: false })?.ino ?? null
}

function read(file: string): string {
  try {
    return lstatSync(file).size <= mostBytes ? readFileSync(file, 'utf8') : ''
  } catch {
    return '' // none was recorded
  }
}
