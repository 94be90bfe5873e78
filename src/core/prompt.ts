/**
 * The prompt of one iteration: task, success condition, what happened last time, limits left.
 * Bounded whatever the promise printed; the exact text is kept as an artifact of the run.
 */
import type { CriterionResult } from '../model/event.ts'
import { formatDuration, formatMoney } from '../model/units.ts'
import { unmetLimit } from './decide.ts'
import { isAgentError, type State } from './state.ts'

/** Head and tail of what a promise printed. */
export type Excerpt = { head: string; tail: string; omittedBytes: number }

export function buildPrompt(state: State, iteration: number, excerpts: Record<string, Excerpt>): string {
  const parts = [
    state.spec.prompt.trim(),
    injected(state),
    successCondition(state),
    ...state.results.filter(result => result.verdict !== 'PASS').map(result => lastVerdict(result, excerpts)),
    lastRun(state),
    limits(state, iteration),
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function injected(state: State): string {
  return state.injected.length === 0 ? '' : ['## Also', ...state.injected].join('\n\n')
}

function successCondition(state: State): string {
  const commands = state.spec.criteria.map(({ command }) => `    ${command}`).join('\n')
  return [
    '## When this is done',
    'The work is done when this command, run in this directory, exits 0:',
    '',
    commands,
    '',
    'It is run for you after you finish; saying that the work is done changes nothing.',
    'Work without asking questions: nobody is there to answer them.',
  ].join('\n')
}

function lastVerdict(result: CriterionResult, excerpts: Record<string, Excerpt>): string {
  const text = shown(excerpts[result.name])
  // Longer than any in the output, so that the output can not end the block.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`## What it says now: ${result.verdict} (${result.why})`, '', fence, text, fence].join('\n')
}

function shown(excerpt: Excerpt | undefined): string {
  if (!excerpt || (excerpt.head === '' && excerpt.tail === '')) return '(it printed nothing)'
  if (excerpt.omittedBytes === 0) return excerpt.head + excerpt.tail
  return [excerpt.head, `… ${excerpt.omittedBytes} bytes left out …`, excerpt.tail].join('\n')
}

function lastRun(state: State): string {
  const end = state.run?.end
  if (!end) return ''
  const lines: string[] = []
  if (isAgentError(end)) {
    const what = 'how' in end ? end.how : 'lost'
    lines.push(`The run before this one did not end by itself (${what}); what it changed is still there.`)
  }
  if (state.changes) {
    const { added, removed, files } = state.changes
    lines.push(
      files === 0
        ? 'The iteration before this one changed no file.'
        : `The iteration before this one changed ${files} ${files === 1 ? 'file' : 'files'} (+${added} -${removed} lines); the promise still fails.`,
    )
  }
  if (state.unmetInRow > 1) {
    lines.push(
      `Nothing has got better in ${state.unmetInRow} iterations; after ${unmetLimit} the loop gives up. What was tried does not work: take another approach.`,
    )
  }
  return lines.length === 0 ? '' : ['## Last time', ...lines].join('\n')
}

function limits(state: State, iteration: number): string {
  const { maxIterations, budgetUsd, timeoutMs } = state.spec
  const lines = [
    `Iteration ${iteration}${maxIterations === null ? '' : ` of ${maxIterations}`}.`,
    `This run is stopped after ${formatDuration(timeoutMs)}; what it has changed by then is kept.`,
  ]
  if (budgetUsd !== null && state.costUsd !== null) {
    lines.push(`${formatMoney(state.costUsd)} of ${formatMoney(budgetUsd)} are spent.`)
  }
  return ['## Limits', ...lines].join('\n')
}
