/**
 * Exceptions and rejections that nobody caught. They are bugs, but of one callback or one promise: what becomes
 * of the process is for the program to say, and one handler says it. Without one Node ends the process with a
 * stack trace.
 */

/** From here on `handle` is called for each, instead of the handler before it. It must not throw. */
export function onStray(handle: (error: unknown) => void): void {
  // By event and not by a variable of this module: each bundled file of a program has a copy of its own.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event).on(event, handle)
  }
}
