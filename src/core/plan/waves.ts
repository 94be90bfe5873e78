/**
 * The tasks of a plan: how many there are, their waves and their texts. A wave is the tasks that run at the same time. A
 * task is in the first wave after all its blockers in which no other task touches its files and there is room. Tasks that
 * block each other in a circle have no waves: then the circle is returned.
 *
 *   T-001 ─┐             wave 1: T-001 T-002      (T-003 touches a file of T-002)
 *   T-002 ─┴→ T-004      wave 2: T-003 T-004
 *   T-003
 */
import { matchesGlob } from '../../model/glob.ts'
import type { PhaseCombination, PlanTask, TaskDraft, Workload } from '../../model/plan.ts'

/** A wave of seven or more is split. */
const mostInWave = 6

export type TaskTrouble =
  | { kind: 'twice'; id: string }
  | { kind: 'unknown-blocker'; id: string; blocker: string }
  /** Each task waits for the next, and the last for the first. */
  | { kind: 'cycle'; path: string[] }

export type Waves = { ok: true; tasks: PlanTask[] } | { ok: false; trouble: TaskTrouble }

/** `earlier`: tasks that already have a wave; new tasks come after all of them. */
export function wavesOf(drafts: readonly TaskDraft[], earlier: readonly PlanTask[] = []): Waves {
  const trouble = troubleIn(drafts, earlier)
  if (trouble) return { ok: false, trouble }
  const placed: PlanTask[] = []
  let open = [...drafts]
  let wave = Math.max(0, ...earlier.map(task => task.wave))
  while (open.length > 0) {
    wave += 1
    const waiting = new Set(open.map(({ id }) => id))
    const chosen: TaskDraft[] = []
    for (const draft of open) {
      const isFree = !draft.blockedBy.some(id => waiting.has(id))
      if (
        isFree &&
        chosen.length < mostInWave &&
        !chosen.some(other => mayTouchSame(draft.files, other.files))
      )
        chosen.push(draft)
    }
    if (chosen.length === 0) throw new Error('Internal error: a wave without a task')
    placed.push(...chosen.map(draft => ({ ...draft, wave })))
    open = open.filter(draft => !chosen.includes(draft))
  }
  return { ok: true, tasks: [...earlier, ...placed] }
}

function troubleIn(drafts: readonly TaskDraft[], earlier: readonly PlanTask[]): TaskTrouble | null {
  const ids = new Set(earlier.map(({ id }) => id))
  for (const { id } of drafts) {
    if (ids.has(id)) return { kind: 'twice', id }
    ids.add(id)
  }
  for (const { id, blockedBy } of drafts) {
    const blocker = blockedBy.find(one => !ids.has(one))
    if (blocker !== undefined) return { kind: 'unknown-blocker', id, blocker }
  }
  const path = blockerCycle(drafts)
  return path ? { kind: 'cycle', path } : null
}

/** A circle of tasks: each waits for the next, the last for the first. Null if there is none. */
export function blockerCycle(
  tasks: readonly { id: string; blockedBy: readonly string[] }[],
): string[] | null {
  const blockers = new Map(tasks.map(({ id, blockedBy }) => [id, blockedBy]))
  const free = new Set<string>()
  for (const start of blockers.keys()) {
    const path = [start]
    while (path.length > 0) {
      const at = path.at(-1) ?? ''
      const next = blockers.get(at)?.find(id => blockers.has(id) && !free.has(id))
      if (next === undefined) free.add(path.pop() ?? '')
      else if (path.includes(next)) return path.slice(path.indexOf(next))
      else path.push(next)
    }
  }
  return null
}

/** Whether two lists of paths and globs can match the same file. If that is uncertain, the answer is yes. */
export function mayTouchSame(some: readonly string[], others: readonly string[]): boolean {
  return some.some(one => others.some(other => mayMeet(plain(one), plain(other))))
}

function mayMeet(one: string, other: string): boolean {
  if (!isGlob(one) && !isGlob(other)) return isWithin(one, other) || isWithin(other, one)
  if (!isGlob(one)) return matchesGlob(one, other) || fixedPart(other).startsWith(`${one}/`)
  if (!isGlob(other)) return mayMeet(other, one)
  const [a, b] = [fixedPart(one), fixedPart(other)]
  return a.startsWith(b) || b.startsWith(a)
}

function isWithin(inner: string, outer: string): boolean {
  return outer === '.' || inner === outer || inner.startsWith(`${outer}/`)
}

function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/** The part before the first wildcard. Empty for a glob without a slash, which matches at any depth. */
function fixedPart(glob: string): string {
  return glob.includes('/') ? glob.replace(/[*?[{].*$/s, '') : ''
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') || '.'
}

/**
 * The texts of a task, for Claude Code's task file and for the prompt of its loop. The description has source, action
 * and completion criteria, and the verify command as its last line, where a person looks for it.
 */

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

/**
 * How many tasks a workload has, and which documents are written before them. The tables are those of the
 * specification's second source.
 */

/** The number of tasks for each workload. */
export const taskCounts: Record<Workload, { least: number; most: number }> = {
  'a few lines': { least: 1, most: 1 },
  'one module': { least: 2, most: 3 },
  'multiple modules': { least: 4, most: 6 },
}

/** The kind of task that each combination of phases is for. */
export const phaseReasons: Record<PhaseCombination, string> = {
  tasks: 'Clear, small scope',
  'plan → tasks': 'Need code understanding',
  'plan → design → tasks': 'Need technical design',
  'plan → requirements → design → tasks': 'Unclear requirements',
}

export const planDocuments = ['requirements', 'design', 'plan'] as const
export type PlanDocument = (typeof planDocuments)[number]

/** With this many tasks, the requirements are always written down. */
const manyTasks = 6

/** In the order in which `_context.md` lists them. */
export function documentsFor(phases: PhaseCombination, tasks: number): PlanDocument[] {
  const named = phases.split(' → ')
  return planDocuments.filter(
    document => named.includes(document) || (document === 'requirements' && tasks >= manyTasks),
  )
}
