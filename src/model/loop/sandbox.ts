/**
 * The sandbox of a loop, as it was decided when it began: its agent and its promise run in it, or the loop rests. What
 * it is made of is platform/contract.
 */
import * as z from 'zod'

/** What a sandbox restricts; the network only where hosts are listed. */
const sandboxLevels = ['files', 'none'] as const

/** Why there is no sandbox. `check`: the promise runs `loop check`, which reads data that a sandbox hides. */
const sandboxTroubles = ['no-program', 'apparmor', 'refused', 'check', 'session'] as const

export type SandboxTrouble = (typeof sandboxTroubles)[number]

export const sandbox = z.strictObject({
  level: z.enum(sandboxLevels),
  why: z.enum(sandboxTroubles).optional().describe('why there is none, though it was asked for'),
  said: z.string().optional().describe('by the program that was tried'),
  write: z
    .array(z.string().regex(/^\//))
    .optional()
    .describe('directories outside of the work tree that may be written'),
  network: z
    .array(z.string())
    .optional()
    .describe('the hosts that may be reached, besides those of the model; every host without it'),
})

export type Sandbox = z.infer<typeof sandbox>
