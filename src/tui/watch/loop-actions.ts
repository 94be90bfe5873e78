/**
 * The actions of the keys on the screen of a loop. Each runs an ordinary command of loop, so refusals have the same
 * words as in a shell. A cancel and a rollback are confirmed first: see `rollback-question`.
 */
import type { Summary } from '../../core/summary.ts'
import type { Watched } from '../../engine/watched.ts'
import type { Result } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { neededFlags } from '../../views/words/reasons.ts'
import { choiceDialog, lineDialog } from '../dialog.ts'
import type { Shell } from '../view.ts'
import { loopQuestion } from './answering.ts'
import { askCancel, askRollback, type RollbackFiles } from './rollback-question.ts'

type Acting = {
  id: string
  shell: Shell
  selected(): number
  preview(to: string): Promise<Result<RollbackFiles>>
}

export function loopActions(watched: () => Watched | null, acting: Acting): Record<string, () => void> {
  const { id, shell } = acting
  const { run } = shell
  const summary = () => watched()?.shown.summary
  const asked = { id, shell, preview: acting.preview }
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
    x: () => askCancel({ ...asked, label: `Cancel loop ${id}? Its agent is ended now.` }),
    b: () => {
      const n = acting.selected()
      askRollback(asked, n === 0 ? 'initial' : checkpointName(n))
    },
  }
}

/** A loop that has used up a limit goes on only with a higher one, and only after a question. */
function resume(summary: Summary | undefined, { id, shell }: Acting): void {
  if (summary?.pending === 'pause') return shell.run('resume', id)
  const raised = summary && 'criteria' in summary ? neededFlags(summary).trim() : ''
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
