/**
 * `loop task`: the task list of a session, for people and for agents whose host program has no task tools. The files
 * are Claude Code's. A task with a recorded command is completed when loop's own run of it passes.
 */
import { readTaskFiles } from '../../adapters/task-files.ts'
import { taskName } from '../../core/plan/waves.ts'
import { currentTask, parseTask } from '../../core/session/tasks.ts'
import { safeLine, safeText } from '../../core/text/plain-text.ts'
import type { DocumentOf } from '../../documents/fields.ts'
import type { tasksSchema } from '../../documents/work.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import type { TaskFile } from '../../model/task-file.ts'
import { treeFrom } from '../../options/resolve.ts'
import { readTaskCheck } from '../../store/files/task-checks.ts'
import { taskListText } from '../../views/plan/task-list.ts'
import { taskWords } from '../../views/words/done.ts'
import { unknownAction } from '../action.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { addTask, type ChangedTask, type ListHere, taskListHere, updateTask } from '../session/task-list.ts'
import { systemHere } from '../system.ts'
import { out, outDocument } from '../terminal.ts'

const actions = ['list', 'add', 'update']

const task: CommandRun = async input => {
  const [action = 'list', ...rest] = input.positionals
  const tree = treeFrom(input, systemHere(input))
  if (!tree.ok) return tree
  const place = taskListHere(input, tree.value)
  if (!place.ok) return place
  const at = { ...place.value, tree: tree.value }
  switch (action) {
    case 'list':
      return rest.length > 0 ? misused() : list(input, at)
    case 'add': {
      const [subject = '', ...more] = rest
      if (subject.trim() === '' || more.length > 0) return misused()
      return told(input, at, addTask(subject.trim(), input, at))
    }
    case 'update':
      return rest.length === 0 || rest.length > 2
        ? misused()
        : told(input, at, await updateTask(rest, input, at))
    default:
      return unknownAction('loop task', action, actions)
  }
}

function misused(): Result<never> {
  return invalid({ kind: 'task-forms' })
}

function list(input: Input, place: ListHere): Result<number> {
  const files = readTaskFiles(place.list)
  const tasks = files.map(file => listed(file, place, files))
  const current = currentTask(files.flatMap(file => parseTask(file) ?? []))
  const id = current && taskName(Number(current.id))
  const { name, list: dir } = place
  if (input.given('json')) outDocument<'tasks'>({ list: name, directory: dir, tasks, current: id })
  else out(taskListText(name, tasks, id))
  return ok(0)
}

/** `blockedBy`: its open predecessors. */
function listed(
  file: TaskFile,
  { paths, list: dir }: ListHere,
  all: readonly TaskFile[],
): DocumentOf<typeof tasksSchema>['tasks'][number] {
  const check = readTaskCheck(paths, { list: dir, number: Number(file.id) })
  const wave = file.metadata?.['wave']
  return {
    id: taskName(Number(file.id)),
    subject: file.subject,
    status: file.status,
    blockedBy: file.blockedBy.filter(id => isOpen(id, all)).map(id => taskName(Number(id))),
    verify: check?.command ?? null,
    verified: check ? check.passedAt !== null : null,
    files: textsOf(file.metadata?.['files']),
    wave: Number.isInteger(wave) ? Number(wave) : null,
  }
}

/** Others write these files too: what is there has any form. */
function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

function isOpen(id: string, all: readonly TaskFile[]): boolean {
  return all.some(one => one.id === id && one.status !== 'completed')
}

/** Exit 1 if it should be completed but its command has not passed. */
function told(input: Input, place: ListHere, changed: Result<ChangedTask>): Result<number> {
  if (!changed.ok) return changed
  const { task: file, checked, deleted } = changed.value
  const isRefused = checked !== null && checked.verdict !== 'PASS'
  const id = taskName(Number(file.id))
  if (input.given('json')) {
    const verdict = checked && { verdict: checked.verdict, why: checked.why }
    outDocument<'taskChanged'>({
      list: place.name,
      ...listed(file, place, readTaskFiles(place.list)),
      ...(deleted && { status: 'deleted' }),
      ...verdict,
    })
  } else {
    const how = deleted ? 'deleted' : file.status
    out(taskWords.changed(`${id} ${file.subject}`, how, place.name))
    if (checked)
      out(
        safeLine(
          `${checked.verdict}, ${checked.why}: ${readTaskCheck(place.paths, { list: place.list, number: Number(file.id) })?.command ?? ''}`,
        ),
      )
    if (isRefused && checked.tail.trim() !== '') out(safeText(checked.tail.trimEnd()))
    if (isRefused) out(taskWords.open(id))
  }
  return ok(isRefused ? 1 : 0)
}

export default task
