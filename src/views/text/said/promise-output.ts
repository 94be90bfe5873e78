/**
 * What the promise printed, in a few lines: the end of it, where runners say what failed. Without colour, since a
 * line that is cut would pass its colour on; the whole of it is for `loop logs --promise`.
 */
import { clip, oneLine } from '../plain-text.ts'

const widest = 200

/** The last lines of an output that say something, each as one of ours. */
export function lastLines(output: string, most: number): string[] {
  const lines = output.split(/\r\n|\r|\n/).map(line => oneLine(line).trimEnd())
  return lines
    .filter(line => line.trim() !== '')
    .slice(-most)
    .map(line => `  │ ${clip(line, widest)}`)
}
