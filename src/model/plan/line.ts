/**
 * Text of one line, as schemas: learnings, shapes, tasks and the answers of models share them, so that a line means the
 * same in all of them.
 */
import * as z from 'zod'

export function lineOf(least: number, most: number) {
  return z
    .string()
    .trim()
    .min(least)
    .max(most)
    .regex(/^[^\r\n]*$/, 'one line')
}

export const sentence = lineOf(3, 500)

/** A command for /bin/sh -c. */
export const shellLine = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n\0]*$/, 'one line')
