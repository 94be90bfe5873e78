/**
 * The prompt of one iteration: task, success condition, the last iteration's result, remaining limits. Its size
 * is bounded whatever the promise printed; the exact text is kept as an artifact of the run.
 */

import { type WantedAnswer, wantedAnswer } from '../../model/answer.ts'
import { answerJsonSchema, subjects } from '../../model/answer-schemas.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { formatCost, formatDuration, formatMoney } from '../../model/units.ts'
import { workflowRules } from '../score.ts'
import { failingLine } from '../text/runner.ts'
import { hasTripped, limitOf } from './breaker.ts'
import { faultOf, ranOutOfTime } from './fault.ts'
import type { Approach } from './parts/judged.ts'
import type { Changed } from './parts/tree.ts'
import type { Run } from './parts/work.ts'
import { knownOf } from './spent.ts'
import type { State } from './state.ts'

/** The beginning and the end of a promise's output. */
export type Excerpt = { head: string; tail: string; omittedBytes: number }

export function buildPrompt(state: State, iteration: number, excerpts: Record<string, Excerpt>): string {
  const wanted = wantedAnswer(state.spec)
  const parts = wanted
    ? questionParts(state, iteration, { wanted, excerpts })
    : workParts(state, iteration, excerpts)
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function workParts(state: State, iteration: number, excerpts: Record<string, Excerpt>): string[] {
  return [
    state.spec.prompt.trim(),
    injected(state),
    successCondition(state),
    boundaries(state),
    ...state.judged.results
      .filter(result => result.verdict !== 'PASS')
      .map(result => lastVerdict(result, excerpts)),
    suspicion(state),
    lastRun(state),
    tried(state),
    limits(state, iteration),
  ]
}

type Question = { wanted: WantedAnswer; excerpts: Record<string, Excerpt> }

/** In a question only the answer counts: everything else that the agent does is discarded. */
function questionParts(state: State, iteration: number, { wanted, excerpts }: Question): string[] {
  const { timeoutMs, maxIterations } = state.spec
  const wrong = state.judged.results.filter(({ verdict }) => verdict !== 'PASS')
  return [
    state.spec.prompt.trim(),
    injected(state),
    [
      '## How to answer',
      'Answer with one JSON document that fits this JSON Schema: every field, no other, no placeholders.',
      '',
      '```json',
      JSON.stringify(answerJsonSchema(wanted), null, 1),
      '```',
      '',
      'Write it to the file in $LOOP_ANSWER_FILE. If you cannot, end your last message with the JSON in a ```json block.',
      ...aboutLines(wanted),
      `You work in a copy; changes to it are discarded. ${noQuestions}`,
    ].join('\n'),
    ...wrong.map(({ name }) =>
      ['## What was wrong with the last answer', shown(excerpts[name]) || nothing].join('\n'),
    ),
    [
      '## Limits',
      `Try ${iteration}${maxIterations === null ? '' : ` of ${maxIterations}`}, stopped after ${formatDuration(timeoutMs)}.`,
    ].join('\n'),
  ]
}

/** One per line, because a row can contain a comma. */
function aboutLines({ schema, about = [] }: WantedAnswer): string[] {
  const field = subjects[schema]?.field
  if (about.length === 0 || field === undefined) return []
  return [
    `Answer each of these once. \`${field}\` is its exact text, or its number:`,
    ...about.map((one, i) => `${i + 1}. ${one}`),
  ]
}

/** Texts of an agent or of loop itself are not part of the task and are kept apart from the user's words. */
function injected({ human }: State): string {
  const user = human.injected.filter(told => typeof told === 'string')
  const by = (who: 'agent' | 'loop' | 'panel') =>
    human.injected.flatMap(told => (typeof told !== 'string' && told.by === who ? told.text : []))
  const parts = {
    '## Also': user,
    '## Why this is done again': by('loop'),
    '## What the panel recommends': by('panel'),
    '## Noted by an agent, not by the user': by('agent'),
  }
  return Object.entries(parts)
    .flatMap(([title, texts]) => (texts.length > 0 ? [title, ...texts] : []))
    .join('\n\n')
}

const noQuestions = 'Do not ask questions; you get no answer.'

function successCondition(state: State): string {
  const commands = state.spec.criteria.filter(({ command }) => command !== null)
  const judged = state.spec.criteria.filter(({ command }) => command === null)
  const one = commands.length === 1
  return [
    '## Done when',
    `${one ? 'This exits' : 'These all exit'} 0, run in this directory after you finish (nothing you say counts):`,
    '',
    ...commands.map(({ name, command }) => `    ${command}${name === command ? '' : `    (${name})`}`),
    '',
    ...(judged.length > 0 ? [`The user then confirms: ${judged.map(({ name }) => name).join('; ')}.`] : []),
    'Do not change tests, test settings or tools to make it pass unless asked to: this is detected and the result will be rejected.',
    `If it cannot be done honestly, end your last message with a line "BLOCKED: reason": this pauses the loop. ${noQuestions}`,
    workflowRules[state.assessed.workflow],
  ].join('\n')
}

function boundaries({ spec: { mustNot = [], protect = [] } }: State): string {
  if (mustNot.length + protect.length === 0) return ''
  return [
    '## What must not happen',
    ...mustNot.map(({ name, command }) => `- ${name}: the loop stops if this exits 0: ${command}`),
    ...(protect.length > 0 ? [`- Do not change: ${protect.join(', ')}`] : []),
  ].join('\n')
}

/** The suspicion of the previous iteration: the agent can restore the files, or say why they had to change. */
function suspicion({ trust, work }: State): string {
  if (trust.isHeldBack) {
    return [
      '## Why this is not done',
      'The command passed, but a check of the user that you cannot see failed. Look for what was asked for and is not tested, and for what works only with the inputs of the tests.',
    ].join('\n')
  }
  const last = trust.suspicions.find(({ iteration }) => iteration === work.iteration - 1)
  if (!last) return ''
  if (last.why === 'fewer-tests') {
    return [
      '## Why this is not done',
      `The command passed, but fewer tests ran than before, or more were skipped: ${last.files.join(', ')}.`,
      'Run all tests again and make them pass. If some have to go, say why in your last message; the user decides.',
    ].join('\n')
  }
  return [
    '## Why this is not done',
    `The command passed only because tests, settings or tools changed: ${last.files.join(', ')}.`,
    'Restore these files and make it pass without changing them. If they have to change, say why in your last message; the user decides.',
  ].join('\n')
}

function lastVerdict(result: CriterionResult, excerpts: Record<string, Excerpt>): string {
  const text = shown(excerpts[result.name])
  // The fence is longer than any in the output, so that the output cannot end the block.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const what = result.name === result.command ? 'Result' : result.name
  const count = result.failing ? `, ${result.failing} failing` : ''
  const title = `## ${what} now: ${result.verdict} (${result.why}${count})`
  if (text === '') return [title, ...failing(result), nothing].join('\n')
  return [title, ...failing(result), '', fence, text, fence].join('\n')
}

/** What fails, by name; without names the lines that the run before did not print. */
function failing({ fails = [], differs = [], failing: all }: CriterionResult): string[] {
  const more = Math.max(0, (all ?? 0) - fails.length)
  return [
    ...fails.map(failingLine).map(line => `- ${line}`),
    ...(fails.length > 0 && more > 0 ? [`- and ${more} more`] : []),
    ...(fails.length === 0 && differs.length > 0
      ? ['New in its output:', ...differs.map(line => `- ${line}`)]
      : []),
  ]
}

const nothing = 'It printed nothing.'

function shown(excerpt: Excerpt | undefined): string {
  if (!excerpt || (excerpt.head === '' && excerpt.tail === '')) return ''
  if (excerpt.omittedBytes === 0) return excerpt.head + excerpt.tail
  return [excerpt.head, `… ${excerpt.omittedBytes} bytes left out …`, excerpt.tail].join('\n')
}

function lastRun(state: State): string {
  const { changes, paths, byPromise } = state.tree
  const { run } = state.work
  const lines: string[] = []
  if (run?.end) lines.push(...cutShort(run, state))
  if (run?.end && changes) {
    const { added, removed, files } = changes
    lines.push(
      files === 0
        ? `The last run changed no file.${givesUp(state)}`
        : `The last run changed ${fileCount(files)} (+${added} -${removed} lines): ${outcome(state)}.`,
    )
    if (paths.length > 0) {
      const more = files > paths.length ? `, and ${files - paths.length} more` : ''
      lines.push(`Changed: ${paths.join(', ')}${more}.`)
    }
  } else if (run?.end && compared(state) !== '') {
    lines.push(`After the last run: ${outcome(state)}.`)
  }
  if (byPromise) lines.push(promiseChanged(byPromise))
  return lines.length === 0 ? '' : ['## Last time', ...lines].join('\n')
}

/** Why the previous run was stopped before its own end, if it was. */
function cutShort({ end, timeoutMs }: Run, { spec: { idleTimeoutMs } }: State): string[] {
  if (!end) return []
  const kept = 'its changes are kept'
  if (!ranOutOfTime(end)) {
    if (faultOf(end) !== 'certain') return []
    return [`The last run did not end by itself (${'how' in end ? end.how : 'lost'}); ${kept}.`]
  }
  const silence = idleTimeoutMs ? `for ${formatDuration(idleTimeoutMs)}` : 'for too long'
  const why =
    'how' in end && end.how === 'idle'
      ? `The last run printed nothing ${silence} and was stopped`
      : `The last run was stopped after ${formatDuration(timeoutMs)}, its time limit`
  return [`${why}; ${kept}. Continue where it stopped.`]
}

function outcome(state: State): string {
  if (state.human.declined) return 'the command passes, but the user did not confirm the result'
  return compared(state) || 'still failing'
}

/** The effect of the last iteration on the results: `3 → 2 failing; lint passes now`. */
function compared({ judged: { earlier, results } }: State): string {
  const facts = results.flatMap(now => {
    const before = earlier.find(({ name }) => name === now.name)
    if (!before) return []
    const what = now.name === now.command ? '' : `${now.name}: `
    if (before.verdict === 'PASS' || now.verdict === 'PASS') return metWords(before, now)
    if (before.failing === null || now.failing === null) return []
    const isSame = before.failing === now.failing
    return [`${what}${isSame ? `still ${now.failing}` : `${before.failing} → ${now.failing}`} failing`]
  })
  return facts.join('; ')
}

function metWords(before: CriterionResult, { name, verdict }: CriterionResult): string[] {
  if (before.verdict === verdict) return []
  return [verdict === 'PASS' ? `${name} passes now` : `${name} no longer passes`]
}

/** Tells the agent which changes the promise made, so that it does not take them for its own or for another's. */
function promiseChanged({ changes: { added, removed, files }, paths }: Changed): string {
  const more = files > paths.length ? `, and ${files - paths.length} more` : ''
  return `Running the command, not the agent, changed ${fileCount(files)} (+${added} -${removed} lines): ${paths.join(', ')}${more}.`
}

function fileCount(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`
}

/** ` That is 2 in a row; the loop stops at 3.` */
function givesUp({ spec, judged }: State): string {
  const limit = limitOf(spec, 'noChange')
  return limit === null ? '' : ` That is ${judged.unchangedInRow} in a row; the loop stops at ${limit}.`
}

/** The approaches that did not help so far, so that they are not repeated. */
function tried(state: State): string {
  const { approaches, unmetInRow, sameErrorInRow } = state.judged
  const known = approaches.filter(({ changes, said }) => changes !== null || said !== '')
  if (known.length === 0) return ''
  const lines = ['## Tried without success', ...known.map(attempt)]
  const limit = limitOf(state.spec, 'stuck')
  if (unmetInRow > 1) {
    const end = limit === null ? '' : `; the loop stops at ${limit}`
    lines.push(`No progress in ${unmetInRow} iterations${end}.`)
  }
  if (hasTripped(state, 'sameError')) {
    lines.push(
      `The same error ${sameErrorInRow} times in a row: find the cause and take a different approach.`,
    )
  }
  return lines.join('\n')
}

function attempt({ iteration, changes, said }: Approach): string {
  const did = changes ? ` (+${changes.added} -${changes.removed} lines, ${fileCount(changes.files)})` : ''
  return `- iteration ${iteration}${did}${said === '' ? '' : `: ${said}`}`
}

function limits({ spec, cost }: State, iteration: number): string {
  const { maxIterations, budgetUsd, timeoutMs } = spec
  const which = `Iteration ${iteration}${maxIterations === null ? '' : ` of ${maxIterations}`}`
  const spent =
    budgetUsd === null || cost.costUsd === null
      ? ''
      : ` ${formatCost(cost.costUsd, knownOf(cost))} of ${formatMoney(budgetUsd)} spent.`
  return `## Limits\n${which}, stopped after ${formatDuration(timeoutMs)}; changes are kept.${spent}`
}
