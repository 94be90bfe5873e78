/** The commands that loop finds for the current project: what a template or a measure would run. */
import { detectProject, listingOf, projectLines } from '../../options/detect/project.ts'
import { systemAt } from '../../wiring/system.ts'
import { type Check, good } from './check.ts'

/** Finding nothing is not a problem: then there is no row. */
export function projectCheck(tree: string, env: NodeJS.ProcessEnv): Check[] {
  const found = detectProject(listingOf(tree, systemAt({ cwd: tree, env })))
  return [
    ...projectLines(found),
    ...found.passedOver.map(sentence => `not used: ${sentence.replace(/\.$/, '')}`),
  ].map(line => good('project', line))
}
