/**
 * The question of a loop, a group or a review, as a dialog: one key for each known answer, and a line to type where any
 * text is an answer. Each answer is a command of loop.
 */

import { type GroupState, openGate } from '../core/group/state.ts'
import { questionOf } from '../core/group/values.ts'
import type { AnySummary } from '../core/summary.ts'
import { safeText } from '../core/text/plain-text.ts'
import { resolutions } from '../model/group/words.ts'
import { answerSays, resolutionKeys } from '../views/screen/messages.ts'
import { type FindingRow, findingDetail } from '../views/screen/plan.ts'
import { choiceDialog, type DialogKey, lineDialog, type ScreenDialog } from './dialog.ts'
import type { Shell } from './view.ts'

type Asking = {
  id: string
  label: string
  rows: string[]
  /** The answers to choose from, by letter. Without any, the answers are yes and no. */
  words: readonly string[]
  /** Any other text is an answer too. */
  free: boolean
}

function answerDialog(asking: Asking, shell: Pick<Shell, 'run' | 'ask'>): ScreenDialog {
  const { id, label, rows, words, free } = asking
  const answer = (text: string) => shell.run('answer', id, '--', text)
  const known = words.map((word, i): DialogKey => {
    return { key: String.fromCharCode(97 + i), word: short(word), act: () => answer(word) }
  })
  const yesNo = ['yes', 'no'].map(
    (word): DialogKey => ({ key: word.charAt(0), word, act: () => answer(word) }),
  )
  const keys = known.length > 0 ? known : yesNo
  const own = {
    key: 'o',
    word: answerSays.ownWords,
    act: () => shell.ask(lineDialog({ label, rows }, answer)),
  }
  const isFree = free && !keys.some(({ key }) => key === own.key)
  return choiceDialog(label, rows, isFree ? [...keys, own] : keys)
}

function short(word: string): string {
  return word.length > 24 ? `${word.slice(0, 23)}…` : word
}

/** Null if the loop has no question. */
export function loopQuestion(
  { id, question, agentAsks }: Pick<AnySummary, 'id' | 'question' | 'agentAsks'>,
  shell: Pick<Shell, 'run' | 'ask'>,
): ScreenDialog | null {
  if (question === null) return null
  const rows = safeText(question).split('\n')
  if (agentAsks)
    return lineDialog({ label: answerSays.yourAnswer, rows: [answerSays.agentAsks(id), '', ...rows] }, text =>
      shell.run('answer', id, '--', text),
    )
  return answerDialog(
    { id, label: answerSays.isThisSo, rows: [answerSays.loopAsks(id), '', ...rows], words: [], free: true },
    shell,
  )
}

type Plan = { findings: readonly FindingRow[] } | null

/** Null if the group has no question. */
export function groupQuestion(state: GroupState, plan: Plan, shell: Shell): ScreenDialog | null {
  const gate = openGate(state)
  const question = questionOf(state)
  if (!gate || question === null) return null
  const { id: node, options, choices, free } = gate.node
  const finding = plan?.findings.find(({ id }) => node === `finding/${id}`)
  if (finding) return findingDialog(state.id, finding, shell)
  const words = options ?? choices
  const rows = safeText(question).split('\n')
  // The text of some questions has the lettered options already.
  const lettered = words.map((word, i) => `${String.fromCharCode(97 + i)}) ${word}`)
  const hasLetters = lettered.every(row => rows.includes(row))
  return answerDialog(
    {
      id: state.id,
      label: answerSays.groupAsks,
      rows: [...rows, ...(hasLetters ? [] : lettered)],
      words,
      free: free === true || options !== undefined,
    },
    shell,
  )
}

/** Asks for the answer to a finding. `discuss` asks for a text too. */
export function findingDialog(group: string, finding: FindingRow, shell: Shell): ScreenDialog {
  const rows = findingDetail(finding, shell.look, 400)
  const resolve = (...how: string[]) => shell.run('review', group, finding.id, ...how)
  const say = lineDialog({ label: answerSays.comment, rows }, text => resolve('discuss', '--', text))
  const keys = resolutions.map((how): DialogKey => {
    return { ...resolutionKeys[how], act: () => (how === 'discuss' ? shell.ask(say) : resolve(how)) }
  })
  return choiceDialog(answerSays.whatToDo(finding.id), rows, keys)
}
