/**
 * A row of the tables of options: a flag, a key of a file or a field of a request, and the few names that every command
 * checks. It is plain data, so that help and completion load nothing else. Valid values: options/values.
 */

export type Flag = {
  name: string
  short?: string
  /** The placeholder of the value in the help, which also names its type (options/values); a switch has none. */
  takes?: string
  /** The default, as a person would type it. */
  default?: string
  /** The option can be given several times. */
  repeat?: true
  /** The environment variable for the default. */
  env?: string
  /** A configuration file can set the default too, by its key. */
  config?: true
  help: string
}

/** On a terminal a start shows what a person needs; this is all of it. */
export const verboseFlag: Flag = {
  name: 'verbose',
  short: 'v',
  help: "show everything: the agent's output, checkpoints, limits, and where state is written",
}

/** Its name in a configuration file and in a request. */
export function keyOf(flag: Pick<Flag, 'name'>): string {
  return flag.name.replaceAll('-', '_')
}

/**
 * Parts of the specification that this version does not have: each is refused by name with one sentence, never
 * ignored.
 */

/** Flags of the specification that a later version will have, by command. */
export const laterFlags: Record<string, readonly string[]> = {
  start: ['fleet'],
  cancel: ['force'],
}

/** Commands of the specification that a later version will have. */
export const laterCommands: readonly string[] = []

/**
 * The flags that name a hook. They are in their own file because every command checks them, without loading the code
 * that reads them.
 */

/** A hook acts for the user: no agent may ask for one. */
export const hookFlags: readonly string[] = ['on-complete', 'on-failure']
