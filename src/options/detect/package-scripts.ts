/**
 * The scripts of package.json, by their usual names. A script that only prints, never ends (--watch), or repairs
 * what it should report (--fix) is rejected with a reason.
 */
import type { FoundCommand, Purpose } from '../../model/project.ts'
import type { Offers, ProjectListing } from './listing.ts'
import { keysIn, packageJson, runScript, scriptRunner } from './package-manager.ts'

const scriptNames: Record<Purpose, readonly string[]> = {
  test: ['test', 'tests', 'test:all', 'test:ci', 'test:unit', 'unit'],
  lint: ['lint', 'lint:check', 'lint:ci', 'check:lint', 'eslint', 'lint:js', 'lint:ts'],
  types: [
    'typecheck',
    'type-check',
    'check-types',
    'types:check',
    'check:types',
    'lint:types',
    'types',
    'tsc',
  ],
  build: ['build', 'compile', 'build:prod', 'bundle'],
  coverage: ['coverage', 'test:coverage', 'test:cov', 'test-coverage', 'cov', 'coverage:test'],
}

/** The reports of Istanbul, c8, Jest and Vitest, most exact first. */
export const scriptReports = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'coverage/cobertura-coverage.xml',
]

export function packageScripts(listing: ProjectListing): Offers | null {
  const json = packageJson(listing)
  if (!json) return null
  const runner = scriptRunner(listing, json)
  const scripts = keysIn(json['scripts'])
  const passedOver = runner.doubt === null ? [] : [runner.doubt]
  const offered = (purpose: Purpose): FoundCommand[] =>
    scriptNames[purpose].flatMap(name => {
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      if (typeof text !== 'string') return []
      const problem = problemOf(purpose, text)
      if (problem !== null) passedOver.push(`package.json script "${name}" ${problem}.`)
      if (problem !== null) return []
      const because = [`package.json script "${name}"`, runner.because].filter(Boolean).join(', ')
      const command = runScript(runner, name)
      return [{ command, because, ...(purpose === 'coverage' && { reports: scriptReports }) }]
    })
  const found = {
    test: offered('test'),
    lint: offered('lint'),
    types: offered('types'),
    build: offered('build'),
    coverage: offered('coverage'),
  }
  return { found, passedOver }
}

/** `-w` alone names a workspace. */
const watches =
  /\s--watch(?:All)?(?=\s|$)|\b(?:tsc|jest|mocha)\b[^&|;]*\s-w(?=\s|$)|\b(?:nodemon|vitest watch)\b/

/** Why a script cannot be used; null if it can. */
function problemOf(purpose: Purpose, script: string): string | null {
  if (doesNothing(script)) return 'does nothing but print or exit'
  if (watches.test(script)) return 'never ends: it watches'
  if (purpose === 'lint' && /(?:^|\s)--(?:fix|write|apply)(?=\s|$)/.test(script))
    return 'changes files: it repairs'
  return null
}

/** npm itself writes `echo "Error: no test specified" && exit 1`. */
function doesNothing(script: string): boolean {
  const parts = script.replaceAll(/"[^"]*"|'[^']*'/g, 'text').split(/&&|\|\||;/)
  return parts.every(part => /^\s*(?:(?:echo|printf)\b[^|<>`$]*|exit\b.*|true|false|:)?\s*$/.test(part))
}
