/** Versions, alone in a file so that readers of a journal and `--version` need nothing else. */

/** Of the program; scripts/check compares it with package.json. */
export const version = '0.1.0'

/** Of the event envelope and data; a journal with a newer one is shown, never driven. */
export const eventVersion = 1
