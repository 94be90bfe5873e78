/**
 * The text fields of answers. The minimum length excludes empty phrases, the maximum is what fits into a
 * prompt.
 */
import * as z from 'zod'

export function words(least: number, most: number) {
  return z.string().trim().min(least).max(most)
}

export const percent = z.int().min(0).max(100)

/** One line, which is run with /bin/sh -c. */
export const shellLine = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n\0]*$/, 'one line')
