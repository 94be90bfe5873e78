/** The flags that name a hook. Alone in a file: every command looks at them, and must not load what reads them. */

/** A hook acts for the user: no agent may ask for one. */
export const hookFlags: readonly string[] = ['on-complete', 'on-failure']
