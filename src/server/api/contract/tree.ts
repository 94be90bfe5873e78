/** The saved states of a work tree, what changed between them, and what a rollback would do. */
import * as z from 'zod'
import { changesSchema } from '../../../documents/fields.ts'
import { diffSchema, previewSchema, savedStateSchema } from '../../../documents/tree.ts'
import { checkpointParam, getRoute } from './route.ts'

const range = { from: checkpointParam, to: checkpointParam }
const path = z.string().min(1).max(4_096).describe('of a file, from the top of the work tree')

export const treeRoutes = {
  checkpoints: getRoute('/v1/loops/{id}/checkpoints', {
    summary: 'the saved states of the work tree by name; of a group also the results of its nodes',
    answer: z.strictObject({
      checkpoints: z.array(savedStateSchema()),
      undo: z.string().nullable().describe('the state before the last rollback'),
    }),
  }),
  changes: getRoute('/v1/loops/{id}/changes', {
    summary: 'the files that differ between two saved states, with their lines; at most 5000 of them',
    query: z.strictObject(range),
    answer: z.strictObject({
      files: z.array(
        z.strictObject({
          path: z.string().describe('exact, to ask for the file by it'),
          name: z.string().describe('the path on one line, without anything that hides or reorders'),
          status: z.enum(['new', 'deleted', 'changed']),
          added: z.int(),
          removed: z.int(),
          isBinary: z.boolean(),
          generated: z.string().nullable().describe('why it counts as generated, if it does'),
          isTest: z.boolean(),
        }),
      ),
      total: changesSchema(),
      isCut: z.boolean(),
    }),
    exact: true,
  }),
  fileDiff: getRoute('/v1/loops/{id}/changes/file', {
    summary: 'the patch of one file between two saved states, to be shown: at most 256 kB, or with all 4 MB',
    query: z.strictObject({ ...range, path, all: z.literal('1').optional() }),
    answer: z.strictObject({ patch: z.string(), isCut: z.boolean() }),
  }),
  treeFile: getRoute('/v1/loops/{id}/tree/file', {
    summary: 'one file as it was saved, to be shown: at most 1 MB; null where it is binary',
    query: z.strictObject({ checkpoint: checkpointParam, path }),
    answer: z.strictObject({ text: z.string().nullable(), bytes: z.int(), isCut: z.boolean() }),
  }),
  rollbackPreview: getRoute('/v1/loops/{id}/rollback', {
    summary:
      'what a rollback to this checkpoint would write and delete, at most 2000 paths of each; touches nothing',
    query: z.strictObject({ to: checkpointParam }),
    answer: previewSchema().extend({
      counts: z.strictObject({ written: z.int(), deleted: z.int(), left: z.int() }),
      refused: z.string().nullable().describe('why it cannot be done as the loop stands'),
    }),
  }),
  diff: getRoute('/v1/loops/{id}/diff', {
    summary: 'what changed between two checkpoints',
    query: z.strictObject(range),
    answer: diffSchema(),
    exact: true,
  }),
}
