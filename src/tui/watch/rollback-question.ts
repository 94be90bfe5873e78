/**
 * The questions before a cancel and before a rollback, of a loop or a group: they name the files that would be written
 * and deleted.
 */
import type { Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import { failureWords } from '../../views/words/failure/words.ts'
import { count } from '../../views/words/message.ts'
import { choiceDialog } from '../dialog.ts'
import type { Shell } from '../view.ts'

export type RollbackFiles = { written: string[]; deleted: string[] }

/** A saved state of a loop or a group; `tree` is missing if there is no such state. */
type SavedTree = {
  id: string
  spec: Pick<Spec, 'cwd' | 'checkpoint' | 'checkpointIgnored' | 'copy'>
  name: string
  tree: string | null | undefined
}

/** Reads which files a rollback would write and delete. */
export type PreviewSource = { preview(saved: SavedTree): Promise<Result<RollbackFiles>> }

type RollbackAsked = {
  shell: Shell
  id: string
  /** Reads what a rollback to this checkpoint would change. */
  preview(to: string): Promise<Result<RollbackFiles>>
}

/** `more`: rows below the files. */
type CancelAsked = RollbackAsked & { label: string; more?: string[] }

export function askCancel(about: CancelAsked): void {
  looking(about.shell, () => cancelQuestion(about))
}

export function askRollback(about: RollbackAsked, to: string): void {
  looking(about.shell, () => rollbackQuestion(about, to))
}

function looking(shell: Shell, ask: () => Promise<void>): void {
  shell.say('looking at the files …')
  ask().catch((error: Error) => shell.say(error.message))
}

async function cancelQuestion({ shell, id, label, more = [], preview }: CancelAsked): Promise<void> {
  const found = await preview('initial')
  shell.say('')
  const files = found.ok ? found.value : { written: [], deleted: [] }
  const rows = found.ok ? rowsOf(files, 'initial') : [failureWords(found.failure)]
  const back = `cancel, bring back ${count(sizeOf(files), 'file')}`
  const keys = [
    { key: 'y', word: 'cancel, keep the files', act: () => shell.run('cancel', id) },
    { key: 'b', word: back, act: () => shell.run('cancel', id, '--rollback') },
  ]
  shell.ask(choiceDialog(label, [...rows, ...more], sizeOf(files) > 0 ? keys : keys.slice(0, 1)))
}

async function rollbackQuestion({ shell, id, preview }: RollbackAsked, to: string): Promise<void> {
  const found = await preview(to)
  shell.say('')
  if (!found.ok) return shell.say(failureWords(found.failure))
  const files = found.value
  if (sizeOf(files) === 0) return shell.say(`The files are as they were at ${to}.`)
  const label = `Roll ${count(sizeOf(files), 'file')} back to ${to}? What is there now is saved first.`
  const keys = [{ key: 'y', word: `roll back to ${to}`, act: () => shell.run('rollback', id, to) }]
  shell.ask(choiceDialog(label, rowsOf(files, to), keys))
}

function sizeOf({ written, deleted }: RollbackFiles): number {
  return written.length + deleted.length
}

const mostFiles = 200

function rowsOf({ written, deleted }: RollbackFiles, to: string): string[] {
  const rows = [
    ...written.map(path => `  write   ${spelledOut(path)}`),
    ...deleted.map(path => `  delete  ${spelledOut(path)}`),
  ]
  if (rows.length === 0) return [`No file differs from ${to}.`]
  const more = rows.length > mostFiles ? [`  … and ${rows.length - mostFiles} more`] : []
  return [`To go back to ${to}, loop would:`, ...rows.slice(0, mostFiles), ...more]
}
