/** The fields of lstat that tell whether a file is the same as before, and what they mean. */

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

/**
 * The resolution of timestamps: two changes within one step may leave the same stat. The kernel's clock ticks every few
 * milliseconds; a file system with whole seconds is recognized by a ctime without a fraction.
 */
export function clockStepMs(ctimeMs: number): number {
  return ctimeMs % 1000 === 0 ? 2_000 : 20
}

const typeBits = 0o170000
const permissionBits = 0o7777

/** The permissions of a link mean nothing; on Linux every link has these. */
export const linkMode = 0o120777

export const isLink = (mode: number): boolean => (mode & typeBits) === 0o120000
export const isRegular = (mode: number): boolean => (mode & typeBits) === 0o100000
export const isDirectory = (mode: number): boolean => (mode & typeBits) === 0o040000
export const permissions = (mode: number): number => mode & permissionBits

/** The mode of a file or link in a tree object of git, which knows one permission: executable by its owner. */
export function gitMode(mode: number): '120000' | '100755' | '100644' {
  if (isLink(mode)) return '120000'
  return mode & 0o100 ? '100755' : '100644'
}
