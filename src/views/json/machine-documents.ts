/** What `--json` prints about the machine and its settings: `loop config`, `loop doctor`. */
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
