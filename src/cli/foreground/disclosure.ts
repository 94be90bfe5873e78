/**
 * Every start says which files loop writes into the work tree (a line of the plan). Whether they are removed at the
 * end is asked at a terminal, once per work tree; the answer is a small record in the data directory.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { objectOf, parseJson } from '../../core/session/state-file.ts'
import type { StartWish } from '../../options/resolve.ts'
import { writeDurably } from '../../store/files/artifact.ts'
import { disclosureFile, pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { askLine, isYes } from './question.ts'

const answerMs = 10_000
const question = 'Writing state to .loop/state.json. Delete after session? [y/N] '

/** Whether the state files are removed at the end. No answer keeps them, and is not remembered. */
export async function deletesState({ spec, state }: StartWish, input: Input): Promise<boolean> {
  if (state !== null || !spec.attended || input.given('yes')) return state === 'delete'
  const file = disclosureFile(pathsFrom(input.env), spec.cwd)
  const before = answerIn(file, spec.cwd)
  if (before !== null) return before
  const line = await askLine(question, AbortSignal.timeout(answerMs))
  if (line === null) return false
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeDurably(file, `${JSON.stringify({ tree: spec.cwd, delete: isYes(line) })}\n`)
  return isYes(line)
}

/** Null if it was never asked; an unreadable record is asked again. */
function answerIn(file: string, tree: string): boolean | null {
  try {
    const record = objectOf(parseJson(readFileSync(file, 'utf8')))
    return record?.['tree'] === tree ? record['delete'] === true : null
  } catch {
    return null
  }
}
