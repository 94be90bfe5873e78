/**
 * The commands of a promise that are joined by `&&`, so that they can be looked at one by one: a linter looks at tests,
 * which are the work then, and the next command runs the same tests, which judge it. Pure: texts come in.
 */
import { type Element, readCommands, readerOf } from './commands.ts'

/** The commands at the top level of a text; the text itself where they are joined in any other way. */
export function joinedIn(text: string): string[] {
  const reader = readerOf(text, [])
  readCommands(reader, [])
  const all = reader.pipelines.flat()
  const isInside = ({ from, to }: Element) =>
    all.some(other => other.from <= from && to <= other.to && to - from < other.to - other.from)
  const tops = reader.pipelines
    .filter(([first]) => first !== undefined && !first.isSubstituted && !isInside(first))
    .map(pipeline => ({ from: pipeline[0]?.from ?? 0, to: pipeline.at(-1)?.to ?? 0 }))
    .toSorted((a, b) => a.from - b.from)
  const gaps = tops
    .slice(1)
    .map(({ from }, at) => ({ at: tops[at]?.to ?? 0, text: text.slice(tops[at]?.to, from) }))
  const ends = text.slice(tops.at(-1)?.to ?? 0)
  if (reader.trouble !== null || ends.trim() !== '' || gaps.some(gap => !/^\s*&&[\s!]*$/.test(gap.text)))
    return [text]
  const cuts = gaps.map(gap => gap.at + gap.text.indexOf('&&'))
  return [0, ...cuts.map(cut => cut + 2)].map((from, at) => text.slice(from, cuts[at]).trim())
}

/** It changes where or how the next commands run, and does nothing by itself. */
export function isSetting(text: string): boolean {
  return /^(?:cd|pushd|export|set|umask|ulimit|unset)\s[^|&;]*$|^\w+=\S*$/.test(text)
}
