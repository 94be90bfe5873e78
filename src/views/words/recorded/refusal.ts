/** Sentences about refused commands. Each goes on after "cannot be paused: ", so it is a clause without a full stop. */
import { raiseFlags } from '../../../core/loop/breaker.ts'
import type { RefusalFacts, Refusals } from '../../../model/facts/recorded/refusal.ts'
import type { RecordedFacts } from '../../../model/facts/recorded/schema.ts'
import { formatMoney } from '../../../model/units.ts'
import { type Clauses, recordedWords } from './words.ts'

export const refusalClauses: Clauses<Refusals> = {
  'journal-too-new': ({ holds }) =>
    `its journal holds ${holds}, which this version of loop does not know; update loop`,
  'has-ended': ({ outcome }) => `it has already ended: ${outcome}`,
  'has-completed': () => 'it has completed',
  'already-paused': () => 'it is already paused',
  'already-queued': () => 'it is queued already',
  'checkpoint-unknown': ({ name, ...names }) => `it has no checkpoint ${name}; it has: ${nameWords(names)}`,
  'command-unreadable': () => 'it cannot be read',
  'command-unknown': () => 'no loop knows this command',
  'no-host': noHost,
  'host-gone': () => 'the process that hosted it is gone',
  'goes-on-already': ({ id }) => `it goes on already; to change how, let it rest first: loop pause ${id}`,

  'pauses-already': () => 'it pauses after this iteration already',
  'loop-completed': () => 'it has completed; start a new loop instead',
  'agent-at-work': ({ id }) => `its agent may still be at work; end that first: loop cancel ${id}`,
  'agent-at-work-still': () => 'its agent may still be at work; cancel it first',
  'limits-used-up': usedUp,
  'nothing-asked': () => 'it has asked nothing',
  'checkpoints-off': () => 'it was started with --checkpoint none',
  'never-saved': () => 'it was started with --checkpoint none: nothing was saved',
  'checkpoint-under-way': ({ name }) => `it is about to take the checkpoint ${name}`,
  'rollback-under-way': ({ to }) => `a rollback to ${to} is under way`,
  'checkpoint-name-unfit': () =>
    'a name begins with a letter or digit and goes on with letters, digits, _, - and single dots',
  'checkpoint-name-reserved': ({ name }) => `loop itself uses names like ${name}; take another`,
  'checkpoint-name-taken': ({ name }) => `it has a checkpoint ${name} already`,
  'text-too-long': () => 'the text is too long; put it into a file of the work tree and name that',
  'criterion-unknown': ({ criterion, has }) =>
    `it has no criterion "${criterion}"; it has: ${has.join(', ')}`,
  'loop-not-at-rest': ({ id, status }) => `it is ${status}; pause it first: loop pause ${id}`,

  'for-one-loop': ({ asked }) => `${asked} is for one loop: name one of its members, which loop status shows`,
  'hook-stops-already': () => 'its hook is being stopped',
  'cancels-already': () => 'it is being cancelled',
  'copies-gone': () => 'it was cancelled, and its copies are gone',
  'group-budget-used-up': ({ id }) => `its budget is used up; give it more: loop resume ${id} --budget …`,
  'no-open-question': () => 'it asks nothing just now',
  'answer-unfit': ({ question, choices }) => `"${question}" is answered by one of: ${choices.join(', ')}`,
  'no-reviews': () => 'it has no reviews: only a plan has',
  'finding-unknown': ({ finding, has }) =>
    `it has no finding ${finding}; it has: ${has.join(', ') || 'none yet'}`,
  'attempt-unknown': ({ attempt, has }) => `it has no attempt ${attempt}; it has: ${has.join(', ')}`,
  'attempt-without-result': ({ node }) => `${node} has no result that could be brought into the tree`,
  'was-cancelled': () => 'it was cancelled',
  'pick-too-early': () => 'it is still at work; wait for its end, or pause it',
  'pick-outside-tree': ({ file }) =>
    `${file} is not in the work tree; name a file as it is called from its top`,
  'group-not-at-rest': () => 'it is at work; pause it first',
}

/** A refusal as core has just made it. */
export function refusalWords(facts: RefusalFacts): string {
  return recordedWords(refusalClauses, { facts, why: '' })
}

/** A refusal as the journal has it. */
export function refusedWords(recorded: RecordedFacts): string {
  return recordedWords(refusalClauses, recorded)
}

/** The names of checkpoints, the newest last. */
export function nameWords({ has, older }: { has: readonly string[]; older: number }): string {
  return (older > 0 ? `${older} older ones, ` : '') + (has.join(', ') || 'none')
}

function noHost({ id, asked }: Refusals['no-host']): string {
  if (asked === 'pause')
    return `no process hosts it any more. Go on with: loop resume ${id}; end it with: loop cancel ${id}`
  const way = asked === 'rollback' ? `end it first: loop cancel ${id}` : `take it up first: loop resume ${id}`
  return `no process hosts it any more, and it is not at rest; ${way}`
}

function usedUp({ iterations, costUsd, budgetUsd, raise }: Refusals['limits-used-up']): string {
  const used = iterations === 1 ? 'one iteration' : `${iterations} iterations`
  const facts = [
    ...(raise.maxIterations === undefined ? [] : [`used ${used}`]),
    ...(raise.budgetUsd === undefined
      ? []
      : [`spent ${formatMoney(costUsd ?? 0)} of ${formatMoney(budgetUsd ?? 0)}`]),
  ]
  return `it has ${facts.join(' and ')}; raise the ${facts.length > 1 ? 'limits' : 'limit'} with${raiseFlags(raise)}`
}
