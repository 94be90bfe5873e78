/** Learnings for people: the text of each, how often it was shown, and whether it helped. */
import type { Usefulness } from '../../core/learn.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { Learning } from '../../model/learning.ts'
import { count } from '../../model/units.ts'

export type ShownLearnings = {
  kept: readonly { learning: Learning; use: Usefulness }[]
  pending: readonly Learning[]
  /** The number of learnings and maxims from elsewhere that are not used. */
  strange: number
}

export function learningsText({ kept, pending, strange }: ShownLearnings): string {
  const lines = [
    ...(kept.length === 0 && pending.length === 0
      ? ['No learnings yet. Add one: loop learn add "<what to know next time>"']
      : [
          `${count(kept.length, 'learning')}${pending.length > 0 ? `, ${pending.length} waiting for you` : ''}`,
        ]),
    ...kept.flatMap(({ learning, use }) => [
      `  ${learning.id}  ${learning.text}`,
      `    ${useWords(learning, use)}`,
    ]),
    ...(pending.length > 0 ? ['Waiting for you (loop learn accept <id>, loop learn drop <id>):'] : []),
    ...pending.map(learning => `  ${learning.id}  ${learning.text}${from(learning)}`),
    ...(strange > 0
      ? [
          `${strange === 1 ? '1 learning or maxim of this repository is' : `${strange} learnings and maxims of this repository are`} not used. Look at .loop/learnings and .loop/maxims, then: loop learn --trust`,
        ]
      : []),
  ]
  return lines.map(safeLine).join('\n')
}

function useWords(learning: Learning, { shown, helped, unhelpful, isToGo }: Usefulness): string {
  const use = `shown ${count(shown, 'time')}, helped ${helped}, did not help ${unhelpful}`
  return `${learning.kind}${from(learning)}; ${use}${isToGo ? `. Drop it? loop learn drop ${learning.id}` : ''}`
}

function from({ loop }: Learning): string {
  return loop === null ? '' : ` (loop ${loop})`
}

export function recalledText(found: readonly { learning: Learning }[]): string {
  if (found.length === 0) return 'Nothing that was learnt here fits.'
  return found.map(({ learning }) => safeLine(`${learning.id}  ${learning.text}`)).join('\n')
}
