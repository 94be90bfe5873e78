/**
 * The questions before a cancel and before a rollback, of a loop or a group: they name the files that would be written
 * and deleted. Files can change while a question is open, so an answer that brings files back reads the list again. If the
 * list is another one, nothing is done, and the question is asked again with the new list.
 */

import { failureWords } from '../failures/words.ts'
import type { Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { rollbackSays } from '../views/screen/messages.ts'
import { choiceDialog } from './dialog.ts'
import type { Shell } from './view.ts'

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

/** `shown`: the files in the question that is being answered; null before the first question. */
type Shown = { shown: RollbackFiles | null }

export function askCancel(about: CancelAsked): void {
  looking(about.shell, () => cancelQuestion(about, { shown: null }))
}

export function askRollback(about: RollbackAsked, to: string): void {
  looking(about.shell, () => rollbackQuestion(about, { to, shown: null }))
}

function looking(shell: Shell, ask: () => Promise<void>): void {
  shell.say(rollbackSays.looking)
  ask().catch((error: Error) => shell.say(error.message))
}

async function cancelQuestion(about: CancelAsked, { shown }: Shown): Promise<void> {
  const { shell, id, label, more = [], preview } = about
  const found = await preview('initial')
  shell.say('')
  if (found.ok && isSame(found.value, shown)) return shell.run('cancel', id, '--rollback')
  const files = found.ok ? found.value : { written: [], deleted: [] }
  const rows = found.ok ? rowsOf(files, { to: 'initial', shown }) : [failureWords(found.failure)]
  const again = () => looking(shell, () => cancelQuestion(about, { shown: files }))
  const keys = [
    { key: 'y', word: rollbackSays.cancel, act: () => shell.run('cancel', id) },
    { key: 'b', word: rollbackSays.cancelBack(sizeOf(files)), act: again },
  ]
  const known = sizeOf(files) > 0 ? keys : keys.slice(0, 1)
  shell.ask(choiceDialog(label, [...rows, ...more], known))
}

async function rollbackQuestion(about: RollbackAsked, { to, shown }: Shown & { to: string }): Promise<void> {
  const { shell, id, preview } = about
  const found = await preview(to)
  shell.say('')
  if (!found.ok) return shell.say(failureWords(found.failure))
  const files = found.value
  if (isSame(files, shown)) return shell.run('rollback', id, to)
  if (sizeOf(files) === 0) return shell.say(rollbackSays.same(to))
  const again = () => looking(shell, () => rollbackQuestion(about, { to, shown: files }))
  const keys = [{ key: 'y', word: rollbackSays.rollBack(to), act: again }]
  shell.ask(choiceDialog(rollbackSays.question(sizeOf(files), to), rowsOf(files, { to, shown }), keys))
}

function isSame(files: RollbackFiles, shown: RollbackFiles | null): boolean {
  const list = (one: RollbackFiles) => JSON.stringify([one.written, one.deleted])
  return shown !== null && list(files) === list(shown)
}

function sizeOf({ written, deleted }: RollbackFiles): number {
  return written.length + deleted.length
}

const mostFiles = 200

/** Files that an earlier question did not name come first. */
function rowsOf({ written, deleted }: RollbackFiles, { to, shown }: Shown & { to: string }): string[] {
  const known = new Set(shown ? [...shown.written, ...shown.deleted] : [])
  const all = [
    ...written.map(path => ({ path, row: rollbackSays.write(path) })),
    ...deleted.map(path => ({ path, row: rollbackSays.remove(path) })),
  ]
  if (all.length === 0) return [rollbackSays.noDifference(to)]
  const rows = [...all.filter(({ path }) => !known.has(path)), ...all.filter(({ path }) => known.has(path))]
  const more = rows.length > mostFiles ? [rollbackSays.more(rows.length - mostFiles)] : []
  const head = shown ? rollbackSays.wouldNow : rollbackSays.would(to)
  return [head, ...rows.slice(0, mostFiles).map(({ row }) => row), ...more]
}
