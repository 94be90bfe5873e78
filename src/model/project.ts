/**
 * What loop knows about the project in a work tree: the commands that test, lint, type-check, build and measure
 * it, each with the files that name it. options/detect finds these commands and never runs them.
 */

/** The purposes of commands, in the order in which they are shown. */
export const purposes = ['test', 'lint', 'types', 'build', 'coverage'] as const
export type Purpose = (typeof purposes)[number]

/** A command of the project, as one would type it in the project's root directory. */
export type FoundCommand = {
  command: string
  /** The source of the command: `package.json script "test", pnpm-lock.yaml`. */
  because: string
  /**
   * For coverage: the possible paths of its report, relative to the root, most exact first; if absent, the
   * output has the number.
   */
  reports?: string[]
}

/** The command for one purpose; `others` are the alternatives, best first. */
export type ProjectCommand = FoundCommand & { others: FoundCommand[] }

export type ProjectCommands = Record<Purpose, ProjectCommand | null> & {
  /** Commands that were found but not used, with the reason, as sentences. */
  passedOver: string[]
}
