/** Errors inside the checkpoint room: those of the operating system, and those that loop itself expects. */
import type { Facts } from '../failures/all.ts'

/** An expected failure deep inside; git/backend turns its facts into a value. */
export class Unable extends Error {
  readonly facts: Facts
  constructor(facts: Facts) {
    super(facts.kind)
    this.facts = facts
  }
}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

/** True for an error of a system call; false for a bug. */
export function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) !== null && 'syscall' in error
}
