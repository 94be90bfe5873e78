/**
 * The actions of the keys on the screen of a loop. Each runs an ordinary command of loop, so refusals have the same
 * words as in a shell. An action that cannot be undone is confirmed first, with the files that it would change.
 */

import { isGroup } from '../../core/group/summary.ts'
import type { Summary } from '../../core/loop/summary.ts'
import type { Watched } from '../../engine/watched/loop.ts'
import type { Result } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import { failureWords } from '../../views/words/failure/words.ts'
import { count } from '../../views/words/message.ts'
import { neededFlags } from '../../views/words/next-steps.ts'
import { choiceDialog, lineDialog } from '../dialog.ts'
import type { Shell } from '../view.ts'
import { loopQuestion } from './answering.ts'

type Acting = {
  id: string
  shell: Shell
  selected(): number
  preview(watched: Watched, to: string): Promise<Result<{ written: string[]; deleted: string[] }>>
}

export function loopActions(watched: () => Watched | null, acting: Acting): Record<string, () => void> {
  const { id, shell } = acting
  const { run } = shell
  const summary = () => watched()?.shown.summary
  return {
    p: () => run('pause', id),
    r: () => resume(summary(), acting),
    i: () => shell.ask(lineDialog({ label: 'tell the agent:' }, text => run('inject', id, '--', text))),
    c: () =>
      shell.ask(
        lineDialog({ label: 'name of the checkpoint:', suggested: nameNow() }, name =>
          run('checkpoint', id, '--', name),
        ),
      ),
    a: () => {
      const known = summary()
      const dialog = known ? loopQuestion(known, shell) : null
      if (dialog) shell.ask(dialog)
      else shell.say('The loop asks nothing.')
    },
    x: () => asking(watched(), 'cancel', acting),
    b: () => asking(watched(), 'rollback', acting),
  }
}

/** A loop that has used up a limit goes on only with a higher one, and only after a question. */
function resume(summary: Summary | undefined, { id, shell }: Acting): void {
  if (summary?.pending === 'pause') return shell.run('resume', id)
  const raised = summary && !isGroup(summary) ? neededFlags(summary).trim() : ''
  if (raised === '') return shell.run('resume', id, '-b')
  const act = () => shell.run('resume', id, '-b', ...raised.split(' '))
  shell.ask(
    choiceDialog(`Loop ${id} has used up its limit.`, [], [{ key: 'y', word: `resume with ${raised}`, act }]),
  )
}

/** A generated name, so that nobody has to think of one. */
function nameNow(): string {
  return `watch-${new Date().toISOString().slice(11, 19).replaceAll(':', '')}`
}

const mostFiles = 200

function asking(watched: Watched | null, what: 'cancel' | 'rollback', acting: Acting): void {
  const { shell } = acting
  if (!watched) return
  shell.say('looking at the files …')
  ask(watched, what, acting).catch((error: Error) => shell.say(error.message))
}

async function ask(watched: Watched, what: 'cancel' | 'rollback', acting: Acting): Promise<void> {
  const { id, shell } = acting
  const n = acting.selected()
  const to = what === 'cancel' || n === 0 ? 'initial' : checkpointName(n)
  const found = await acting.preview(watched, to)
  const files = found.ok ? [...found.value.written, ...found.value.deleted].length : 0
  const rows = found.ok ? rowsOf(found.value, to) : [failureWords(found.failure)]
  shell.say('')
  const run =
    (...args: string[]) =>
    () =>
      shell.run(...args)
  if (what === 'rollback') {
    if (!found.ok) return shell.say(failureWords(found.failure))
    if (files === 0) return shell.say(`The files are as they were at ${to}.`)
    const label = `Roll ${count(files, 'file')} back to ${to}? What is there now is saved first.`
    const keys = [{ key: 'y', word: `roll back to ${to}`, act: run('rollback', id, to) }]
    return shell.ask(choiceDialog(label, rows, keys))
  }
  const back = `cancel, bring back ${count(files, 'file')}`
  shell.ask(
    choiceDialog(`Cancel loop ${id}? Its agent is ended now.`, rows, [
      { key: 'y', word: 'cancel, keep the files', act: run('cancel', id) },
      ...(files > 0 ? [{ key: 'b', word: back, act: run('cancel', id, '--rollback') }] : []),
    ]),
  )
}

function rowsOf({ written, deleted }: { written: string[]; deleted: string[] }, to: string): string[] {
  const rows = [
    ...written.map(path => `  write   ${spelledOut(path)}`),
    ...deleted.map(path => `  delete  ${spelledOut(path)}`),
  ]
  if (rows.length === 0) return [`No file differs from ${to}.`]
  const more = rows.length > mostFiles ? [`  … and ${rows.length - mostFiles} more`] : []
  return [`To go back to ${to}, loop would:`, ...rows.slice(0, mostFiles), ...more]
}
