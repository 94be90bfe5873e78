/** The words of the watch screen: its keys, its help, and the lines that stay on the terminal after it. */
import { type AnySummary, type ByKind, byKind } from '../../core/summary.ts'
import { clip, oneLine } from '../../core/text/plain-text.ts'
import { formatCost, formatDuration } from '../../model/units.ts'
import { type Shown, timesOf, whyWords } from '../text/status.ts'
import { statusWords, waysOn } from '../words/message.ts'

type Keys = [key: string, word: string][]

/** In the order in which they are shown; on a narrow screen the last ones are dropped first. */
export function loopKeyWords({ summary, orphaned }: Shown): Keys {
  const isAtRest = summary.reason !== null || summary.status === 'paused'
  return [
    ...(summary.question === null ? [] : ([['a', 'answer']] as Keys)),
    ...(orphaned ? ([['r', 'take up']] as Keys) : onWords(summary, isAtRest)),
    ...((isAtRest ? [] : [['i', 'inject']]) as Keys),
    ['c', 'checkpoint'],
    ['d', 'diff'],
    ...((isAtRest ? [['b', 'roll back']] : [['x', 'cancel']]) as Keys),
    ['/', 'search'],
    ['?', 'help'],
    ['q', 'quit'],
  ]
}

function onWords({ status, pending }: Shown['summary'], isAtRest: boolean): Keys {
  if (status === 'completed') return []
  if (isAtRest) return [['r', 'resume']]
  return pending === 'pause' ? [['r', 'no pause']] : [['p', 'pause']]
}

/** At most fifteen rows of 53 columns, so that the help fits the window of an 80x24 terminal. */
export const loopHelp = [
  'Move',
  '  up down j k    a row; pgup pgdn space: a page',
  '  home end g G   to the beginning, the end; f follows',
  '  [ ]            iteration before, after',
  '  1-5 tab        Output Promise Diff Prompt Criteria',
  '  / n N          search, next, previous',
  '  l              the command that shows this line',
  '  e              stdout or stderr of the agent',
  '  s              scroll all of it in your terminal',
  'Steer',
  '  p r            pause after this iteration; resume',
  '  i a            tell the agent something; answer it',
  '  c d            save a checkpoint; see the diff',
  '  b              roll back to this iteration',
  '  x q            cancel, after a question; quit',
]

export function groupHelp(program: string): string[] {
  const isPlan = program === 'plan'
  const tabs = { plan: 'Tasks Findings Graph', workflow: 'Graph Lanes' }[program] ?? 'Lanes Compare Graph'
  return [
    'Move',
    '  up down j k    a node of the group',
    '  enter esc      into its loop, and back',
    `  1-${tabs.split(' ').length} tab        ${tabs}`,
    '  pgup pgdn      a page',
    'Steer',
    '  p r            pause after the iterations; resume',
    '  a              answer what is asked, here or by a loop of it',
    '  i              tell the agent of the selected loop something',
    ...(program === 'best-of' ? ['  t              take an attempt into the work tree'] : []),
    ...(isPlan ? ['  2 enter        a finding: approve, task, discuss, skip'] : []),
    '  x              cancel, after a question',
    '  q              quit; the group goes on',
  ]
}

/** `onFindings`: the list shows the findings of reviews. */
export function groupKeyWords({ summary, members }: Shown, onFindings: boolean): Keys {
  const isAtRest = summary.reason !== null || summary.status === 'paused'
  const asks = summary.question !== null || members?.some(one => one.summary.question !== null)
  const { program }: AnySummary = summary
  return [
    ...((asks ? [['a', 'answer']] : []) as Keys),
    ...((onFindings && summary.endedAt !== null ? [] : [['enter', onFindings ? 'decide' : 'open']]) as Keys),
    ...onWords(summary, isAtRest),
    ...((program === 'best-of' ? [['t', 'take']] : []) as Keys),
    ...((isAtRest ? [] : [['i', 'inject']]) as Keys),
    ...((isAtRest ? [] : [['x', 'cancel']]) as Keys),
    ['?', 'help'],
    ['q', 'quit'],
  ]
}

type Extent = { what: string; far: string }

const ofLoop = ({ iteration, maxIterations }: Pick<AnySummary, 'iteration' | 'maxIterations'>): Extent => ({
  what: 'loop',
  far: `iteration ${iteration}/${maxIterations ?? '∞'}`,
})

/** What it is, and how far it came. */
const extents: ByKind<Extent> = {
  loop: ofLoop,
  group: ({ iteration, maxIterations }) => ({ what: 'group', far: `${iteration} of ${maxIterations} nodes` }),
  newer: ofLoop,
}

/** The lines that stay on the terminal: the status, and how to come back or continue. */
export function farewellLines(shown: Shown, now: number): string[] {
  const { summary } = shown
  const why = whyWords(shown, now)
  const { what, far } = byKind(extents, summary)
  const facts = [
    far,
    summary.costUsd === null ? '' : formatCost(summary.costUsd, summary),
    formatDuration(timesOf(shown, now).elapsedMs),
  ].filter(fact => fact !== '')
  const goesOn = summary.status === 'running' || summary.status === 'waiting' || summary.status === 'queued'
  const status = statusWords(shown)
  return [
    `${what} ${summary.id}: ${status}${why ? ` (${oneLine(why)})` : ''} · ${facts.join(' · ')}`,
    `  ${clip(oneLine(summary.prompt), 76)}`,
    ...(goesOn ? [`  it goes on    loop watch ${summary.id}`] : []),
    ...waysOn(shown).map(step => `  next          ${oneLine(step)}`),
  ]
}
