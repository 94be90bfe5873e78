/**
 * The questions to people while a plan runs, by its shape: none for `tool`; G1 and G3 for `tool-review`; G2 too for
 * `colleague`. Answers given beforehand (`--yes`, `--answers`) count without anybody being there. `--yes` never answers
 * Type 1 changes, findings or consent.
 */
import type { GroupNode, NodeOf } from '../../../model/group/node.ts'
import { find, type GroupState, isKind, isSettled, type NodeState } from '../../group/state.ts'
import type { Growth } from '../program.ts'
import { autonomyOf } from './intent.ts'
import { planOf } from './read.ts'

type Gate = NodeOf<'gate'>

const gatesOf = {
  tool: [],
  'tool-review': ['G1', 'G3'],
  colleague: ['G1', 'G2', 'G3'],
} as const satisfies Record<ReturnType<typeof autonomyOf>, readonly string[]>

export function wantsGate(state: GroupState, name: 'G1' | 'G2' | 'G3'): boolean {
  return (gatesOf[autonomyOf(state)] as readonly string[]).includes(name)
}

/** The wording of the specification. */
export const withoutConfirmation = 'proceed without confirmation'

/** Asks until there is an answer; then null. */
export function askPeople(state: GroupState, gate: Omit<Gate, 'kind' | 'needs' | 'choices'>): Growth | null {
  const one = find(state, gate.id)
  if (!one) {
    const node: GroupNode = { kind: 'gate', needs: [], choices: [], ...gate }
    return { plan: [node] }
  }
  return isSettled(one) ? null : { wait: true }
}

/** True if somebody is there or has answered beforehand. Without that, an optional question is not asked. */
export function canAnswer(state: GroupState, id: string): boolean {
  return state.spec.attended === true || givenFor(state, id) !== undefined
}

/**
 * By the id of the question, or by its last part. It is used once: a question that is put again, since its answer was
 * no or has left it open, is for a person, where one can be asked.
 */
function givenFor(state: GroupState, id: string): string | undefined {
  const { answers } = planOf(state)
  if ((find(state, id)?.reopened.length ?? 0) > 0) return undefined
  const short = id.split('/').at(-1) ?? id
  const isUsed = state.nodes.some(
    ({ node, end }) => node.id !== id && node.id.endsWith(`/${short}`) && end?.by === byFile,
  )
  const canAsk = state.spec.attended === true || state.background !== null
  return answers[id] ?? (isUsed && canAsk ? undefined : answers[short])
}

const byFile = '--answers'

/** The answer that was given beforehand; null if a person has to be asked. */
export function givenAnswer(one: NodeState, state: GroupState): { answer: string; by: string } | null {
  if (!isKind(one, 'gate')) return null
  const { yes } = planOf(state)
  const { id, asks, options } = one.node
  const given = givenFor(state, id)
  const meant = given === undefined ? null : meantBy(given, options ?? [])
  if (meant !== null) return asksForWords(meant, options ?? []) ? null : { answer: meant, by: byFile }
  if (asks !== 'gate') return null
  if (yes) return { answer: 'yes', by: '--yes' }
  const waved = state.nodes.some(({ end }) => end?.answer?.toLowerCase() === withoutConfirmation)
  return waved ? { answer: 'yes', by: withoutConfirmation } : null
}

/** The option that a letter stands for; any other text stands for itself. */
export function meantBy(text: string, options: readonly string[]): string {
  const said = text.trim()
  const index = /^[a-z]$/i.test(said) ? said.toLowerCase().charCodeAt(0) - 97 : -1
  return options[index] ?? said
}

/** Is this one of the options that only say what to answer with (core/programs/plan/intent)? */
export function asksForWords(text: string, options: readonly string[]): boolean {
  return options.includes(text) && /\(answer with [^)]+\)$/.test(text)
}

export function isAgreed(answer: string | null): boolean {
  return answer !== null && /^(y|yes|ok|proceed without confirmation)$/i.test(answer.trim())
}
