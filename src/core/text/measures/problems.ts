/**
 * The number of problems that a linter or type checker found, errors and warnings together, from its output.
 * Each tool is one row. Null if unknown: no tool is recognised and the command failed, the output was cut, or
 * the tool could not check everything (a file that does not parse hides the problems of others).
 */
import { printed, sumOrNull } from './printed.ts'
import type { ProblemTool } from './tool.ts'
import { biome } from './tools/biome.ts'
import { clippy } from './tools/clippy.ts'
import { eslint } from './tools/eslint.ts'
import { flake8 } from './tools/flake8.ts'
import { goVet } from './tools/go-vet.ts'
import { mypy } from './tools/mypy.ts'
import { oxlint } from './tools/oxlint.ts'
import { ruff } from './tools/ruff.ts'
import { tsc } from './tools/tsc.ts'

const tools: readonly ProblemTool[] = [eslint, biome, oxlint, ruff, flake8, clippy, tsc, mypy, goVet]

export function problemCount(text: string, exitCode: number | null): number | null {
  if (exitCode === null) return null
  const said = printed(text)
  const counts = tools.map(count => count(said)).filter(count => count !== null)
  if (counts.includes('broken')) return null
  const sum = sumOrNull(counts.filter(count => count !== 'broken')) ?? 0
  // The command failed without a counted problem: something else went wrong.
  return sum === 0 && exitCode !== 0 ? null : sum
}
