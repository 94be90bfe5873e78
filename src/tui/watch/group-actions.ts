/**
 * The actions of the keys on the screen of a group: each runs a command of loop. Keys for one loop act on the selected
 * node.
 */
import type { WatchedGroup } from '../../engine/watched.ts'
import type { Result } from '../../model/failure.ts'
import type { NodeLine } from '../../views/screen/group/node-list.ts'
import type { PlanSight } from '../../views/screen/group/plan.ts'
import { choiceDialog, lineDialog } from '../dialog.ts'
import type { Shell } from '../view.ts'
import { groupQuestion, loopQuestion } from './answering.ts'
import { askCancel, type RollbackFiles } from './rollback-question.ts'

type GroupSight = {
  group: WatchedGroup | null
  plan: PlanSight | null
  lines: NodeLine[]
  /** The selected node. */
  selected: NodeLine | undefined
}

type Acting = { id: string; shell: Shell; preview(to: string): Promise<Result<RollbackFiles>> }

export function groupActions(
  sight: () => GroupSight,
  { id, shell, preview }: Acting,
): Record<string, () => void> {
  const { run } = shell
  return {
    p: () => run('pause', id),
    r: () => run('resume', id, '-b'),
    a: () => answer(sight(), shell),
    i: () => {
      const { node, member } = sight().selected ?? {}
      if (!node || !member) return shell.say('Select a loop that has begun: up, down.')
      const told = member.summary.id
      shell.ask(lineDialog({ label: `tell ${node.id}:` }, text => run('inject', told, '--', text)))
    },
    t: () => {
      const { group, selected } = sight()
      const { node } = selected ?? {}
      if (group?.summary.program !== 'best-of') return shell.say('Only an attempt of best-of can be taken.')
      if (node?.kind !== 'loop') return shell.say('Select an attempt: up, down.')
      const keys = [{ key: 'y', word: `take ${node.id}`, act: () => run('pick', id, node.id) }]
      shell.ask(choiceDialog(`Bring ${node.id} into the work tree? It is saved first.`, [], keys))
    },
    x: () => {
      const ends = sight().lines.flatMap(({ node }) =>
        node.stage === 'started' && node.kind === 'loop' ? [`  end     ${node.id} (${node.member})`] : [],
      )
      const label = `Cancel group ${id}? Its agents are ended now.`
      const more = ends.length > 0 ? ['In any case these loops are ended:', ...ends] : []
      askCancel({ id, shell, label, more, preview })
    },
  }
}

/** The question of the group; else the question of the selected loop; else that of the first loop with one. */
function answer({ group, plan, lines, selected }: GroupSight, shell: Shell): void {
  const own = group && groupQuestion(group.state, plan, shell)
  const members = [...(selected ? [selected] : []), ...lines].flatMap(({ member }) => member?.summary ?? [])
  const asking = members.find(({ question }) => question !== null)
  const dialog = own ?? (asking ? loopQuestion(asking, shell) : null)
  if (dialog) shell.ask(dialog)
  else shell.say('The group asks nothing.')
}
