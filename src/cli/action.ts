/** The action of a command that has several: one row for each, with the words that it takes. */
import { invalid, ok, type Result } from '../model/failure.ts'
import { nearest } from '../options/nearest.ts'
import type { Input } from './command-table.ts'

type Ran = Promise<Result<number>> | Result<number>

/** `takes`: its words in the form of the usage, `<key> <value>`. */
export type ActionRows = Record<string, { takes: string; run(input: Input, ...words: string[]): Ran }>

type Found = { name: string; run(input: Input): Ran }

/** The action that is typed, with its words; refused by `kind` unless there are as many as it takes. */
export function actionOf(
  command: string,
  actions: ActionRows,
  { typed: [name = '', ...words], kind }: { typed: readonly string[]; kind: 'form' | 'config-form' },
): Result<Found> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action) return unknownAction(command, name, Object.keys(actions))
  const wanted = action.takes === '' ? 0 : action.takes.split(' ').length
  // A key may be tried that is empty; a file or a name may not.
  if (words.length === wanted && (kind === 'config-form' || words[0] !== ''))
    return ok({ name, run: input => action.run(input, ...words) })
  return invalid({ kind, form: `${command} ${name} ${action.takes}`.trim() })
}

/** With the action that was probably meant, or all there are. */
export function unknownAction(command: string, name: string, known: string[]): Result<never> {
  return invalid({ kind: 'unknown-action', command, name, near: nearest(name, known), known })
}
