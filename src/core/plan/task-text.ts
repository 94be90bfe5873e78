/**
 * The words of a task: what Claude Code's task file and a member's prompt say of it. The description has source,
 * action and completion criteria, and the verify command last, where a person looks for it.
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

/** `T-007` of 7: the number of its file. */
export function taskName(number: number): string {
  return `T-${String(number).padStart(3, '0')}`
}

/** 7 of `T-007`, `7`, `#7`; null for anything else. */
export function taskNumber(id: string): number | null {
  const found = /^(?:T-|#)?0*([1-9]\d{0,5})$/i.exec(id.trim())
  return found ? Number(found[1]) : null
}

/** "Implementing user login" of "Implement user login": what is shown while it is under way. */
export function progressive(subject: string): string {
  const [, verb = '', rest = ''] = /^(\p{L}+)(.*)$/su.exec(subject.trim()) ?? []
  return verb === '' || isProgressive(verb) ? subject.trim() : `${inProgress(verb)}${rest}`
}

/** `bring` and `string` are no forms of another verb: something with a vowel stands before the ending. */
function isProgressive(text: string): boolean {
  return /^\p{L}*[aeiouy]\p{L}*ing\b/iu.test(text.trim())
}

/** One short syllable doubles its last consonant, and so do these longer verbs. */
const doubling = /^(?:[^aeiou]*[aeiou][bdgklmnprtvz]|submit|commit|begin|refer|prefer|permit|admit)$/

function inProgress(verb: string): string {
  const low = verb.toLowerCase()
  if (low.endsWith('ie')) return `${verb.slice(0, -2)}ying`
  if (/[^aeoy]e$/.test(low) && low.length > 2) return `${verb.slice(0, -1)}ing`
  return doubling.test(low) ? `${verb}${verb.slice(-1)}ing` : `${verb}ing`
}
