/**
 * The root directory of a project, as detection sees it: the names in it, the text of the few files that describe
 * the project, and the installed programs. Only the root counts: packages below it are not considered. File contents
 * are compared with known patterns; no text of a file ever becomes part of a command.
 */
import { join } from 'node:path'
import type { FoundCommand, Purpose } from '../../model/project.ts'
import type { System } from '../system.ts'

export type ProjectListing = {
  /** `src/` is a directory; `tests/test_a.py` is a file in a directory of tests. */
  names: ReadonlySet<string>
  /** The text of a file in the root; empty if it is missing or too large to be hand-written. */
  text(name: string): string
  hasProgram(name: string): boolean
}

/** The commands that one kind of project offers per purpose, best first, and those that were rejected. */
export type Offers = { found: Partial<Record<Purpose, FoundCommand[]>>; passedOver?: string[] }

/** Null if the project is not of this kind. */
export type Detector = (listing: ProjectListing) => Offers | null

const mostBytes = 1_000_000
/** Whether they contain Python tests, and are packages, decides how unittest finds them. */
const testDirectories = ['tests/', 'test/']

export function listingOf(
  root: string,
  { entries, readText, hasProgram }: Pick<System, 'entries' | 'readText' | 'hasProgram'>,
): ProjectListing {
  const top = entries(root)
  const inside = testDirectories
    .filter(name => top.includes(name))
    .flatMap(directory => entries(join(root, directory)).map(name => directory + name))
  const names = new Set([...top, ...inside])
  return {
    names,
    text: name => (names.has(name) ? (readText(join(root, name), mostBytes) ?? '') : ''),
    hasProgram,
  }
}

/** The first of these names that exists. */
export function firstOf({ names }: ProjectListing, wanted: readonly string[]): string | null {
  return wanted.find(name => names.has(name)) ?? null
}
