/** `loop recall`: the learnings of this work tree that fit a text, best first. */

import { recallAt } from '../../engine/learnings.ts'
import { invalid, ok } from '../../model/failure.ts'
import { treeFrom } from '../../options/resolve.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { recalledText } from '../../views/plan/learnings.ts'
import { standardInput } from '../../wiring/stdin.ts'
import type { CommandRun } from '../command-table.ts'
import { systemHere } from '../system.ts'
import { outFor } from '../terminal.ts'

const recall: CommandRun = async input => {
  const [given, ...more] = input.positionals
  if (given === undefined || more.length > 0) return invalid({ kind: 'text-to-recall' })
  const text = given === '-' ? standardInput() : given
  if (text.trim() === '') return invalid({ kind: 'empty-text' })
  const tree = treeFrom(input, systemHere(input))
  if (!tree.ok) return tree
  const found = recallAt({ paths: pathsFrom(input.env), tree: tree.value }, text)
  const document = found.map(({ learning, score }) => ({ ...learning, score: Math.round(score * 100) / 100 }))
  outFor<'recalled'>(input, document, recalledText(found))
  return ok(0)
}

export default recall
