/**
 * Files that whoever started this program had open, and that its own children would have too. A directory among them
 * leads out of every sandbox, and a pipe that a program of the background keeps open makes its reader wait. Node keeps
 * the first sixteen from its children, and all that it opens itself; the others are replaced in the child. They stay
 * open here: an argument may name one (`<(…)` of a shell).
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { ChildFile } from '../contract.ts'

export function withoutInherited(stdio: readonly ChildFile[], nothing: number): ChildFile[] {
  const inherited = new Set(openFiles().filter(file => file >= stdio.length && isInherited(file)))
  const places = Math.max(stdio.length, ...Array.from(inherited, file => file + 1))
  return Array.from(
    { length: places },
    (_, file) => stdio[file] ?? (inherited.has(file) ? nothing : 'ignore'),
  )
}

function openFiles(): number[] {
  return readdirSync('/proc/self/fdinfo').map(Number)
}

const closedInChildren = 0o2000000

/** False for one that was closed meanwhile. */
function isInherited(file: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closedInChildren) === 0
  } catch {
    return false
  }
}
