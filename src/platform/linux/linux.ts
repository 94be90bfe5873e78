/** Linux: the parts of its implementation, together. */
import type { Platform } from '../contract.ts'
import { desktop, linuxPrograms } from './desktop.ts'
import { files } from './file-systems.ts'
import { locks } from './locks.ts'
import { processes } from './processes.ts'
import { runs } from './runs.ts'
import { services } from './services.ts'

export const linux: Platform = { processes, runs, locks, files, desktop, services, programs: linuxPrograms }
