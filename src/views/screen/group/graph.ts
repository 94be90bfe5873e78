/** The graph of a group with the state of each node: a node is below the nodes that it needs, and indented further. */
import type { GroupState } from '../../../core/group/state.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { ink, type Look, sign } from '../look.ts'
import { type NodeLine, nodeMark } from './node-list.ts'

export function graphRows(lines: readonly NodeLine[], { nodes }: GroupState, look: Look): string[] {
  const needs = new Map(nodes.map(({ node }) => [node.id, node.needs]))
  const depths = new Map<string, number>()
  // A node only needs nodes that were planned before it.
  for (const { node } of nodes)
    depths.set(node.id, Math.max(-1, ...node.needs.map(id => depths.get(id) ?? 0)) + 1)
  return lines.map(line => {
    const { node } = line
    const mark = nodeMark(line)
    const depth = depths.get(node.id) ?? 0
    const branch = depth === 0 ? '' : `${'  '.repeat(depth - 1)}${sign(look, 'last')}${sign(look, 'rule')} `
    const after = needs.get(node.id) ?? []
    const from = after.length > 1 ? `  after ${after.join(', ')}` : ''
    const why = node.why === '' ? '' : `: ${oneLine(node.why)}`
    const words = `${mark.word}${why}${from}`
    return `${ink(look, 'dim', branch)}${ink(look, mark.ink, sign(look, mark.sign))} ${node.id} ${ink(look, 'dim', words)}`
  })
}
