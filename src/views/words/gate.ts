/** The possible answers to a question of a group, as shown after the question at a terminal. */
import type { NodeOf } from '../../model/group/node.ts'

type Gate = NodeOf<'gate'>

/** `[Y/n]` if Enter means yes: only at gates that `--yes` would answer too. */
export function answerForm({ asks, choices, options }: Gate): string {
  if (options)
    return asks === 'finding' ? `[a-${lastLetter(options)}, or what you think of it]` : lettered(options)
  if (choices.length > 0) return `[${choices.join(' / ')}]`
  return isDefaultYes({ asks }) ? '[Y/n]' : '[yes / no]'
}

function lettered(options: readonly string[]): string {
  return `[a-${lastLetter(options)}, or your own words]`
}

function lastLetter(options: readonly string[]): string {
  return String.fromCharCode(96 + options.length)
}

/** An empty line never answers consent, findings or a change that is hard to take back. */
export function isDefaultYes({ asks }: Pick<Gate, 'asks'>): boolean {
  return asks === 'gate'
}
