/**
 * `$LOOP_USAGE_FILE`: what any agent may write of itself, as one JSON object:
 * `{"costUsd": 0.12, "edits": {"src/cart.ts": 3}, "question": "which of the two?"}`.
 */
import { readFileSync, statSync } from 'node:fs'

/** More than this for one run is not a cost but a mistake. */
const mostUsd = 1_000_000

export type Usage = {
  costUsd: number | null
  edited: { path: string; times: number } | null
  question: string | null
}

/** What the agent reported in its usage file; null for what it did not, or what can not be believed. */
export function reportedUsage(file: string): Usage {
  const unknown = { costUsd: null, edited: null, question: null }
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > 65_536) return unknown
  try {
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof report !== 'object' || report === null) return unknown
    return { costUsd: cost(report), edited: mostEdited(report), question: question(report) }
  } catch {
    return unknown // what an agent wrote is not ours to trust
  }
}

function cost(report: { costUsd?: unknown }): number | null {
  const { costUsd } = report
  return typeof costUsd === 'number' && costUsd >= 0 && costUsd <= mostUsd ? costUsd : null
}

/** `"edits": {"src/cart.ts": 3}`: how often each file was edited. */
function mostEdited(report: { edits?: unknown }): Usage['edited'] {
  const counts = Object.entries(report.edits ?? {}).flatMap(([path, times]) =>
    Number.isSafeInteger(times) && times > 0 ? { path, times: times as number } : [],
  )
  return counts.toSorted((a, b) => b.times - a.times)[0] ?? null
}

function question(report: { question?: unknown }): string | null {
  const asked = typeof report.question === 'string' ? report.question.trim() : ''
  return asked === '' ? null : asked
}
