/** Sizes from which on an object is treated as large. */

/** A larger file is streamed, from the work tree and back to it. */
export const wholeBytes = 256 * 1024
/** A larger file counts as binary. Git is configured with the same number (`core.bigFileThreshold`). */
export const largeBytes = 16 * 1024 * 1024
