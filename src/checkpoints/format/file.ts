/**
 * Files of the work tree: their paths, and the fields of lstat that tell whether one is the same as before. A path is
 * relative to the tree and has one character per byte (latin1), since a name need not be UTF-8.
 */

/** An ASCII name has the same bytes in latin1 and in UTF-8. */
export function isAscii(name: string): boolean {
  return Buffer.byteLength(name) === name.length
}

/** The absolute path, as the system wants it: a buffer where the name is not ASCII. */
export function locate(tree: string, path: string): string | Buffer {
  if (path === '') return tree
  if (isAscii(path)) return `${tree}/${path}`
  return Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])
}

export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** `a`, `a/b` of `a/b/c`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** The path as text for people: decoded as UTF-8. */
export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}

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
