/**
 * Reads `.loop/shape/SHAPE.md` for a session as values of a start: its criteria become the promise, its mustNot entries
 * pause the loop. The gate before the work judges the file first: a shape that cannot be verified starts nothing.
 */
import { join } from 'node:path'
import { readPlain } from '../../adapters/tree-file.ts'
import { preWorkProblems } from '../../core/plan/pre-work.ts'
import { readShapeFile } from '../../core/plan/shape-file.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { preWorkWords } from '../../views/words/plan.ts'
import type { Input } from '../command-table.ts'
import { trustShape } from '../plan/shape-here.ts'

/** The values by flag: promise, confirm, must-not. The user has to trust the file, whoever wrote it. */
export function shapeValues(tree: string, input: Input): Result<Map<string, string[]>> {
  const directory = join(tree, '.loop', 'shape')
  const found = readPlain(directory, 'SHAPE.md')
  if (typeof found === 'string')
    return fail('invalid-arguments', { kind: 'no-shape', isAbsent: found === 'absent' })
  const shape = readShapeFile(found.text)
  if (!shape) return fail('invalid-arguments', { kind: 'shape-without-criteria' })
  const problems = preWorkProblems(shape).map(preWorkWords)
  const unquotable = [...shape.criteria, ...shape.mustNot].find(({ name }) => name.includes('"'))
  if (unquotable) problems.push(`The name ${unquotable.name} has a quotation mark; write it without.`)
  if (problems.length > 0) return fail('invalid-arguments', { kind: 'shape-not-ready', problems })
  const trusted = trustShape({ path: join(directory, 'SHAPE.md'), text: found.text }, shape, input)
  if (!trusted.ok) return trusted
  const { criteria, mustNot } = shape
  return ok(
    new Map([
      [
        'promise',
        criteria.flatMap(({ name, command, verification }) =>
          command === null ? [] : `"${name}":${verification}=${command}`,
        ),
      ],
      ['confirm', criteria.flatMap(({ name, command }) => (command === null ? name : []))],
      ['must-not', mustNot.map(({ name, command }) => `"${name}"=${command}`)],
    ]),
  )
}
