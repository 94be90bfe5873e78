/**
 * What `--json` prints about the machine and its settings: `loop config`, `loop doctor`, `loop gc`,
 * `loop plugin`, `loop ui`, `loopd`.
 */
import * as z from 'zod'

export const settingValue = z.strictObject({
  key: z.string(),
  value: z.string().nullable().describe('as it would be typed; null: it has none'),
  source: z.string().describe('default, a variable of the environment, or the path of a file'),
})

export const settingList = z.array(settingValue.extend({ help: z.string().describe('what it is') }))

export const settingChanged = z.strictObject({
  key: z.string(),
  value: z.string().nullable().describe('null: it is not set in that file any more'),
  path: z.string().describe('the file'),
  changed: z.boolean().describe('false: it was so already'),
  trusted: z.boolean().describe('false: the file is of a project, and is not used until it is trusted'),
})

export const configFiles = z.array(
  z.strictObject({
    path: z.string(),
    of: z.enum(['user', 'project']),
    exists: z.boolean(),
    used: z.boolean(),
    state: z.string().describe('used, trusted, not trusted, changed since trusted, invalid or not there'),
    problem: z.string().nullable().describe('what is wrong with it'),
  }),
)

export const trustedFile = z.strictObject({ path: z.string(), trusted: z.boolean() })

export const health = z.strictObject({
  ok: z.boolean().describe('false: at least one check has failed, and the exit code is not 0'),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'fail']),
      found: z.string().describe('for people; may change'),
      next: z.string().nullable().describe('what to do about it'),
    }),
  ),
})

const span = z.strictObject({
  loop: z.string(),
  from: z.int().describe('number of the first event'),
  to: z.int(),
})

export const restoredStore = z.strictObject({
  backup: z.looseObject({ file: z.string() }).describe('what was restored'),
  aside: z.string().nullable().describe('where the damaged files are now; null: there were none'),
  broughtBack: z.array(span).describe('events newer than the backup that could be read'),
  missing: z.array(span).describe('events that are lost'),
  unknownLoops: z.array(z.string()).describe('loops that have files but no journal'),
  unknownRuns: z.array(z.string()).describe('new names of runs that no journal knows'),
})

const freed = z.strictObject({ path: z.string(), bytes: z.number() })

/** loopd answers with the same. */
export const collectedGarbage = z.strictObject({
  dryRun: z.boolean().describe('true: nothing was thrown away'),
  checkpoints: z.int().describe('all of them together'),
  bytes: z.number().describe('of everything together, about'),
  trees: z.array(
    z.strictObject({
      tree: z.string().describe('the work tree'),
      checkpoints: z.int(),
      bytes: z.number(),
      kept: z.string().nullable().describe('why it was left alone; null: it was not'),
    }),
  ),
  copies: z.array(freed).describe('working copies'),
  outputs: z.array(freed).describe('what agents and promises printed, by loop'),
  outputBytes: z.number().describe('all that agents and promises printed and that is kept'),
  unknown: z
    .strictObject({ checkpoints: z.int(), copies: z.int(), outputs: z.int(), bytes: z.number() })
    .describe(
      'of loops that the store does not know, last written before the retention time; kept without --yes',
    ),
})

/** loopd answers with the same. */
export const daemonStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  startedAt: z.number().describe('milliseconds since 1970'),
  socket: z.string(),
  web: z
    .strictObject({ url: z.string().nullable(), problem: z.string().nullable() })
    .describe('its page; url is null where it is not served'),
  running: z.array(z.string()).describe('the loops at work, of which there are at most `limit`'),
  waiting: z
    .array(z.string())
    .optional()
    .describe('the loops it drives that wait for a limit, a network, a retry, you, or their turn'),
  groups: z.array(z.string()).describe('the groups it drives, which take no place among the loops'),
  queued: z.int(),
  limit: z.int().describe('how many loops may run at the same time'),
  stopping: z.boolean(),
  freeBytes: z.number().nullable().describe('of its disk; null: unknown'),
  problems: z.array(z.string()).describe('what keeps it from doing all of its work, in words'),
})

export const daemonStarted = z.strictObject({
  pid: z.int(),
  socket: z.string(),
  started: z.boolean().describe('false: it ran already'),
})

export const daemonEnded = z.strictObject({
  running: z.literal(false),
  ended: z.boolean().describe('by this command; false: it did not run'),
})

export const serviceOfDaemon = z.strictObject({
  file: z.string().describe('the unit of the service manager'),
  installed: z.boolean().describe('the file is there'),
  enabled: z.boolean().optional().describe('of install: the service manager runs loopd from now on'),
  byHand: z
    .string()
    .nullable()
    .optional()
    .describe('of install: the commands to type where the service manager could not be asked'),
  text: z.string().optional().describe('of print: what is in the file, or would be'),
})

export const pageAddress = z.strictObject({
  url: z.string().describe('works once, and for a minute; nothing was opened'),
})

export const pluginOfHost = z.strictObject({
  host: z.enum(['claude', 'opencode']),
  scope: z.enum(['user', 'project']),
  installed: z.boolean().describe('as it is now'),
  path: z.string().nullable().describe('the link to the plugin; null: the host keeps it itself'),
  done: z.string().describe('for people; may change'),
})
