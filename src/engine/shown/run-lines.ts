/**
 * The lines that `loop logs` prints of a run, by number: the agent's words if loop understands its output, otherwise
 * its stdout. Safe to show and without secrets. Line numbers are the same for every reader.
 */
import { join } from 'node:path'
import type { AgentName } from '../../model/agent.ts'
import type { Secret } from '../../secrets/redact.ts'
import { linesOf } from '../../store/files/lines/lines.ts'
import { type OutputLines, shownLines } from '../feed/lines.ts'
import { type Spool, spoolIn } from '../feed/spool.ts'
import { type Words, wordsOfRun } from './run-words.ts'

/** `cache`: a directory for a file that lives as long as this program; `ended`: the agent will print nothing more. */
type Looking = { cache: string; secrets: readonly Secret[]; ended(): boolean }

export function linesOfRun(run: { dir: string; agent: AgentName }, looking: Looking): OutputLines {
  const { cache, secrets } = looking
  const words = wordsOfRun(run.dir, run.agent, secrets)
  if (!words) return shownLines(linesOf(join(run.dir, 'out')), secrets)
  return spelledLines(words, spoolIn(cache), looking)
}

/** The agent's current text is shown before its end: each look returns the words so far. */
function spelledLines(words: Words, spool: Spool, { secrets, ended }: Looking): OutputLines {
  const lines = shownLines(spool.lines, secrets)
  let isOver = false
  const end = () => {
    const last = isOver ? '' : words.end()
    isOver = true
    return last
  }
  const grow = () => {
    // Ask for the end before the last look, so that output written before the end is never missed.
    const isLast = ended()
    const { text, atEnd } = words.more()
    spool.add(text)
    if (isLast && atEnd) spool.add(end())
    return !atEnd
  }
  return {
    ...lines,
    grow(mostBytes) {
      const isMore = !isOver && grow()
      return lines.grow(mostBytes) || isMore
    },
    close() {
      end()
      lines.close()
    },
  }
}
