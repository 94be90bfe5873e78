/**
 * What loop has found out about the project in a work tree: the commands that test, lint, check, build and measure it,
 * each with the files that say so. Facts for people and for other rules; found by options/detect, never run there.
 */

/** In the order in which people are shown them. */
export const purposes = ['test', 'lint', 'types', 'build', 'coverage'] as const
export type Purpose = (typeof purposes)[number]

/** A command of the project, as the project itself would have it typed at its root. */
export type FoundCommand = {
  command: string
  /** The files and lines it was found in: `package.json script "test", pnpm-lock.yaml`. */
  because: string
  /** Of coverage: where its report may be, relative to the root, the most exact first; without it, in the output. */
  reports?: string[]
}

/** `others` could serve the same purpose, best first. */
export type ProjectCommand = FoundCommand & { others: FoundCommand[] }

export type ProjectCommands = Record<Purpose, ProjectCommand | null> & {
  /** What looked like a command and was passed over, in sentences. */
  passedOver: string[]
}
