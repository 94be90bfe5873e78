/**
 * Facts about refused commands: why a loop or a group, as it stands, does not do what was asked. They are recorded
 * (`command.refused`), so a kind and its data are add-only, like an event.
 */
import { raiseFlags } from '../core/loop/breaker.ts'
import type { RecordedFacts } from '../model/recorded-facts.ts'
import { formatMoney } from '../model/units.ts'
import { type Clauses, type Nothing, recordedWords } from './all.ts'

/** The refusals of every kind of journal, and of the engine that asks it. */
type AnyRefusals = {
  'journal-too-new': { holds: string }
  'has-ended': { outcome: string }
  'has-completed': Nothing
  'already-paused': Nothing
  'already-queued': Nothing
  /** `has`: the newest of its checkpoints; `older`: how many there are besides. */
  'checkpoint-unknown': { name: string; has: string[]; older: number }
  'command-unreadable': Nothing
  'command-unknown': Nothing
  'no-host': { id: string; asked: 'pause' | 'rollback' | 'checkpoint' }
  'host-gone': Nothing
  'goes-on-already': { id: string }
}

type LoopRefusals = {
  'pauses-already': Nothing
  'loop-completed': Nothing
  'agent-at-work': { id: string }
  'agent-at-work-still': Nothing
  /** `raise`: the limits that would be enough; only those that are used up. */
  'limits-used-up': {
    iterations: number
    costUsd: number | null
    budgetUsd: number | null
    raise: { maxIterations?: number; budgetUsd?: number }
  }
  'nothing-asked': Nothing
  'checkpoints-off': Nothing
  'never-saved': Nothing
  'checkpoint-under-way': { name: string }
  'rollback-under-way': { to: string }
  'checkpoint-name-unfit': Nothing
  'checkpoint-name-reserved': { name: string }
  'checkpoint-name-taken': { name: string }
  'text-too-long': Nothing
  'criterion-unknown': { criterion: string; has: string[] }
  'loop-not-at-rest': { id: string; status: string }
}

type GroupRefusals = {
  'for-one-loop': { asked: string }
  'hook-stops-already': Nothing
  'cancels-already': Nothing
  'copies-gone': Nothing
  'group-budget-used-up': { id: string }
  'no-open-question': Nothing
  'answer-unfit': { question: string; choices: string[] }
  'answer-wordless': { option: string }
  'no-reviews': Nothing
  'finding-unknown': { finding: string; has: string[] }
  'attempt-unknown': { attempt: string; has: string[] }
  'attempt-without-result': { node: string }
  'was-cancelled': Nothing
  'pick-too-early': Nothing
  'pick-outside-tree': { file: string }
  'group-not-at-rest': Nothing
}

export type Refusals = AnyRefusals & LoopRefusals & GroupRefusals

/** The facts of one refusal, tagged with its kind. */
export type RefusalFacts = { [K in keyof Refusals]: { kind: K } & Refusals[K] }[keyof Refusals]

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
  'answer-wordless': ({ option }) =>
    `"${option}" asks for your own words: answer with those, not with the letter`,
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
