/** What `--json` prints about the files of a loop: patches, checkpoints, rollbacks, archives. */
import * as z from 'zod'
import { loopDocument } from './loop-documents.ts'

const checkpoint = z.string().describe('the name of a checkpoint')

export const patchOfLoop = z.strictObject({
  id: z.string(),
  from: z.string().describe('as it was typed; of a group the name of a checkpoint or node'),
  to: z.string(),
  patch: z.string().describe('exact, so that git apply takes it, unless patchBase64 is there'),
  patchBase64: z.string().optional().describe('the exact bytes of a patch that is not UTF-8'),
})

export const savedCheckpoint = z.strictObject({
  id: z.string(),
  name: checkpoint,
  skipped: z.array(z.string()).describe('paths that could not be saved'),
  durationMs: z.number(),
})

const left = z.array(z.string()).describe('paths that stay, since they could not be saved or removed')

const rollback = {
  to: checkpoint,
  written: z.int().describe('how many files'),
  deleted: z.int().describe('how many files'),
  left: left.optional(),
  kept: checkpoint.nullable().describe('the checkpoint of what was there before; --undo brings it back'),
}

export const rolledBack = z.strictObject({
  id: z.string(),
  ...rollback,
  to: checkpoint.nullable().describe('the name of a checkpoint; null: nothing was done'),
  kept: rollback.kept.optional(),
  group: z.string().optional().describe('of a loop that worked in a copy: its group'),
  copy: z.literal(true).optional().describe('it worked in a copy: nothing of the work tree was its own'),
})

export const loopRolledBack = loopDocument.extend(rollback)

export const rollbackPreview = z.strictObject({
  id: z.string(),
  to: checkpoint,
  written: z.array(z.string()).describe('paths that would be written'),
  deleted: z.array(z.string()).describe('paths that would be deleted'),
  left,
})

export const exportedLoop = z.strictObject({
  id: z.string(),
  file: z.string().describe('the archive'),
  bytes: z.int().describe('of the archive'),
  entries: z.int().describe('how many files are in it'),
  redacted: z.int().describe('how many secrets were taken out of them'),
  leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  damagedEvents: z
    .array(z.int())
    .describe('numbers of events of the journal that are damaged or missing: they are not in it'),
})
