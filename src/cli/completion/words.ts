/** What a shell has to know to complete a line: made from the table of commands, the same for every shell. */

export type CompletableFlag = {
  name: string
  short: string | null
  help: string
  /** Null for a switch; the values to choose from; a file; or a text that only the user knows. */
  takes: null | string[] | 'file' | 'text'
}

export type Completable = {
  name: string
  summary: string
  flags: CompletableFlag[]
  /** What stands first after the command. */
  argument: 'id' | string[] | null
  /** What stands after that: a checkpoint of the loop, or words where the first is one of `after`. */
  second: 'checkpoint' | { after: string[]; words: string[] } | null
}

/** `loop` or `loopd`. */
export type CompletableProgram = { name: string; commands: Completable[] }

/** As typed: `--output`, `-o`. */
export function spellings({ name, short }: CompletableFlag): string[] {
  return short ? [`--${name}`, `-${short}`] : [`--${name}`]
}

/** Prints the ids of the newest loops, one in a line; nothing where there are none. */
export const idsCommand = `loop list --limit 50 2>/dev/null | sed -n 's/^\\([a-z0-9]\\{6\\}\\) .*/\\1/p'`

/** Prints the checkpoints of a loop, one in a line; `id` is what the shell calls its id. */
export function checkpointsCommand(id: string): string {
  const fields = ['"checkpoint":"', '"after":"', String.raw`"checkpoints":\["`]
  const inFields = fields.map(field => String.raw`s/.*${field}\([^"]*\)".*/\1/p`)
  const others = String.raw`s/^"\([^":]*\)"[]}]*$/\1/p`
  const names = [...inFields, others].join('; ')
  return `loop history "${id}" --json 2>/dev/null | tr , '\\n' | sed -n '${names}'; echo initial`
}

/** In single quotes for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
