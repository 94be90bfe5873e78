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
