/**
 * Uncaught exceptions and unhandled rejections. They are bugs, but only of one callback or promise: the program decides
 * whether the process goes on, in one handler. Without it Node ends the process with a stack trace.
 */

/** Installs the handler, in place of an earlier one. It must not throw. */
export function onStray(handle: (error: unknown) => void): void {
  // Not with a variable of this module: each bundled file of the program has its own copy of the module.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event).on(event, handle)
  }
}
