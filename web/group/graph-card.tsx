/** The graph of a group: its nodes with their states, and the edges between them. Nodes can be reached by keyboard. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { GroupState, NodeState } from '../../src/core/group/state.ts'
import { address, goTo } from '../base/router.ts'
import { toneOf } from '../parts/status.tsx'
import type { GroupView } from './group-page.tsx'
import { placed } from './layout.ts'
import { nodeWords, statusOfNode } from './node-words.ts'

type GroupJournal = GroupView['journal']

const box = { width: 168, height: 46, gapX: 44, gapY: 14, pad: 10 }

export function GraphCard({ journal, state }: { journal: GroupJournal; state: GroupState }): JSX.Element {
  const drawn = useRef<HTMLDivElement>(null)
  const nodes = useMemo(() => drawnNodes(journal, state), [journal, state])
  const places = useMemo(
    () => placed(nodes),
    [nodes.map(({ id, needs }) => `${id}<${needs.join()}`).join(';')],
  )
  const at = new Map(places.map(one => [one.id, point(one)]))
  const width = Math.max(0, ...Array.from(at.values(), ({ x }) => x)) + box.width + box.pad
  const height = Math.max(0, ...Array.from(at.values(), ({ y }) => y)) + box.height + box.pad
  const now = state.nodes.find(({ stage }) => stage === 'started' || stage === 'called')?.node.id
  const from = now === undefined ? 0 : (at.get(now)?.x ?? 0)
  useEffect(() => {
    const view = drawn.current
    if (view) view.scrollLeft = Math.max(0, from - view.clientWidth / 2)
  }, [from])
  return (
    <section class="card">
      <div class="card-head">
        <h2>Graph</h2>
        <span class="quiet small">what waits for what</span>
      </div>
      <div ref={drawn} class="graph" tabIndex={0} role="region" aria-label="Graph of the group">
        <svg width={width} height={height} role="group" aria-label={`${nodes.length} nodes`}>
          {nodes.flatMap(({ id, needs }) =>
            needs.map(need => <Edge key={`${need}>${id}`} from={at.get(need)} to={at.get(id)} />),
          )}
          {state.nodes.map(one => (
            <GraphNode key={one.node.id} one={one} at={at.get(one.node.id) ?? { x: 0, y: 0 }} />
          ))}
        </svg>
      </div>
    </section>
  )
}

/** A node of a plan may name no needs: then it is drawn after the last nodes that were planned before it. */
function drawnNodes(journal: GroupJournal, state: GroupState): { id: string; needs: readonly string[] }[] {
  const nodes = state.nodes.map(({ node }) => node)
  if (state.spec.program !== 'plan') return nodes
  const known = new Set(nodes.map(({ id }) => id))
  let ends: string[] = []
  return journal.events.flatMap(event => {
    if (event.kind !== 'nodes.planned') return []
    const some = event.data.nodes.filter(({ id }) => known.has(id))
    const inside = new Set(some.flatMap(({ needs }) => needs))
    const placedHere = some.map(({ id, needs }) => ({ id, needs: needs.length > 0 ? needs : ends }))
    ends = some.map(({ id }) => id).filter(id => !inside.has(id))
    return placedHere
  })
}

type Point = { x: number; y: number }

function point({ column, row }: { column: number; row: number }): Point {
  return { x: box.pad + column * (box.width + box.gapX), y: box.pad + row * (box.height + box.gapY) }
}

function Edge({ from, to }: { from: Point | undefined; to: Point | undefined }): JSX.Element | null {
  if (!from || !to) return null
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2]
  const [x2, y2] = [to.x, to.y + box.height / 2]
  const middle = (x1 + x2) / 2
  return <path class="graph-edge" d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />
}

function GraphNode({ one, at }: { one: NodeState; at: Point }): JSX.Element {
  const { node, member } = one
  const status = statusOfNode(one)
  const words = nodeWords(one)
  const drawing = (
    <g transform={`translate(${at.x} ${at.y})`} class={`graph-node tone-${toneOf(status)}`}>
      <title>{`${node.id}: ${words}`}</title>
      <rect width={box.width} height={box.height} rx="8" />
      <rect class="graph-mark" x="0" y="10" width="3" height={box.height - 20} rx="1.5" />
      <text x="14" y="20" class="graph-name">
        {clipped(node.id, 22)}
      </text>
      <text x="14" y="36" class="graph-words">
        {clipped(`${node.kind} · ${words}`, 26)}
      </text>
    </g>
  )
  if (member === null) return drawing
  const to = `/loops/${member}`
  return (
    <a
      href={address(to)}
      onClick={event => {
        event.preventDefault()
        goTo(to)
      }}
    >
      {drawing}
    </a>
  )
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
