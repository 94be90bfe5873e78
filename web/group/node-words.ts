/** How far a node of a group is, in a word of a status and in words. */
import type { NodeState } from '../../src/core/group/state.ts'
import { shortReason } from '../../src/views/words/group.ts'

/** The status whose shape and colour a node is drawn with. */
export function statusOfNode({ stage, end, node }: NodeState): string {
  switch (stage) {
    case 'planned':
      return 'queued'
    case 'started':
    case 'called':
      return node.kind === 'gate' ? 'waiting' : 'running'
    case 'rested':
      return 'paused'
    case 'skipped':
      return 'cancelled'
    case 'ended':
      return end?.how === 'completed'
        ? 'completed'
        : end?.how === 'cancelled'
          ? 'cancelled'
          : end?.how === 'crashed'
            ? 'crashed'
            : 'failed'
    default:
      return stage satisfies never
  }
}

export function nodeWords({ stage, end, rested, skipped, node }: NodeState): string {
  switch (stage) {
    case 'planned':
      return 'planned'
    case 'started':
    case 'called':
      return node.kind === 'gate' ? 'waits for you' : 'under way'
    case 'rested':
      return `rests: ${shortReason(rested?.reason ?? null)}`
    case 'skipped':
      return `skipped: ${skipped ?? ''}`
    case 'ended':
      if (end?.choice) return end.choice.winner === null ? 'chose nobody' : `chose ${end.choice.winner}`
      if (node.kind === 'apply' && end?.how === 'completed') return 'in the work tree'
      // The answer of a model to a question of a plan is a document.
      if (node.kind === 'loop' && node.reads && end?.how === 'completed') return 'answered'
      return end?.why ?? end?.answer ?? (end?.value == null ? (end?.how ?? 'ended') : String(end.value))
    default:
      return stage satisfies never
  }
}
