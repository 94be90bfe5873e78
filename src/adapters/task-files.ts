/**
 * The files of a task list, with the format and the locks of Claude Code, because a session may read and write them at
 * the same time. Claude Code rewrites its files in place, so a file may be half-written: then it is read again. loop
 * replaces files by rename.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import { type TaskFile, type TaskStatus, taskStatuses } from '../model/task-file.ts'
import { readPlain, replaceFile } from './tree-file.ts'

const most = { tasks: 500, bytes: 64_000 }

export function readTaskFiles(dir: string): TaskFile[] {
  return numbersIn(dir)
    .slice(0, most.tasks)
    .flatMap(number => readTaskFile(dir, number) ?? [])
}

export function readTaskFile(dir: string, number: number): TaskFile | null {
  for (let tries = 0; tries < 2; tries += 1) {
    const found = readPlain(dir, `${number}.json`, most.bytes)
    if (typeof found === 'string') return null
    const task = taskIn(found.text)
    if (task) return task
  }
  return null
}

/** `make` gets the number of the new task. */
export function addTaskFile(dir: string, make: (number: number) => TaskFile): Result<TaskFile> {
  return onDisk(dir, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    writeFileSync(join(dir, '.lock'), '', { flag: 'a' })
    return underLock(join(dir, '.lock.lock'), () => {
      const numbers = numbersIn(dir)
      if (numbers.length >= most.tasks)
        return fail('invalid-arguments', { kind: 'task-list-full', most: most.tasks })
      const task = make(lastTaskNumber(dir) + 1)
      writeTask(dir, task)
      for (const blocker of task.blockedBy) link(dir, blocker, task.id)
      return ok(task)
    })
  })
}

/** Replaces a task with the result of `change`; null deletes it. The value is null if there is no such task. */
export function changeTaskFile(
  dir: string,
  number: number,
  change: (task: TaskFile) => Result<TaskFile | null>,
): Result<TaskFile | null> {
  return onDisk(dir, () => {
    if (!readTaskFile(dir, number)) return ok(null)
    return underLock(join(dir, `${number}.json.lock`), () => {
      const before = readTaskFile(dir, number)
      if (!before) return ok(null)
      const after = change(before)
      if (!after.ok) return after
      if (after.value) writeTask(dir, after.value)
      else remove(dir, number)
      for (const blocker of after.value?.blockedBy ?? []) link(dir, blocker, before.id)
      return ok(after.value ?? before)
    })
  })
}

/** Writes the whole list as a projection: only files that differ are written. */
export function projectTaskFiles(dir: string, tasks: readonly TaskFile[]): Result<null> {
  return onDisk(dir, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    writeFileSync(join(dir, '.lock'), '', { flag: 'a' })
    return underLock(join(dir, '.lock.lock'), () => {
      for (const task of tasks) {
        const there = readPlain(dir, `${task.id}.json`, most.bytes)
        if (typeof there === 'string' || there.text !== textOf(task)) writeTask(dir, task)
      }
      return ok(null)
    })
  })
}

/** Adds to `blocks` in the file of the blocker. If that file is locked now, `blockedBy` in the other file is enough. */
function link(dir: string, blocker: string, blocked: string): void {
  const number = Number(blocker)
  const task = Number.isSafeInteger(number) ? readTaskFile(dir, number) : null
  if (!task || task.blocks.includes(blocked)) return
  underLock(join(dir, `${number}.json.lock`), () => {
    const now = readTaskFile(dir, number)
    if (now && !now.blocks.includes(blocked)) writeTask(dir, { ...now, blocks: [...now.blocks, blocked] })
    return ok(null)
  })
}

function remove(dir: string, number: number): void {
  const mark = Math.max(number, highWatermark(dir))
  replaceFile(dir, '.highwatermark', String(mark))
  rmSync(join(dir, `${number}.json`), { force: true })
}

/** The highest number ever used in this list, as recorded when tasks were deleted. */
function highWatermark(dir: string): number {
  const found = readPlain(dir, '.highwatermark', 100)
  const mark = typeof found === 'string' ? 0 : Number(found.text.trim())
  return Number.isSafeInteger(mark) && mark > 0 ? mark : 0
}

/** The highest number that is or was used in this list; 0 for an empty list. */
export function lastTaskNumber(dir: string): number {
  return Math.max(0, ...numbersIn(dir), highWatermark(dir))
}

function numbersIn(dir: string): number[] {
  try {
    return readdirSync(dir)
      .flatMap(name => /^([1-9]\d{0,8})\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
  } catch {
    return [] // there is no list yet
  }
}

function writeTask(dir: string, task: TaskFile): void {
  replaceFile(dir, `${task.id}.json`, textOf(task))
}

/** The format of Claude Code: two spaces, no newline at the end. */
function textOf(task: TaskFile): string {
  return JSON.stringify(task, null, 2)
}

/** Null for a file that Claude Code itself would ignore. Unknown fields are kept. */
function taskIn(text: string): TaskFile | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null // half-written, or not JSON
  }
  if (typeof value !== 'object' || value === null) return null
  const task = value as Record<string, unknown>
  const isWhole =
    [task['id'], task['subject'], task['description']].every(one => typeof one === 'string') &&
    taskStatuses.includes(task['status'] as TaskStatus) &&
    [task['blocks'], task['blockedBy']].every(
      list => Array.isArray(list) && list.every(one => typeof one === 'string'),
    )
  return isWhole ? (task as TaskFile) : null
}

/** Turns an error of the disk into a failure. */
function onDisk<T>(dir: string, work: () => Result<T>): Result<T> {
  try {
    return work()
  } catch (error) {
    return fail('system', { kind: 'task-list-unwritable', dir, why: (error as Error).message })
  }
}

/**
 * The locks of Claude Code's task lists: directories that are created and removed. The holder touches its lock every
 * few seconds. A lock that was not touched for ten seconds is left from a dead process and is taken over.
 */
const staleMs = 10_000
const patienceMs = 12_000
const pauseMs = 25

/** Runs `work` while holding the lock. Synchronous, because it takes only milliseconds. */
export function underLock<T>(lock: string, work: () => Result<T>): Result<T> {
  const until = Date.now() + patienceMs
  while (!take(lock)) {
    if (Date.now() > until) return fail('system', { kind: 'task-list-locked', path: lock })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  try {
    return work()
  } finally {
    release(lock)
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = statSync(lock, { throwIfNoEntry: false })
  // Touched before it is removed: a second process that found it stale then sees a fresh lock.
  if (found && Date.now() - found.mtimeMs > staleMs) retire(lock)
  return false
}

function retire(lock: string): void {
  try {
    const now = new Date()
    utimesSync(lock, now, now)
    rmdirSync(lock)
  } catch {
    // Gone by itself, or not empty: then it is no lock, and waiting ends with a message.
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock)
  } catch {
    // Another process took the lock as stale while this one was stopped for a long time.
  }
}
