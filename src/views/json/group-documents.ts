/** What `--json` prints about groups: attempts side by side, the reviews of a plan, and what became of each node. */
import * as z from 'zod'
import { resolutions } from '../../model/group/resolution.ts'
import { finding } from '../../model/plan/finding.ts'
import { severities } from '../../model/plan/severity.ts'
import { changesDocument, historyOfLoop } from './loop-documents.ts'

const stage = z.enum(['planned', 'started', 'rested', 'called', 'ended', 'skipped'])
const how = z.enum(['completed', 'failed', 'cancelled', 'crashed', 'conflict', 'lost'])
const id = z.string().describe('of the group')
const inTree = z.string().nullable().describe('the node whose result is in the work tree')

const attempt = z.strictObject({
  node: z.string().describe('its name'),
  member: z.string().nullable().describe('its loop; null until it has begun'),
  stage,
  copy: z.string().nullable().describe('where it works, or has worked'),
  attempt: z.int().optional().describe('how often it was begun'),
  how: how.optional().describe('how it ended; absent until then, as all of these'),
  reason: z.string().optional().describe('why it ended so'),
  why: z.string().optional().describe('the same in words'),
  tree: z.string().optional().describe('its copy at the end, as a saved tree'),
  changes: changesDocument.optional().describe('against what its copy was made from'),
  size: z.int().optional().describe('lines changed, generated files not counted'),
  paths: z.array(z.string()).optional().describe('some of the files it changed'),
  tests: z.array(z.string()).optional().describe('the new tests among them'),
  doubts: z.int().optional().describe('how often what it did was suspect'),
  iterations: z.int().optional(),
  durationMs: z.number().optional(),
  costUsd: z.number().nullable().optional(),
  said: z.string().optional().describe('the last words of its agent'),
  exitCode: z.int().nullable().optional(),
  outputs: z.record(z.string(), z.string()).optional().describe('what it has left for others'),
  values: z
    .record(
      z.string(),
      z.strictObject({
        value: z.number().nullable().describe('null: it printed no number'),
        command: z.string().nullable().describe('what measured it'),
      }),
    )
    .describe('every measure, by name'),
})

export const comparisonOfGroup = z.strictObject({
  id,
  winner: z.string().nullable().describe('the attempt that was chosen'),
  by: z.string().nullable().describe('the measure that told it from the next'),
  inTree,
  attempts: z.array(attempt),
  judged: z
    .array(
      z.strictObject({
        a: z.string(),
        b: z.string(),
        answer: z.looseObject({ better: z.string() }).nullable().describe('better is A, B or tie'),
      }),
    )
    .optional()
    .describe('what the judge of equals said, of each pair in both orders'),
})

export const reviewsOfPlan = z.strictObject({
  id: z.string().describe('of the plan'),
  rounds: z.array(
    z.strictObject({
      round: z.int(),
      findings: z.array(
        finding.extend({
          id: z.string().describe('the same in every round'),
          severity: z.enum(severities).describe('what it counts as'),
          claimed: z.enum(severities).describe('what its reviewers say that it is'),
          makers: z.array(z.string()).describe('who made the models that found it'),
          grounds: z.array(z.string()).describe('why it stands; empty: only its reviewer says so'),
          resolved: z.enum(resolutions).nullable().describe('what a person made of it'),
        }),
      ),
    }),
  ),
})

export const resolvedFinding = z.strictObject({
  id: z.string().describe('of the plan'),
  finding: z.string(),
  how: z.enum(resolutions),
})

const nodeOutcome = z.strictObject({
  id: z.string().describe('its name'),
  kind: z.enum(['loop', 'command', 'gate', 'choose', 'apply']),
  loop: z.string().nullable().describe('the id of its loop'),
  stage,
  attempt: z.int().describe('how often it was begun'),
  how: how.nullable().describe('how it ended; null until then'),
  reason: z.string().nullable().describe('why it ended so, or rests'),
  why: z.string().nullable().describe('the same in words, or why it was skipped'),
  iterations: z.int().nullable(),
  durationMs: z.int().nullable(),
  added: z.int().nullable(),
  removed: z.int().nullable(),
  files: z.int().nullable(),
  costUsd: z.number().nullable(),
  exitCode: z.int().nullable().describe('of a command'),
  value: z.number().nullable().describe('of a measure'),
  answer: z.string().nullable().describe('of a gate, or of a question to an agent'),
  winner: z.string().nullable().describe('of a choice'),
  conflicts: z.array(z.string()).describe('files that could not be merged'),
})

export const groupHistoryDocument = z.strictObject({
  id,
  kind: z.literal('group'),
  program: z.string().describe('best-of, workflow or plan'),
  nodes: z.array(nodeOutcome).describe('in the order of the plan'),
  checkpoints: z.array(z.string()).describe('the saved states of the work tree'),
  inTree,
  loops: z.array(historyOfLoop).describe('the history of each loop, as of `loop history <id>`'),
  iterations: historyOfLoop.shape.iterations.optional().describe('where it has one loop: those of that'),
})
