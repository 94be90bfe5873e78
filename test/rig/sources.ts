/** The texts of the specification's sources (test/recordings/seeds), and the tables in them. */
import { readFileSync } from 'node:fs'

export function source(name: string): string {
  return readFileSync(new URL(`../recordings/seeds/${name}`, import.meta.url), 'utf8')
}

/** The rows below the head of a table, cell by cell. */
export function tableIn(name: string): string[][] {
  const lines = source(name)
    .split('\n')
    .filter(line => line.startsWith('|'))
  return lines.slice(2).map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

/** What stands in double quotes in a text. */
export function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/"([^"]*)"/g), ([, inner = '']) => inner)
}
