/**
 * The commands that test, lint, type-check, build and measure a project, from the files in its root. Commands that
 * the project defines (a script, a recipe, a target) come before the defaults of its tools. Nothing is run: a
 * command is shown to a person, or judged by its own exit, before anything depends on it.
 */
import {
  type FoundCommand,
  type ProjectCommand,
  type ProjectCommands,
  type Purpose,
  purposes,
} from '../../model/project.ts'
import { cargoProject } from './cargo.ts'
import { goModule } from './go-module.ts'
import { just } from './just.ts'
import type { Detector, ProjectListing } from './listing.ts'
import { make } from './make.ts'
import { packageScripts } from './package-scripts.ts'
import { packageTools } from './package-tools.ts'
import { pythonProject } from './python.ts'

/** Definitions made by people for this project come first, then the defaults of tools. */
const detectors: readonly Detector[] = [
  packageScripts,
  just,
  make,
  packageTools,
  cargoProject,
  goModule,
  pythonProject,
]

export function detectProject(listing: ProjectListing): ProjectCommands {
  const offers = detectors.map(detect => detect(listing)).filter(offer => offer !== null)
  const chosen = (purpose: Purpose) => choice(offers.flatMap(({ found }) => found[purpose] ?? []))
  return {
    test: chosen('test'),
    lint: chosen('lint'),
    types: chosen('types'),
    build: chosen('build'),
    coverage: chosen('coverage'),
    passedOver: offers.flatMap(({ passedOver = [] }) => passedOver),
  }
}

function choice([best, ...others]: FoundCommand[]): ProjectCommand | null {
  return best ? { ...best, others } : null
}

/** One line per purpose that has a command: `test: pnpm test (package.json script "test", pnpm-lock.yaml)`. */
export function projectLines(commands: ProjectCommands): string[] {
  return purposes.flatMap(purpose => {
    const found = commands[purpose]
    return found ? [`${purpose}: ${found.command} (${found.because})${othersWords(found)}`] : []
  })
}

function othersWords({ others }: ProjectCommand): string {
  return others.length === 0 ? '' : `; also possible: ${others.map(({ command }) => command).join(', ')}`
}
