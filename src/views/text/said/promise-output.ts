/**
 * The output of a promise in a few lines: its end, where test runners print the failures. Colour is removed, because
 * a cut line would colour the next one; `loop logs --promise` shows everything.
 */
import { clip, oneLine } from '../../../core/text/plain-text.ts'

const widest = 200

/** The last non-empty lines of an output, each made safe. */
export function lastLines(output: string, most: number): string[] {
  const lines = output.split(/\r\n|\r|\n/).map(line => oneLine(line).trimEnd())
  return lines
    .filter(line => line.trim() !== '')
    .slice(-most)
    .map(line => `  │ ${clip(line, widest)}`)
}
