/**
 * A row of the tables of options: a flag a person can type, a key of a file or of a request. Plain data, so that
 * help and completion load nothing. What a value may be is options/value.
 */

export type Flag = {
  name: string
  short?: string
  /** What stands for the value in the help, and the kind it is read by (options/value); a switch has none. */
  takes?: string
  /** The default as a person would type it. */
  default?: string
  /** It may be given several times. */
  repeat?: true
  /** The environment variable that gives the default. */
  env?: string
  /** A configuration file can give the default too, by its key. */
  config?: true
  help: string
}

/** Its name in a configuration file and in a request. */
export function keyOf(flag: Pick<Flag, 'name'>): string {
  return flag.name.replaceAll('-', '_')
}
