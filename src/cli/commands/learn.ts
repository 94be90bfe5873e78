/** `loop learn`: the learnings of this work tree and whether they helped; adds, accepts, drops, trusts. */
import { randomBytes } from 'node:crypto'
import { appendMaxim, readMaxims, writeDecision } from '../../adapters/learnings.ts'
import { usefulnessOf } from '../../core/learn.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import {
  acceptLearning,
  dropLearning,
  keepLearning,
  type LearningPlace,
  learningsAt,
  maximsAt,
  pendingAt,
  trustAll,
} from '../../engine/learnings.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { type Learning, learning as learningForm, learningKinds } from '../../model/learning.ts'
import { loopId } from '../../model/units.ts'
import { treeFrom } from '../../options/resolve.ts'
import { rememberTexts, showings } from '../../store/files/learning-notes.ts'
import { pathsFrom, userMaxims } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { learningsText, type ShownLearnings } from '../../views/plan/learnings.ts'
import { unknownAction } from '../action.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { systemHere } from '../system.ts'
import { outFor } from '../terminal.ts'

const actions = ['add', 'accept', 'drop']

const learn: CommandRun = async input => {
  const [action, given = '', ...more] = input.positionals
  const tree = treeFrom(input, systemHere(input))
  if (!tree.ok) return tree
  const place = { paths: pathsFrom(input.env), tree: tree.value }
  if (more.length > 0) return invalid({ kind: 'learn-forms' })
  switch (action) {
    case undefined:
      if (input.given('trust')) return said(input, { trusted: trustAll(place) })
      return show(input, place)
    case 'add':
      return add(given, input, place)
    case 'accept': {
      const accepted = acceptLearning(place, given)
      return accepted.ok ? said(input, { accepted: accepted.value.id }) : accepted
    }
    case 'drop': {
      const dropped = dropLearning(place, given)
      return dropped.ok ? said(input, { dropped: given }) : dropped
    }
    default:
      return unknownAction('loop learn', action, actions)
  }
}

function show(input: Input, place: LearningPlace): Result<number> {
  const store = openStoreToRead(place.paths)
  if (!store.ok) return store
  const shown = showings(place.paths, place.tree)
  const statusOf = (loop: string) => store.value?.heads.status(loop) ?? null
  const { usable, strange } = learningsAt(place)
  const page: ShownLearnings = {
    kept: usable.map(learning => ({
      learning,
      use: usefulnessOf(
        shown.filter(({ id }) => id === learning.id),
        statusOf,
      ),
    })),
    pending: pendingAt(place),
    strange: strange + maximsAt(place).strange.length,
  }
  outFor<'learnings'>(input, asDocument(page), learningsText(page))
  return ok(0)
}

function asDocument({ kept, pending, strange }: ShownLearnings) {
  const learnings = kept.map(({ learning, use }) => ({ ...learning, ...use }))
  return { learnings, pending: [...pending], strange }
}

/** A person typed it, which is the consent. */
function add(text: string, input: Input, place: LearningPlace): Result<number> {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const now = new Date().toISOString()
  const as = input.value('as') ?? 'discovery'
  if (as === 'maxim' || as === 'decision') {
    if (words.length < 3 || words.length > 500) return invalid({ kind: 'bad-learning' })
    const path =
      as === 'maxim'
        ? addMaxim(place, words)
        : writeDecision(place.tree, { date: now.slice(0, 10), text: words })
    return path.ok ? said(input, { added: path.value }) : path
  }
  const kind = learningKinds.find(one => one === as)
  if (!kind) return invalid({ kind: 'bad-learning-kind', text: as })
  const made: Learning = {
    id: `l-${loopId(randomBytes(6))}`,
    at: now,
    kind,
    text: words,
    loop: input.value('loop'),
  }
  const form = learningForm.safeParse(made)
  if (!form.success) return invalid({ kind: 'bad-learning' })
  const kept = keepLearning(place, form.data)
  return kept.ok ? said(input, { added: made.id }) : kept
}

/** The file counts as loop's own afterwards only if it did before, or is new. */
function addMaxim(place: LearningPlace, text: string): Result<string> {
  const mine = () => readMaxims(place.tree, userMaxims(place.paths)).filter(({ own }) => !own)
  const strange = new Set(maximsAt(place).strange.map(one => one.path))
  const path = appendMaxim(place.tree, text)
  const changed = mine().filter(one => one.path.endsWith('/.loop/maxims/custom.md') && !strange.has(one.path))
  rememberTexts(
    place.paths,
    place.tree,
    changed.map(one => one.text),
  )
  return path
}

function said(input: Input, what: Record<string, string | number>): Result<number> {
  const [word = '', value = ''] = Object.entries(what)[0] ?? []
  outFor<'learningChanged'>(input, what, safeLine(`${word}: ${value}`))
  return ok(0)
}

export default learn
