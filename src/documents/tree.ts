/** The files of a loop, for programs: patches, checkpoints, rollbacks, archives. */
import * as z from 'zod'
import { changesSchema, int, string, stringOrNull, strings } from './fields.ts'
import { loopSchema } from './loop.ts'

const checkpointSchema = () => string('the name of a checkpoint')
const leftSchema = () => strings('paths that stay, since they could not be saved or removed')

/** A saved state of the work tree; of loopd alone. */
export function savedStateSchema() {
  return z.strictObject({
    name: z.string(),
    at: z.number().nullable(),
    kind: z.enum(['initial', 'before', 'after', 'verified', 'own', 'kept', 'result', 'other']),
    iteration: z.int().nullable(),
    isSaved: z.boolean().describe('false with --checkpoint none'),
    isDiscarded: z.boolean().describe('thrown away since: it cannot be read any more'),
    discardedAt: z.number().nullable(),
    changes: changesSchema().nullable().describe('against the one before it, where they were counted'),
  })
}

export function diffSchema() {
  return z.strictObject({
    id: z.string(),
    from: string('as it was typed; of a group the name of a checkpoint or node'),
    to: z.string(),
    patch: string('exact, so that git apply takes it, unless patchBase64 is there'),
    patchBase64: string('the exact bytes of a patch that is not UTF-8').optional(),
  })
}

export function previewSchema() {
  return z.strictObject({
    id: z.string(),
    to: checkpointSchema(),
    written: strings('paths that would be written'),
    deleted: strings('paths that would be deleted'),
    left: leftSchema(),
  })
}

function rollbackFields() {
  return {
    to: checkpointSchema(),
    written: int('how many files'),
    deleted: int('how many files'),
    left: leftSchema().optional(),
    kept: stringOrNull('the checkpoint of what was there before; --undo brings it back'),
  }
}

export function treeDocuments() {
  const rollback = rollbackFields()
  return {
    diff: diffSchema(),
    checkpoint: z.strictObject({
      id: z.string(),
      name: checkpointSchema(),
      skipped: strings('paths that could not be saved'),
      durationMs: z.number(),
    }),
    rolledBack: z.strictObject({
      id: z.string(),
      ...rollback,
      to: stringOrNull('the name of a checkpoint; null: nothing was done'),
      kept: rollback.kept.optional(),
      group: string('of a loop that worked in a copy: its group').optional(),
      copy: z.literal(true).optional().describe('it worked in a copy: nothing of the work tree was its own'),
    }),
    loopRolledBack: loopSchema().extend(rollback),
    rollbackPreview: previewSchema(),
    exported: z.strictObject({
      id: z.string(),
      file: string('the archive'),
      bytes: int('of the archive'),
      entries: int('how many files are in it'),
      redacted: int('how many secrets were taken out of them'),
      leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
      damagedEvents: z
        .array(z.int())
        .describe('numbers of events of the journal that are damaged or missing: they are not in it'),
    }),
  }
}
