/**
 * The text fields of answers. The minimum length excludes empty phrases, the maximum is what fits into a
 * prompt.
 */
import * as z from 'zod'

export function words(least: number, most: number) {
  return z.string().trim().min(least).max(most)
}

export const percent = z.int().min(0).max(100)
