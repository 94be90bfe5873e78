/** What `loop gc` says: what it has deleted or would delete, and what is left of loops that the store does not know. */
import { spelledOut } from '../../core/text/plain-text.ts'
import { count, formatBytes, formatDuration, someOf } from '../../model/units.ts'

/** `kept`: why a tree was left alone. */
type Tree = { tree: string; checkpoints: number; bytes: number; kept: string | null }
type File = { path: string; bytes: number }
type Garbage = { trees: readonly Tree[]; copies: readonly File[]; outputs: readonly File[] }

type GarbageTotal = Record<'checkpoints' | 'copies' | 'outputs' | 'bytes', number>

export function garbageTotal({ trees, copies, outputs }: Garbage): GarbageTotal {
  const done = trees.filter(({ kept }) => kept === null)
  const bytes = [...done, ...copies, ...outputs].reduce((sum, report) => sum + report.bytes, 0)
  const checkpoints = done.reduce((sum, report) => sum + report.checkpoints, 0)
  return { checkpoints, copies: copies.length, outputs: outputs.length, bytes }
}

/** `3 checkpoints, 1 working copy`; empty where there is nothing. */
function parts({ checkpoints, copies, outputs }: GarbageTotal, age = ''): string {
  return [
    ...(checkpoints > 0 ? [`${count(checkpoints, 'checkpoint')}${age}`] : []),
    ...(copies > 0 ? [copies === 1 ? '1 working copy' : `${copies} working copies`] : []),
    ...(outputs > 0 ? [`the output of ${count(outputs, 'loop')}`] : []),
  ].join(', ')
}

/** Less kept output is not worth a line. */
const worthSaying = 1_000_000

type Collected = {
  /** `isDeleted`: a person has said so. */
  unknown: Garbage & { isDeleted: boolean }
  /** The bytes of output that is kept. */
  kept: number
  isDry: boolean
  retentionMs: number
}

export function garbageLines(found: Garbage, { unknown, kept, isDry, retentionMs }: Collected): string[] {
  const age = ` of loops that ended more than ${formatDuration(retentionMs)} ago`
  const total = garbageTotal(found)
  const what = parts(total, age)
  return [
    ...found.trees.map(treeLine),
    ...fileLines('working copy', found.copies),
    ...fileLines('output', found.outputs),
    what === ''
      ? `Nothing to delete: there are no checkpoints${age}.`
      : `${isDry ? 'Would free' : 'Freed'} about ${formatBytes(total.bytes)}: ${what}.`,
    ...(kept > worthSaying
      ? [
          `Output of agents and promises that is kept: ${formatBytes(kept)}. Delete it with: loop gc --output-retention 0s`,
        ]
      : []),
    ...unknownLines(unknown),
  ]
}

function treeLine({ tree, checkpoints, bytes, kept }: Tree): string {
  const words = `${String(checkpoints).padStart(5)} checkpoints  ${formatBytes(bytes).padStart(9)}  ${tree}`
  return kept === null ? words : `${words} (left alone: ${kept})`
}

function fileLines(what: string, files: readonly File[]): string[] {
  return files.map(
    ({ path, bytes }) => `${what.padStart(17)}  ${formatBytes(bytes).padStart(9)}  ${spelledOut(path)}`,
  )
}

function unknownLines(unknown: Collected['unknown']): string[] {
  const total = garbageTotal(unknown)
  const what = parts(total)
  if (what === '') return []
  if (unknown.isDeleted)
    return [`Deleted of loops that the store does not know, about ${formatBytes(total.bytes)}: ${what}.`]
  return [`${unknownWords(unknown)} They are kept. ${places(unknown)} Delete them with: loop gc --yes`]
}

export function deleteUnknownQuestion(unknown: Garbage): string {
  return `${unknownWords(unknown)} ${places(unknown)}\nDelete that too? [y/N] `
}

function unknownWords(unknown: Garbage): string {
  return `The store does not know the loops of ${parts(garbageTotal(unknown))}: their journals may be lost (loop doctor).`
}

function places({ trees, copies, outputs }: Garbage): string {
  const all = [...trees.map(({ tree }) => tree), ...[...copies, ...outputs].map(({ path }) => path)]
  return `They are in ${someOf(all.map(spelledOut))}.`
}
