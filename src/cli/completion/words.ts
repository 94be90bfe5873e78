/** The data that a shell needs for completion, made from the table of commands, the same for every shell. */

/**
 * Words that `loop completion words` prints when Tab is pressed (cli/completion/live): ids of loops; the checkpoints,
 * nodes or findings of the loop named first; templates; the variables of the template or file on the line.
 */
export const liveKinds = ['ids', 'saved', 'nodes', 'findings', 'templates', 'variables'] as const

export type LiveKind = (typeof liveKinds)[number]

/** Words to choose from, words that only this machine knows, or a file. */
export type Offer = string[] | LiveKind | 'file'

export type CompletableFlag = {
  name: string
  short: string | null
  help: string
  /** Null for a switch; `text` is free text. */
  takes: null | Offer | 'text'
  isRepeatable: boolean
}

export type Completable = {
  name: string
  summary: string
  flags: CompletableFlag[]
  /** The first argument of the command. */
  argument: Offer | null
  /** The second argument; `after`: only if the first is one of these. */
  second: { after: string[] | null; offers: Offer }[]
}

/** `loop` or `loopd`. */
export type CompletableProgram = { name: string; commands: Completable[] }

/** As typed: `--output`, `-o`. */
export function spellings({ name, short }: CompletableFlag): string[] {
  return short ? [`--${name}`, `-${short}`] : [`--${name}`]
}

/** The flags of a command that a value follows, as typed. */
export function valueTakers({ flags }: Completable): string[] {
  return flags.filter(({ takes }) => takes !== null).flatMap(spellings)
}

/** The command that prints words, one per line; `about` is the shell's expression for the loop or the line. */
export function liveCommand(kind: LiveKind, about = ''): string {
  return `loop completion words ${kind}${about && ` -- ${about}`} 2>/dev/null`
}

/** In single quotes for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
