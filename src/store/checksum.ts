/** The checksum of a stored row: damage is found by it, and damage is never read as done. */
import { hash } from 'node:crypto'

export function sumOf(text: string): string {
  return hash('sha256', text).slice(0, 32)
}
