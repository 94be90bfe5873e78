/**
 * A shell tells only how the last command of a pipe ended. This puts a trap before each of the others, which runs when
 * its subshell ends and adds an exit code other than 0 and 141 (nobody read on) to a file. The command after a pipe
 * reads on when it has ended: `npm test | grep -q ok` would otherwise fail by being cut short. A text that the parser
 * gives up on stays as it is.
 */
import { type Element, readCommands, readerOf } from './commands.ts'

/** Bounded, because some programs never stop to write. */
const readOn = 'timeout 5 head -c 64000000 >/dev/null 2>&1'

export function withPipeCodes(text: string, file: string): string {
  const reader = readerOf(text, [])
  readCommands(reader, [])
  if (reader.trouble !== null || /['"$`\\]/.test(file)) return text
  const note = `[ $s = 0 ] || [ $s = 141 ] || echo $s >> "${file}"`
  const wrapped = reader.pipelines.flatMap(pipeline =>
    pipeline.map((element, at) => ({
      element,
      steps: [...(at > 0 ? [readOn] : []), ...(at < pipeline.length - 1 ? [note] : [])],
    })),
  )
  const piped = wrapped.filter(({ element, steps }) => steps.length > 0 && isPlain(element))
  const isInside = ({ from, to }: Element) =>
    piped.some(
      ({ element: other }) => other.from <= from && to <= other.to && to - from < other.to - other.from,
    )
  return piped
    .filter(({ element }) => !isInside(element))
    .toSorted((a, b) => b.element.from - a.element.from)
    .reduce((done, { element: { from, to }, steps }) => {
      const command = done.slice(from, to).trimEnd()
      const rest = done.slice(from + command.length)
      return `${done.slice(0, from)}{ trap 's=$?; ${steps.join('; ')}' EXIT; ${command}; }${rest}`
    }, text)
}

/** What stands in `$(…)` has no exit code that anybody asks for, and a heredoc ends the line. */
function isPlain({ isSubstituted, heredocs }: Element): boolean {
  return !isSubstituted && heredocs.length === 0
}
