/** The operating system this program runs on. The only file that names an implementation. */
import type { Platform } from './contract.ts'
import { linux } from './linux/linux.ts'
import type { SupportedSystem } from './supported.ts'

const implementations: Record<SupportedSystem, Platform> = { linux }

/** On any other system the program has ended before it asks (platform/supported). */
export const platform: Platform = implementations[process.platform as SupportedSystem] ?? linux
