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
