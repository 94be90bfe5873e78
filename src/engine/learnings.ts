/**
 * The usable learnings of a work tree: those that loop wrote here with consent, and those that the user trusts.
 * Learnings that came with a repository are skipped until then. New ones wait for consent, whoever found them.
 */
import {
  appendLearning,
  learningLine,
  type Maxim,
  parseLearning,
  readLearnings,
  readMaxims,
  removeLearning,
} from '../adapters/learnings.ts'
import { recall } from '../core/learn.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { type Learning, learning } from '../model/learning.ts'
import {
  addPending,
  isKnownText,
  pendingLines,
  rememberTexts,
  removePending,
} from '../store/files/learning-notes.ts'
import { type Paths, userMaxims } from '../store/files/paths.ts'

/** The work tree whose learnings are meant. */
export type LearningPlace = { paths: Paths; tree: string }

/** `strange`: the number of learnings from elsewhere that are not trusted. */
export function learningsAt({ paths, tree }: LearningPlace): { usable: Learning[]; strange: number } {
  const isKnown = isKnownText(paths, tree)
  const all = readLearnings(tree)
  const usable = all.filter(({ line }) => isKnown(line)).map(one => one.learning)
  return { usable, strange: all.length - usable.length }
}

/** The learnings that fit a text, best first, at most five. */
export function recallAt(place: LearningPlace, text: string): { learning: Learning; score: number }[] {
  const { usable } = learningsAt(place)
  const found = recall(text, usable, { textOf: wordsOf })
  return found.map(({ entry, score }) => ({ learning: entry, score }))
}

/** The user's own maxims, and trusted ones of the repository; `strange`: the others. */
export function maximsAt({ paths, tree }: LearningPlace): { usable: Maxim[]; strange: Maxim[] } {
  const isKnown = isKnownText(paths, tree)
  const all = readMaxims(tree, userMaxims(paths))
  const usable = all.filter(({ own, text }) => own || isKnown(text))
  return { usable, strange: all.filter(one => !usable.includes(one)) }
}

export function trustMaxims({ paths, tree }: LearningPlace, maxims: readonly Pick<Maxim, 'text'>[]): void {
  rememberTexts(
    paths,
    tree,
    maxims.map(({ text }) => text),
  )
}

/** Trusts all learnings that are there now; a changed text has to be trusted again. Returns the number of new ones. */
export function trustAll(place: LearningPlace): number {
  const { paths, tree } = place
  const isKnown = isKnownText(paths, tree)
  const maxims = readMaxims(tree, userMaxims(paths)).filter(({ own }) => !own)
  const texts = [...readLearnings(tree).map(({ line }) => line), ...maxims.map(({ text }) => text)]
  const fresh = texts.filter(text => !isKnown(text))
  rememberTexts(paths, tree, fresh)
  return fresh.length
}

/**
 * Marks a learning as loop's own, then writes it into the work tree, after consent. In this order a crash in between
 * leaves no learning that would count as a stranger's, and a repeated call writes it once.
 */
export function keepLearning({ paths, tree }: LearningPlace, given: Learning): Result<null> {
  const line = learningLine(given)
  if (!isKnownText(paths, tree)(line)) rememberTexts(paths, tree, [line])
  if (readLearnings(tree).some(one => isSame(one.learning, given))) return ok(null)
  return appendLearning(tree, given)
}

/** Keeps learnings for later consent, unless they are known; nothing is written into the work tree. */
export function offerLearnings(place: LearningPlace, given: readonly Learning[]): void {
  const known = [...learningsAt(place).usable, ...pendingAt(place)]
  const fresh = given.filter(one => !known.some(other => isSame(one, other)))
  addPending(
    place.paths,
    place.tree,
    fresh.map(one => JSON.stringify(learning.parse(one))),
  )
}

/** Whether they say the same, whichever loop found it out. */
function isSame(one: Learning, other: Learning): boolean {
  return one.kind === other.kind && wordsOf(one) === wordsOf(other)
}

export function pendingAt({ paths, tree }: LearningPlace): Learning[] {
  return pendingLines(paths, tree).flatMap(line => parseLearning(line) ?? [])
}

export function acceptLearning(place: LearningPlace, id: string): Result<Learning> {
  const found = pendingAt(place).find(one => one.id === id)
  if (!found) return unknown(id)
  // Written before it is removed from the waiting list: a crash in between leaves it twice, never nowhere.
  const kept = keepLearning(place, found)
  if (!kept.ok) return kept
  removePending(place.paths, place.tree, line => parseLearning(line)?.id === id)
  return ok(found)
}

export function dropLearning(place: LearningPlace, id: string): Result<null> {
  const waits = pendingAt(place).some(one => one.id === id)
  if (waits) removePending(place.paths, place.tree, line => parseLearning(line)?.id === id)
  const removed = removeLearning(place.tree, id)
  if (!removed.ok) return removed
  return waits || removed.value ? ok(null) : unknown(id)
}

function unknown(id: string): Result<never> {
  return fail('invalid-arguments', { kind: 'unknown-learning', id })
}

function wordsOf({ text, before, found, adjustment }: Learning): string {
  return [text, before, found, adjustment].filter(Boolean).join(' ')
}
