/**
 * Decides which findings of reviewers stand. Reviews are noisy: a BLOCKER is accepted only with evidence from
 * somebody other than its reviewer: a verification, a reviewer of another maker, or a failed command that loop ran
 * itself. Otherwise it becomes a SUGGESTION; nothing is dropped.
 */

import { type Severity, severities } from '../../model/group/words.ts'
import type { Finding } from '../../model/plan.ts'

/** `f-` and ten hexadecimal digits. */
export function findingId({ rule, file, quote }: Pick<Finding, 'rule' | 'file' | 'quote'>): string {
  const parts = [rule.toLowerCase(), file.replace(/^\.\//, ''), quote].map(squeezed)
  return `f-${fnv1a(parts.join('\0')).toString(16).padStart(16, '0').slice(0, 10)}`
}

/** Indentation and spacing are ignored: a formatter changes them. */
function squeezed(text: string): string {
  return text.replaceAll(unseen, '').trim().replaceAll(/\s+/g, ' ')
}

/** Control characters except whitespace, invisible ones, and their spelling in text that is shown: `\u{202e}`. */
const unseen = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{DI}\p{Zl}\p{Zp}]|\\u\{[\da-f]{1,6}\}/gu

/** FNV-1a over UTF-16 code units, 64 bits: an identity, not a secret. */
function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  }
  return hash
}

/** `maker`: the maker of the model; two reviewers of one maker count as one. */
export type ReviewReport = { maker: string; findings: readonly Finding[] }

/** The evidence for a finding beside its reviewer's word. `verified` is null until somebody has checked. */
export type FindingEvidence = { verified: boolean | null; verdict: 'PASS' | 'FAIL' | 'ERROR' | null }

type BlockerGround = 'verified' | 'two makers' | 'failed command'

export type JudgedFinding = Finding & {
  id: string
  /** The severity that its reviewers claim; `severity` is the decided one. */
  claimed: Severity
  makers: string[]
  /** The grounds for accepting it; empty if only its reviewer supports it. */
  grounds: BlockerGround[]
}

/** Each finding once, heaviest first, then in the order of the reports. */
export function judgeFindings(
  reports: readonly ReviewReport[],
  evidence: ReadonlyMap<string, FindingEvidence>,
): JudgedFinding[] {
  const told = new Map<string, { maker: string; finding: Finding }[]>()
  for (const { maker, findings } of reports)
    for (const finding of findings) {
      const id = findingId(finding)
      told.set(id, [...(told.get(id) ?? []), { maker, finding }])
    }
  const judged = Array.from(told, ([id, sayings]) => judge(id, sayings, evidence.get(id)))
  return judged.sort((a, b) => weight(a.severity) - weight(b.severity))
}

function judge(
  id: string,
  sayings: { maker: string; finding: Finding }[],
  known: FindingEvidence | undefined,
): JudgedFinding {
  const [heaviest] = sayings
    .map(({ finding }) => finding)
    .sort((a, b) => weight(a.severity) - weight(b.severity))
  if (!heaviest) throw new Error('Internal error: a finding that nobody said')
  const claimed = heaviest.severity
  const voices = new Set(
    sayings.filter(({ finding }) => finding.severity === claimed).map(({ maker }) => maker),
  )
  const grounds: BlockerGround[] = [
    ...(known?.verified === true ? (['verified'] as const) : []),
    ...(voices.size > 1 ? (['two makers'] as const) : []),
    ...(known?.verdict === 'FAIL' ? (['failed command'] as const) : []),
  ]
  const makers = [...new Set(sayings.map(({ maker }) => maker))]
  const severity = severityOf(claimed, grounds, known?.verified ?? null)
  return { ...heaviest, id, claimed, severity, makers, grounds }
}

/** A warning needs no proof, but one that was checked and not confirmed is dropped to a suggestion. */
function severityOf(claimed: Severity, grounds: BlockerGround[], verified: boolean | null): Severity {
  if (grounds.length > 0) return claimed
  if (claimed === 'BLOCKER' || verified === false) return 'SUGGESTION'
  return claimed
}

function weight(severity: Severity): number {
  return severities.indexOf(severity)
}

/** What happened to the findings of one round in the next. */
export function compareRounds(before: readonly JudgedFinding[], now: readonly JudgedFinding[]) {
  const [earlier, later] = [before, now].map(round => new Set(round.map(({ id }) => id)))
  return {
    fixed: before.filter(({ id }) => !later?.has(id)),
    still: now.filter(({ id }) => earlier?.has(id)),
    fresh: now.filter(({ id }) => !earlier?.has(id)),
  }
}
