/**
 * A row of the tables of options: a flag, a key of a file or a field of a request. It is plain data, so that help
 * and completion load nothing else. Valid values: options/value.
 */

export type Flag = {
  name: string
  short?: string
  /** The placeholder of the value in the help, which also names its type (options/value); a switch has none. */
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

/** Its name in a configuration file and in a request. */
export function keyOf(flag: Pick<Flag, 'name'>): string {
  return flag.name.replaceAll('-', '_')
}
