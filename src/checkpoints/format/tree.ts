/**
 * The tree and commit objects of git. A tree is the content of one directory, a row for each file, link and directory in
 * it: `mode SPACE name NUL id`, the id as 20 bytes. Names are latin1, one character per byte.
 */
import { gitMode, isDirectory } from './file.ts'

/** The mode of a directory in a row; `gitMode` says those of files and links. */
export const treeMode = '40000'

export type TreeEntry = { mode: string; name: string; id: string }

/** Rows stand in the order that git demands: by name, as if the name of a directory ended with a slash. */
export function treeBytes(entries: readonly TreeEntry[]): Buffer {
  const rows = entries.map(entry => ({
    ...entry,
    key: entry.mode === treeMode ? `${entry.name}/` : entry.name,
  }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  const size = rows.reduce((sum, { mode, name }) => sum + mode.length + name.length + 22, 0)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const { mode, name, id } of rows) {
    at += bytes.write(`${mode} ${name}\0`, at, 'latin1')
    at += bytes.write(id, at, 'hex')
  }
  return bytes
}

export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at)
    const end = bytes.indexOf(0, space)
    entries.push({
      mode: usualMode(bytes.toString('latin1', at, space)),
      name: bytes.toString('latin1', space + 1, end),
      id: bytes.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return entries
}

/** Other programs also write `040000` and `100664`: the mode that git would have written. */
function usualMode(text: string): string {
  const mode = Number.parseInt(text, 8)
  return isDirectory(mode) ? treeMode : gitMode(mode)
}

/**
 * The commit objects of git. A checkpoint is one: it names the tree, and its message holds what git has no place for
 * (format/notes). Author and date are the same in all of them, so that the same state of a tree has the same id.
 */
export function commitText(commit: { tree: string; message: string; parents?: string[] }): Buffer {
  const who = 'loop <loop> 0 +0000'
  const parents = (commit.parents ?? []).map(id => `parent ${id}`)
  const lines = [`tree ${commit.tree}`, ...parents, `author ${who}`, `committer ${who}`, '', commit.message]
  return Buffer.from(lines.join('\n'))
}

export function parseCommit(content: Buffer): { tree: string; message: string } {
  const text = content.toString()
  return { tree: text.slice(5, text.indexOf('\n')), message: text.slice(text.indexOf('\n\n') + 2) }
}
