/** The names that people give to recipes and targets, by purpose: the same for make and for just. */
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

/** Nobody says where such a recipe writes: wherever the tools of any language do. */
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
