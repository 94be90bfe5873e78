/** What the system says of a file, as far as a scan needs it. */

export type Stat = { mode: number; size: number; mtimeMs: number; ctimeMs: number; ino: number }

export function sameStat(a: Stat, b: Stat): boolean {
  return (
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.mode === b.mode
  )
}

/** Timestamps move in steps: of the kernel's clock, or of whole seconds where the filesystem knows no less. */
export function clockStepMs(ctimeMs: number): number {
  return ctimeMs % 1000 === 0 ? 2_000 : 20
}

const typeBits = 0o170000
const permissionBits = 0o7777

/** What permissions a link has means nothing; on Linux all have these. */
export const linkMode = 0o120777

export const isLink = (mode: number): boolean => (mode & typeBits) === 0o120000
export const isRegular = (mode: number): boolean => (mode & typeBits) === 0o100000
export const isDirectory = (mode: number): boolean => (mode & typeBits) === 0o040000
export const permissions = (mode: number): number => mode & permissionBits

/** As git has it in a tree object. */
export function gitMode(mode: number): '120000' | '100755' | '100644' {
  if (isLink(mode)) return '120000'
  return mode & 0o100 ? '100755' : '100644'
}
