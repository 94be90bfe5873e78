/** The usual names of recipes and targets by purpose, for make and just. */
import type { FoundCommand, Purpose } from '../../model/project.ts'
import type { Offers } from './listing.ts'
import { scriptReports } from './package-scripts.ts'

const names: Record<Purpose, readonly string[]> = {
  test: ['test', 'tests', 'check'],
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'types', 'mypy'],
  build: ['build', 'all'],
  coverage: ['coverage', 'cov', 'test-coverage'],
}

/** The report's path is unknown: the default paths of all languages are tried. */
const anyReport = [...scriptReports, 'coverage.xml', 'lcov.info', 'coverage.out', 'cover.out']

export function namedCommands(
  program: 'make' | 'just',
  kind: string,
  has: (name: string) => boolean,
): Offers['found'] {
  const of = (purpose: Purpose): FoundCommand[] =>
    names[purpose].filter(has).map(name => ({
      command: `${program} ${name}`,
      because: `${kind} "${name}"`,
      ...(purpose === 'coverage' && { reports: anyReport }),
    }))
  return {
    test: of('test'),
    lint: of('lint'),
    types: of('types'),
    build: of('build'),
    coverage: of('coverage'),
  }
}
