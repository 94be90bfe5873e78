/**
 * The checks about code. `change`: the step changed code, not only spaces, comments or documents. `lint`: the linter
 * reports no more problems than before the step. `documented`: a document has new text about a name in the new code.
 */
import { isTestFile } from '../../core/change.ts'
import { type ChangedText, codeIn, isSource, isSubstantial, newCode, substanceOf } from '../../core/check.ts'
import { problemCount } from '../../core/text/problems.ts'
import { count, someOf } from '../../model/units.ts'
import { write } from '../terminal.ts'
import { isCodeChange } from './tests.ts'
import { fails, holds, isWithin, type StepCheck } from './work.ts'

export const change: StepCheck = async ({ work, value }) => {
  if (work.before === null) return fails('Nothing was changed yet.')
  const target = value('in') ?? '.'
  const changed = await work.changes(work.before)
  if (!changed.ok) return changed
  const own = changed.value.filter(one => isCodeChange(one) && isWithin(one.path, target))
  if (own.length === 0)
    return fails(
      `No code was changed${target === '.' ? '' : ` in ${target}`}. Spaces and comments do not count.`,
    )
  const lines = (text: string | null, path: string) => codeIn(path, text ?? '').length
  const grown = own.reduce(
    (sum, { path, before, after }) => sum + lines(after, path) - lines(before, path),
    0,
  )
  if (value('not-larger') !== null && grown > 0)
    return fails(`The code became larger, by ${count(grown, 'line')}. This step only takes away or tidies.`)
  return holds(`Code was changed: ${someOf(own.map(({ path }) => path))}.`)
}

export const lint: StepCheck = async ({ work, value }) => {
  const command = value('lint') ?? ''
  if (command.trim() === '') return holds('There is no lint command; nothing was checked.')
  const now = await work.run(command, work.tree)
  write(1, now.output.slice(-10_000))
  if (now.code === 0) return holds('The linter is content.')
  if (work.before === null) return holds(`The linter complains before this step (exit ${now.code}).`)
  const place = await work.copy(work.before)
  if (!place.ok) return place
  const old = await work.run(command, place.value)
  const [was, is] = [problemCount(old.output, old.code), problemCount(now.output, now.code)]
  if (old.code === 0) return fails('The linter was content before this step, and complains now.')
  if (was === null || is === null)
    return holds('The linter complained before this step, too; its problems cannot be counted.')
  return is > was
    ? fails(`The linter has ${is} problems; before this step it had ${was}.`)
    : holds(`The linter has ${is} problems; before, ${was}.`)
}

const documentBytes = 120

export const documented: StepCheck = async ({ work, value }) => {
  if (work.before === null) return fails('Nothing is documented yet.')
  const sources = work.since(value('since'))
  if (!sources.ok) return sources
  const [changed, made] = [await work.changes(work.before), await work.changes(sources.value)]
  if (!changed.ok) return changed
  if (!made.ok) return made
  const names = newNames(made.value)
  const texts = changed.value
    .filter(({ path }) => /\.(?:md|mdx|rst|adoc|txt)$/i.test(path) && !isWithin(path, value('not') ?? '/'))
    .map(({ path, before, after }) => ({ path, text: addedText(before ?? '', after ?? '') }))
  const enough = texts.filter(({ text }) => substanceOf(text) >= documentBytes)
  if (enough.length === 0)
    return fails(
      `No document says anything new. Describe it in the README or in docs, in at least ${documentBytes} characters.`,
    )
  const told = enough.find(({ text }) => names.some(name => new RegExp(`\\b${name}\\b`).test(text)))
  if (!told)
    return fails(
      `${someOf(enough.map(({ path }) => path))} names nothing of the new code, such as: ${someOf(names)}.`,
    )
  return holds(`${told.path} describes it.`)
}

function addedText(before: string, after: string): string {
  const there = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter(line => !there.has(line))
    .join('\n')
}

/** Words in new code that the old code of these files did not have. */
function newNames(changed: ChangedText[]): string[] {
  const own = changed.filter(({ path }) => isSource(path) && !isTestFile(path))
  const words = (text: string) => text.match(/\b[A-Za-z_]\w{2,}\b/g) ?? []
  const old = new Set(own.flatMap(({ before }) => words(before ?? '')))
  const added = own.flatMap(({ path, before, after }) =>
    newCode(path, before ?? '', after ?? '').filter(isSubstantial),
  )
  // Code is compared without spaces, so its words are taken from the text.
  const texts = own.flatMap(({ after }) => words(after ?? ''))
  const isOfCode = (word: string) => added.some(line => line.includes(word))
  return [...new Set(texts)].filter(word => !old.has(word) && isOfCode(word))
}
