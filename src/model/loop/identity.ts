/** Who a process is, and which directory a work tree is, as journals record them. */
import * as z from 'zod'

export const identity = z.strictObject({ pid: z.int().positive(), start: z.int().nonnegative() })

export const process = z.strictObject({ pid: z.int(), command: z.string() })

export const workPlace = z.strictObject({
  ino: z.int().nonnegative(),
  bornMs: z
    .number()
    .nonnegative()
    .describe('when the directory was made; 0 where the filesystem does not say'),
})
