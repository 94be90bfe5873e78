/** The state of a node of a group, as the name of a status and in words. */

import type { NodeState } from '../../src/core/group/state.ts'
import { checkVerdict } from '../../src/core/loop/verdict.ts'
import { nodeReasonWords } from '../../src/failures/node.ts'
import { checkWords } from '../../src/views/words/plan.ts'
import { shortReason } from '../../src/views/words/reasons.ts'

/** The status whose shape and colour a node has. */
export function statusOfNode({ stage, end, node }: NodeState): string {
  const judges = node.kind === 'command' ? node.judges : undefined
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
      // A forbidden thing that is not so is what was hoped for.
      if (judges?.forbidden && end) return checkVerdict(end).verdict === 'FAIL' ? 'completed' : 'failed'
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
      return `skipped: ${nodeReasonWords(skipped)}`
    case 'ended':
      if (end?.choice) return end.choice.winner === null ? 'chose nobody' : `chose ${end.choice.winner}`
      if (node.kind === 'apply' && end?.how === 'completed') return 'in the work tree'
      // The answer of a model is a whole document: too long for this place.
      if (node.kind === 'loop' && node.reads && end?.how === 'completed') return 'answered'
      if (node.kind === 'command' && node.judges && end)
        return checkWords({ ...node.judges, ...checkVerdict(end) })
      return end?.why ?? end?.answer ?? (end?.value == null ? (end?.how ?? 'ended') : String(end.value))
    default:
      return stage satisfies never
  }
}
