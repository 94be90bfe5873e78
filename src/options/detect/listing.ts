/**
 * The root of a project as the rules of detection see it: the names that are there, the text of the few files that
 * say how it is worked on, and which programs are installed. Only the root: a package further down is somebody else's
 * decision. What a file says is matched against what is known; no text of it ever becomes part of a command.
 */
import { join } from 'node:path'
import type { FoundCommand, Purpose } from '../../model/project.ts'
import type { System } from '../system.ts'

export type ProjectListing = {
  /** `src/` is a directory, `tests/test_a.py` is a file in a directory of tests. */
  names: ReadonlySet<string>
  /** The text of a file of the root; empty where there is none, or where it is too large to be written by hand. */
  text(name: string): string
  hasProgram(name: string): boolean
}

/** What one kind of project has to offer for each purpose, best first, and what it passed over. */
export type Offers = { found: Partial<Record<Purpose, FoundCommand[]>>; passedOver?: string[] }

/** Null where the project is not of this kind. */
export type Detector = (listing: ProjectListing) => Offers | null

const mostBytes = 1_000_000
/** Whether they hold Python tests, and are packages, decides how unittest finds them. */
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

/** The first of these names that is there. */
export function firstOf({ names }: ProjectListing, wanted: readonly string[]): string | null {
  return wanted.find(name => names.has(name)) ?? null
}
