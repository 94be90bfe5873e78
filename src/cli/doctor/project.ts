/** Which commands loop finds for the project one stands in: what a template or a measure would run, before it does. */
import { listingOf } from '../../options/detect/listing.ts'
import { detectProject, projectLines } from '../../options/detect/project.ts'
import { systemAt } from '../../wiring/system.ts'
import { type Check, good } from './check.ts'

/** Nothing is wrong with a directory in which nothing is found: then there is no row. */
export function projectCheck(tree: string, env: NodeJS.ProcessEnv): Check[] {
  const found = detectProject(listingOf(tree, systemAt({ cwd: tree, env })))
  return [
    ...projectLines(found),
    ...found.passedOver.map(sentence => `not used: ${sentence.replace(/\.$/, '')}`),
  ].map(line => good('project', line))
}
