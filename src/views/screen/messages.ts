/**
 * What the full screens say and ask besides their frames: messages, the labels of dialogs, the words of their keys.
 * The help and the rows of keys are in watch-words and status.
 */
import { spelledOut } from '../../core/text/plain-text.ts'
import type { resolutions } from '../../model/group/words.ts'
import { count } from '../../model/units.ts'

export const screenSays = {
  aside: '-- press a key to go back --',
  cannotRead: (why: string) => `cannot be read just now: ${why}`,
  running: (args: readonly string[]) => `loop ${args.join(' ')} …`,
  tell: (whom: string) => `tell ${whom}:`,
  asksNothing: (what: string) => `${what} asks nothing.`,
  theLoop: 'The loop',
  theGroup: 'The group',
  ended: (id: string, status: string) => `${id} has ended (${status}).`,
  filter: 'only those with:',
}

export const loopSays = {
  tell: 'tell the agent:',
  checkpointName: 'name of the checkpoint:',
  cancel: (id: string) => `Cancel loop ${id}? Its agent is ended now.`,
  usedUp: (id: string) => `Loop ${id} has used up its limit.`,
  resumeWith: (raised: string) => `resume with ${raised}`,
}

export const groupSays = {
  noLoop: 'The selected node is no loop, or has not begun yet.',
  noLoopToTell: 'Select a loop that has begun: up, down.',
  noAttempt: 'Select an attempt: up, down.',
  noBestOf: 'Only an attempt of best-of can be taken.',
  take: (node: string) => `take ${node}`,
  takeQuestion: (node: string) => `Bring ${node} into the work tree? It is saved first.`,
  cancel: (id: string) => `Cancel group ${id}? Its agents are ended now.`,
  cancelEnds: 'In any case these loops are ended:',
  cancelEnd: (node: string, member: string | null) => `  end     ${node} (${member})`,
  noFindings: 'There are no findings.',
  noDecision: 'The plan has ended: findings can no longer be decided.',
  asksYou: 'The group asks you (a: answer):',
  nothingFound: 'Nothing was found yet: the reviews come after the waves, and before the end.',
}

export const answerSays = {
  ownWords: 'in your words',
  agentAsks: (id: string) => `The agent of loop ${id} asks:`,
  yourAnswer: 'your answer:',
  isThisSo: 'Is this so? Or say what is wrong, in your words.',
  loopAsks: (id: string) => `Loop ${id} asks: is this so?`,
  groupAsks: 'Your answer?',
  comment: 'your comment for the reviewers:',
  whatToDo: (finding: string) => `What to do with ${finding}?`,
}

/** The key of each answer to a finding, and its word in the row of keys. */
export const resolutionKeys: Record<(typeof resolutions)[number], { key: string; word: string }> = {
  approve: { key: 'a', word: 'approve, it stays' },
  task: { key: 't', word: 'make it a task' },
  discuss: { key: 'd', word: 'discuss' },
  skip: { key: 's', word: 'skip' },
}

/** Of the questions before a cancel and a rollback. `to`: the name of a saved state. */
export const rollbackSays = {
  looking: 'looking at the files …',
  same: (to: string) => `The files are as they were at ${to}.`,
  noDifference: (to: string) => `No file differs from ${to}.`,
  cancel: 'cancel, keep the files',
  cancelBack: (files: number) => `cancel, bring back ${count(files, 'file')}`,
  rollBack: (to: string) => `roll back to ${to}`,
  question: (files: number, to: string) =>
    `Roll ${count(files, 'file')} back to ${to}? What is there now is saved first.`,
  wouldNow: 'The list has changed. Now loop would:',
  would: (to: string) => `To go back to ${to}, loop would:`,
  write: (path: string) => `  write   ${spelledOut(path)}`,
  remove: (path: string) => `  delete  ${spelledOut(path)}`,
  more: (files: number) => `  … and ${files} more`,
}

/** In the place of a tab's lines. `yet`: its iteration is under way. */
export const tabSays = {
  noRun: 'No agent has run yet.',
  noErrors: (yet: boolean) => `The agent wrote nothing to stderr${yet ? ' yet' : ''} (e: its output).`,
  noOutput: (yet: boolean) => `The agent printed nothing${yet ? ' yet' : ''} (e: its stderr).`,
  noPrompt: (task: string) => ['No prompt was made yet.', '', 'The task:', '', ...task.split('\n')],
  noPromise: (n: number) => `The promise has not been run ${n === 0 ? 'yet' : `in iteration ${n} yet`}.`,
  noChange: 'Nothing was changed.',
  noChangeYet: 'Nothing was changed yet.',
  noCheckpoints: 'The loop was started with --checkpoint none: nothing is saved that could be compared.',
  noIteration: 'There is no such iteration.',
  noDiff: (n: number) => `Iteration ${n} is under way: its diff is there once its agent has ended.`,
  noLink: 'No command prints single lines of this tab.',
}

export const windowSays = {
  search: 'search',
  noSearch: 'no search yet: press /',
  /** `again`: the search has begun anew, at the other end. */
  found: (line: number, again: 'end' | 'top' | null) =>
    `found in line ${line}${again === null ? '' : `, from the ${again}`}`,
  searching: (line: number) => `searching, line ${line}`,
  notFound: (text: string) => `"${text}" is not found`,
  reading: (part: number) => `reading ${Math.floor(part * 100)} %`,
  follows: (lines: number) => `${lines} ${lines === 1 ? 'line' : 'lines'}, follows`,
  linesOf: (from: number, to: number, lines: number) => `${from}-${to} of ${lines}`,
  earlier: (lines: number) => `… ${lines} lines before this: see loop logs …`,
}
