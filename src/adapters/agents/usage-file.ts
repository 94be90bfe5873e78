/**
 * `$LOOP_USAGE_FILE`: an agent's report about itself, as one JSON object: `{"costUsd": 0.12, "edits":
 * {"src/cart.ts": 3}, "question": "which of the two?"}`. Also `"tokens": {"input": 1200, "output": 90, "cached":
 * 800}`, where `input` excludes cached tokens, and `"limitedUntil": "2026-11-17T05:00:00Z"`, or `true` without a
 * time, for a usage limit.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Limit, Tokens } from '../../model/agent.ts'

/** A higher cost of one run is a mistake. */
const mostUsd = 1_000_000

const mostBytes = 65_536

type Usage = {
  costUsd: number | null
  edited: { path: string; times: number } | null
  question: string | null
  tokens: Tokens | null
  limit: Limit | null
  /** Why the report, or a part of it, cannot be used; null if there is no problem. */
  problem: string | null
}

/** The content of the usage file; null for fields that are missing or implausible. */
export function reportedUsage(file: string): Usage {
  const nothing = { costUsd: null, edited: null, question: null, tokens: null, limit: null, problem: null }
  const text = textOf(file)
  if (text === null) return nothing
  const report = typeof text === 'string' ? objectIn(text) : text
  if ('problem' in report) return { ...nothing, problem: `its usage file ${report.problem}` }
  const { value } = report
  const odd = oddField(value)
  return {
    costUsd: cost(value.costUsd),
    edited: mostEdited(value.edits),
    question: question(value.question),
    tokens: tokens(value.tokens),
    limit: limit(value.limitedUntil),
    problem: odd === null ? null : `in its usage file ${odd}`,
  }
}

type Problem = { problem: string }
type Fields = Partial<Record<'costUsd' | 'edits' | 'question' | 'tokens' | 'limitedUntil', unknown>>

/** Null if there is no file, or an empty one. */
function textOf(file: string): string | Problem | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return null
    if (!stat.isFile()) return { problem: 'is not a file' }
    if (stat.size > mostBytes) return { problem: `is larger than ${mostBytes / 1_024} kB` }
    return stat.size === 0 ? null : readFileSync(file, 'utf8')
  } catch (error) {
    return { problem: `cannot be read (${(error as Error).message})` }
  }
}

function objectIn(text: string): Problem | { value: Fields } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value }
    return { problem: 'holds no JSON object' }
  } catch (error) {
    return { problem: `is not JSON (${(error as Error).message.replaceAll(/\s+/g, ' ')})` }
  }
}

/** The name of the first field that cannot be used. */
function oddField({ costUsd, edits, question: asked, ...more }: Fields): string | null {
  const shown = (value: unknown) => JSON.stringify(value).slice(0, 80)
  if (costUsd !== undefined && costUsd !== null && cost(costUsd) === null) {
    return `costUsd is no amount of dollars: ${shown(costUsd)}`
  }
  const counts = typeof edits === 'object' && edits !== null ? Object.values(edits) : [edits ?? 1]
  const count = counts.find(times => !isCount(times))
  if (count !== undefined) return `edits is no count for each file: ${shown(count)}`
  const isText = asked === undefined || asked === null || typeof asked === 'string'
  if (!isText) return `question is no text: ${shown(asked)}`
  if (isGiven(more.tokens) && tokens(more.tokens) === null) {
    return `tokens is no {"input": …, "output": …}: ${shown(more.tokens)}`
  }
  const isTime = !isGiven(more.limitedUntil) || limit(more.limitedUntil) !== null
  return isTime ? null : `limitedUntil is no time, nor true: ${shown(more.limitedUntil)}`
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function cost(costUsd: unknown): number | null {
  return typeof costUsd === 'number' && costUsd >= 0 && costUsd <= mostUsd ? costUsd : null
}

/** `"edits": {"src/cart.ts": 3}`: the number of edits per file. */
function mostEdited(edits: unknown): Usage['edited'] {
  const counts = Object.entries(edits ?? {}).flatMap(([path, times]) =>
    isCount(times) ? { path, times } : [],
  )
  return counts.toSorted((a, b) => b.times - a.times)[0] ?? null
}

function isCount(times: unknown): times is number {
  return Number.isSafeInteger(times) && (times as number) > 0
}

function tokens(counted: unknown): Tokens | null {
  if (typeof counted !== 'object' || counted === null) return null
  const { input, output, cached = 0 } = counted as Record<string, unknown>
  return isAmount(input) && isAmount(output) && isAmount(cached) ? { input, output, cached } : null
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A date as text, milliseconds since 1970, or true. */
function limit(until: unknown): Limit | null {
  const why = 'so says its usage file'
  if (until === true) return { until: null, why }
  const time = typeof until === 'string' ? Date.parse(until) : until
  return isAmount(time) ? { until: time, why } : null
}

function question(asked: unknown): string | null {
  const text = typeof asked === 'string' ? asked.trim() : ''
  return text === '' ? null : text
}
