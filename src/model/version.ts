/** Version numbers, in a file of their own so that `--version` and readers of journals load nothing else. */

/** The version of the program; scripts/check compares it with package.json. */
export const version = '0.1.0'

/** The version of the event format. A journal with a newer version is shown, but never driven. */
export const eventVersion = 1
