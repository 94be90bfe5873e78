/**
 * The size of a change for a person who reads it: the lines of hand-written files. Lock files, generated files and
 * vendored code are named but not counted, so that an attempt is not larger just because it installed a package.
 */
import { generatedWhy } from './generated.ts'

/** `begins`: the first lines of the changed file, if known. */
export type ChangedFile = { path: string; added: number; removed: number; begins?: string }

type ChangeSize = {
  added: number
  removed: number
  files: number
  notCounted: { path: string; why: string }[]
}

export function changeSize(changed: readonly ChangedFile[]): ChangeSize {
  const judged = changed.map(file => ({ ...file, why: generatedWhy(file) }))
  const counted = judged.filter(({ why }) => why === null)
  return {
    added: counted.reduce((sum, { added }) => sum + added, 0),
    removed: counted.reduce((sum, { removed }) => sum + removed, 0),
    files: counted.length,
    notCounted: judged.flatMap(({ path, why }) => (why === null ? [] : [{ path, why }])),
  }
}
