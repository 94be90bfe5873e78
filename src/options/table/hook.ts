/**
 * The flags that name a hook. They are in their own file because every command checks them, without loading the code
 * that reads them.
 */

/** A hook acts for the user: no agent may ask for one. */
export const hookFlags: readonly string[] = ['on-complete', 'on-failure']
