/** The operating systems that loop has an implementation for. Apart, so that a program can ask before it loads one. */
const supported = ['linux'] as const

export type SupportedSystem = (typeof supported)[number]

/** The name of this system where loop cannot run on it; else null. */
export function unsupportedSystem(): string | null {
  return supported.some(name => name === process.platform) ? null : process.platform
}
