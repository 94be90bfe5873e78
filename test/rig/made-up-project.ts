/** A made-up project: the files in its root, the installed programs, and what was found in it. */
import { type ProjectCommands, purposes } from '../../src/model/project.ts'
import type { ProjectListing } from '../../src/options/detect/project.ts'

export function madeUpProject(files: Record<string, string>, programs: string[] = []): ProjectListing {
  return {
    names: new Set(Object.keys(files)),
    text: name => files[name] ?? '',
    hasProgram: name => programs.includes(name),
  }
}

export function commandsOf(found: ProjectCommands): Record<string, string> {
  return Object.fromEntries(
    purposes.flatMap(purpose => {
      const command = found[purpose]?.command
      return command === undefined ? [] : [[purpose, command]]
    }),
  )
}

/** The text of a package.json. */
export function packageText(scripts: object, more: object = {}): string {
  return JSON.stringify({ name: 'app', scripts, ...more })
}

/** From the files of a root, and the programs there are, to the command for each purpose. */
export type ProjectRow = [
  what: string,
  files: Record<string, string>,
  programs: string[],
  commands: Record<string, string>,
]
