/**
 * The identity of a finding: the same rule, file and quoted line are the same finding in every round and from every
 * reviewer. Line numbers and wording change; these three rarely do. Characters that nobody sees do not count, whether
 * they stand there or are spelled out: the page has only the text that is safe to show, and must mean the same finding.
 */
import type { Finding } from '../../model/plan/finding.ts'

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
