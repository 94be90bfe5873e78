/**
 * The SHAPE.md of a work tree. A file that somebody else wrote is used after the user has trusted it; a file that loop
 * wrote is made again.
 */
import { join } from 'node:path'
import { readPlain } from '../../adapters/tree-file.ts'
import { preWorkProblems, readShapeFile } from '../../core/plan/shape-file.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { PlanShape } from '../../model/plan.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { shapeMark } from '../../views/plan/documents.ts'
import { preWorkWords } from '../../views/words/plan.ts'
import { trustQuestions } from '../../views/words/questions.ts'
import type { Input } from '../command-table.ts'
import { askNow, isAttended } from '../foreground/question.ts'

/** Null without a SHAPE.md, or if an earlier plan of loop wrote it. */
export function shapeHere(tree: string, input: Input): Result<PlanShape | null> {
  const directory = join(tree, '.loop', 'shape')
  const path = join(directory, 'SHAPE.md')
  // A pipe, a link or an endless file is ignored.
  const found = readPlain(directory, 'SHAPE.md')
  if (typeof found === 'string' || found.text.includes(shapeMark)) return ok(null)
  const read = readShapeFile(found.text)
  const trusted = trustShape({ path, text: found.text }, read, input)
  if (!trusted.ok) return trusted
  if (!read) return fail('invalid-config', { kind: 'no-criteria-in-shape', path })
  const problems = preWorkProblems(read)
  if (problems.length > 0) {
    const words = problems.map(problem => `  ${preWorkWords(problem)}`)
    return fail('invalid-config', { kind: 'shape-here-not-ready', path, problems: words })
  }
  return ok(asShape(read))
}

/** Its commands are run as they stand: nothing of it is used before the user has trusted this content. */
export function trustShape(
  { path, text }: { path: string; text: string },
  read: ReturnType<typeof readShapeFile>,
  input: Input,
): Result<null> {
  const paths = pathsFrom(input.env)
  const file = { path, bytes: Buffer.from(text), of: 'project' } as const
  if (trustOf(paths, file) === 'trusted') return ok(null)
  if (input.given('trust')) return input.given('dry-run') ? ok(null) : recordTrust(paths, file, true)
  const named = [...(read?.criteria ?? []), ...(read?.mustNot ?? [])]
  if (isAttended(input) && askNow(trustQuestions.shape(path, named))) return recordTrust(paths, file, true)
  return fail('not-allowed', { kind: 'shape-untrusted', path })
}

type Read = NonNullable<ReturnType<typeof readShapeFile>>

/** Sections that a file written by hand lacks stay empty. */
function asShape(read: Read): PlanShape {
  const criteria = read.criteria.flatMap(one =>
    one.verification ? [{ ...one, verification: one.verification }] : [],
  )
  const mustNot = read.mustNot.flatMap(one =>
    one.command === null ? [] : [{ ...one, command: one.command }],
  )
  return {
    goal: read.fields.get('goal') ?? 'as the criteria say',
    scope: read.fields.get('scope') ?? 'as the criteria say',
    constraints: [],
    assumptions: [],
    criteria,
    mustNot,
    phases: 'tasks',
    documents: { requirements: null, design: null, plan: null },
    points: 3,
    alt: null,
    risk: null,
  }
}
