/**
 * The texts of a task, for Claude Code's task file and for the prompt of its loop. The description has source, action
 * and completion criteria, and the verify command as its last line, where a person looks for it.
 */
import type { TaskDraft } from '../../model/plan/task.ts'

type Described = Pick<TaskDraft, 'source' | 'action' | 'criteria' | 'verify'>

export function taskDescription({ source, action, criteria, verify }: Described): string {
  return [`Source: ${source}`, `Action: ${action}`, `Complete when: ${criteria}`, verifyLine(verify)].join(
    '\n',
  )
}

function verifyLine(command: string): string {
  return `Verify: ${command}`
}

/** The id of a task by the number of its file: `T-007` for 7. */
export function taskName(number: number): string {
  return `T-${String(number).padStart(3, '0')}`
}

/** The number in `T-007`, `7` or `#7`; null for anything else. */
export function taskNumber(id: string): number | null {
  const found = /^(?:T-|#)?0*([1-9]\d{0,5})$/i.exec(id.trim())
  return found ? Number(found[1]) : null
}

/** "Implementing user login" for "Implement user login": shown while the task is under way. */
export function progressive(subject: string): string {
  const [, verb = '', rest = ''] = /^(\p{L}+)(.*)$/su.exec(subject.trim()) ?? []
  return verb === '' || isProgressive(verb) ? subject.trim() : `${inProgress(verb)}${rest}`
}

/** Not for `bring` and `string`: before the ending there has to be a vowel. */
function isProgressive(text: string): boolean {
  return /^\p{L}*[aeiouy]\p{L}*ing\b/iu.test(text.trim())
}

/** Verbs of one short syllable double their last consonant, and so do these longer verbs. */
const doubling = /^(?:[^aeiou]*[aeiou][bdgklmnprtvz]|submit|commit|begin|refer|prefer|permit|admit)$/

function inProgress(verb: string): string {
  const low = verb.toLowerCase()
  if (low.endsWith('ie')) return `${verb.slice(0, -2)}ying`
  if (/[^aeoy]e$/.test(low) && low.length > 2) return `${verb.slice(0, -1)}ing`
  return doubling.test(low) ? `${verb}${verb.slice(-1)}ing` : `${verb}ing`
}
