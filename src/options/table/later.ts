/**
 * What the specification names but this version does not do yet: refused by name with one sentence, never ignored.
 */

/** Flags of the specification that come with a later version, by command. */
export const laterFlags: Record<string, readonly string[]> = {
  start: ['counsel', 'task-list', 'force', 'fresh', 'answers', 'sandbox', 'fleet'],
  cancel: ['force'],
}

/** What does nearly the same today, by the name of the command. */
export const untilThen: Record<string, string> = {
  watch: 'loop logs <id> -f, or loop status -w',
}

/** Commands of the specification that come with a later version. */
export const laterCommands: readonly string[] = ['watch', 'plan', 'task', 'review', 'learn', 'recall']
