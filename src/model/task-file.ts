/**
 * A task as Claude Code stores it: one file `<number>.json` in the directory of its list. loop writes the same
 * format, so that a session and loop share one list. Unknown fields are kept.
 */

export const taskStatuses = ['pending', 'in_progress', 'completed'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export type TaskFile = {
  /** The number of its file: `1` for 1.json, which people call T-001. */
  id: string
  subject: string
  description: string
  activeForm?: string
  owner?: string
  status: TaskStatus
  /** The tasks that wait for this one, and those that this one waits for, by number. */
  blocks: string[]
  blockedBy: string[]
  metadata?: Record<string, unknown>
}
