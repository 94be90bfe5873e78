/**
 * Notes about the learnings of a work tree, in the data directory: which lines loop wrote itself or the user trusts (by
 * checksum, so that a changed line is asked about again), which wait for consent, and to which loops each was shown.
 * The files are only appended to, so that two processes lose nothing.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Showing } from '../../core/learn.ts'
import { objectOf, parseJson } from '../../core/session/state-file.ts'
import { sumOf } from './checksum.ts'
import type { Paths } from './paths.ts'

type Data = Pick<Paths, 'data'>

const mostBytes = 8_000_000

/** Whether this text may be used: loop wrote it here, or the user trusts it. */
export function isKnownText(paths: Data, tree: string): (text: string) => boolean {
  const known = new Set(linesOf(paths, tree, 'known'))
  return text => known.has(sumOf(text))
}

export function rememberTexts(paths: Data, tree: string, texts: readonly string[]): void {
  add(paths, tree, { name: 'known', lines: texts.map(sumOf) })
}

/** Lines that wait until a person has agreed to them. */
export function pendingLines(paths: Data, tree: string): string[] {
  return linesOf(paths, tree, 'pending.jsonl')
}

export function addPending(paths: Data, tree: string, lines: readonly string[]): void {
  const there = new Set(pendingLines(paths, tree))
  add(paths, tree, { name: 'pending.jsonl', lines: lines.filter(line => !there.has(line)) })
}

/** The others stay. */
export function removePending(paths: Data, tree: string, isGone: (line: string) => boolean): void {
  const left = pendingLines(paths, tree).filter(line => !isGone(line))
  const file = fileOf(paths, tree, 'pending.jsonl')
  writeFileSync(`${file}.next`, left.map(line => `${line}\n`).join(''), { mode: 0o600 })
  renameSync(`${file}.next`, file)
}

export function showings(paths: Data, tree: string): Showing[] {
  return linesOf(paths, tree, 'shown.jsonl').flatMap(line => {
    const found = objectOf(parseJson(line))
    const { id, loop, said } = found ?? {}
    const isWhole = typeof id === 'string' && typeof loop === 'string'
    return isWhole && (said === 'confirmed' || said === 'dismissed' || said === 'used')
      ? { id, loop, said }
      : []
  })
}

export function addShowings(paths: Data, tree: string, shown: readonly Showing[]): void {
  add(paths, tree, { name: 'shown.jsonl', lines: shown.map(one => JSON.stringify(one)) })
}

function add(paths: Data, tree: string, { name, lines }: { name: string; lines: readonly string[] }): void {
  if (lines.length === 0) return
  const file = fileOf(paths, tree, name)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  appendFileSync(file, lines.map(line => `${line}\n`).join(''), { mode: 0o600 })
}

function linesOf(paths: Data, tree: string, name: string): string[] {
  try {
    const file = fileOf(paths, tree, name)
    if (statSync(file).size > mostBytes) return []
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return [] // nothing was noted yet
  }
}

function fileOf({ data }: Data, tree: string, name: string): string {
  return join(data, 'learnings', sumOf(tree), name)
}
