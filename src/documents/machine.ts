/** This computer for programs: `loop config`, `loop doctor`, `loop gc`, `loop plugin`, `loop ui`, `loopd`. */
import * as z from 'zod'
import { int, moment, string, stringOrNull, strings } from './fields.ts'

export function settingSchema() {
  return z.strictObject({
    key: z.string(),
    value: stringOrNull('as it would be typed; null: it has none'),
    source: string('default, a variable of the environment, or the path of a file'),
  })
}

export function settingsSchema() {
  return z.array(settingSchema().extend({ help: string('what it is') }))
}

function settingDocuments() {
  const file = z.strictObject({
    path: z.string(),
    of: z.enum(['user', 'project']),
    exists: z.boolean(),
    used: z.boolean(),
    state: string('used, trusted, not trusted, changed since trusted, invalid or not there'),
    problem: stringOrNull('what is wrong with it'),
  })
  return {
    settings: settingsSchema(),
    setting: settingSchema(),
    settingChanged: z.strictObject({
      key: z.string(),
      value: stringOrNull('null: it is not set in that file any more'),
      path: string('the file'),
      changed: z.boolean().describe('false: it was so already'),
      trusted: z.boolean().describe('false: the file is of a project, and is not used until it is trusted'),
    }),
    configFiles: z.array(file),
    trusted: z.strictObject({ path: z.string(), trusted: z.boolean() }),
  }
}

export function doctorSchema() {
  const check = z.strictObject({
    name: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    found: string('for people; may change'),
    next: stringOrNull('what to do about it'),
  })
  return z.strictObject({
    ok: z.boolean().describe('false: at least one check has failed, and the exit code is not 0'),
    checks: z.array(check),
  })
}

function restoredSchema() {
  const span = z.strictObject({ loop: z.string(), from: int('number of the first event'), to: z.int() })
  return z.strictObject({
    backup: z.looseObject({ file: z.string() }).describe('what was restored'),
    aside: stringOrNull('where the damaged files are now; null: there were none'),
    broughtBack: z.array(span).describe('events newer than the backup that could be read'),
    missing: z.array(span).describe('events that are lost'),
    unknownLoops: strings('loops that have files but no journal'),
    unknownRuns: strings('new names of runs that no journal knows'),
    unknownCheckpoints: strings('new names of checkpoints that no journal knows'),
  })
}

export function garbageSchema() {
  const freed = z.strictObject({ path: z.string(), bytes: z.number() })
  const tree = z.strictObject({
    tree: string('the work tree'),
    checkpoints: z.int(),
    bytes: z.number(),
    kept: stringOrNull('why it was left alone; null: it was not'),
  })
  const kept = 'last written before the retention time; kept without --yes'
  return z.strictObject({
    dryRun: z.boolean().describe('true: nothing was thrown away'),
    checkpoints: int('all of them together'),
    bytes: z.number().describe('of everything together, about'),
    trees: z.array(tree),
    copies: z.array(freed).describe('working copies'),
    outputs: z.array(freed).describe('what agents and promises printed, by loop'),
    outputBytes: z.number().describe('all that agents and promises printed and that is kept'),
    unknown: z
      .strictObject({ checkpoints: z.int(), copies: z.int(), outputs: z.int(), bytes: z.number() })
      .describe(`of loops that the store does not know, ${kept}`),
  })
}

export function daemonSchema() {
  const page = z.strictObject({ url: z.string().nullable(), problem: z.string().nullable() })
  const waiting = 'the loops it drives that wait for a limit, a network, a retry, you, or their turn'
  return z.strictObject({
    version: z.string(),
    pid: z.int(),
    startedAt: moment(),
    socket: z.string(),
    web: page.describe('its page; url is null where it is not served'),
    running: strings('the loops at work, of which there are at most `limit`'),
    waiting: strings(waiting).optional(),
    groups: strings('the groups it drives, which take no place among the loops'),
    queued: z.int(),
    limit: int('how many loops may run at the same time'),
    stopping: z.boolean(),
    freeBytes: z.number().nullable().describe('of its disk; null: unknown'),
    problems: strings('what keeps it from doing all of its work, in words'),
  })
}

function daemonDocuments() {
  const byHand = 'of install: the commands to type where the service manager could not be asked'
  return {
    daemon: daemonSchema(),
    daemonStarted: z.strictObject({
      pid: z.int(),
      socket: z.string(),
      started: z.boolean().describe('false: it ran already'),
    }),
    daemonEnded: z.strictObject({
      running: z.literal(false),
      ended: z.boolean().describe('by this command; false: it did not run'),
    }),
    service: z.strictObject({
      file: string('the unit of the service manager'),
      installed: z.boolean().describe('the file is there'),
      enabled: z.boolean().optional().describe('of install: the service manager runs loopd from now on'),
      byHand: stringOrNull(byHand).optional(),
      text: string('of print: what is in the file, or would be').optional(),
    }),
  }
}

export function machineDocuments() {
  return {
    ...settingDocuments(),
    doctor: doctorSchema(),
    restored: restoredSchema(),
    garbage: garbageSchema(),
    plugin: z.strictObject({
      host: z.enum(['claude', 'opencode']),
      scope: z.enum(['user', 'project']),
      installed: z.boolean().describe('as it is now'),
      path: stringOrNull('the link to the plugin; null: the host keeps it itself'),
      done: string('for people; may change'),
    }),
    page: z.strictObject({ url: string('works once, and for a minute; nothing was opened') }),
    ...daemonDocuments(),
  }
}
