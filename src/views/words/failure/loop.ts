/** Sentences about one loop: an unclear id, another host, a refused command. */

import type { LoopFailures } from '../../../model/facts/loop.ts'
import { safeText } from '../../text/plain-text.ts'
import { outputsGoneWords } from '../discarded.ts'
import { count } from '../message.ts'
import type { Sentences } from './words.ts'

/** What a command would have done to the loop. */
const done: Record<string, string> = {
  pause: 'paused',
  resume: 'resumed',
  enqueue: 'resumed',
  restart: 'started again',
  dequeue: 'begun',
  claim: 'judged',
  release: 'let go of',
  cancel: 'cancelled',
  inject: 'told anything',
  report: 'reported on',
  answer: 'answered',
  checkpoint: 'checkpointed',
  rollback: 'rolled back',
}

export const loopSentences: Sentences<LoopFailures> = {
  'unknown-loop': ({ name, near }) =>
    `There is no loop ${name}. ${near ? `Did you mean ${near}?` : 'See the ones there are with: loop list'}`,
  'ambiguous-loop': ({ name, ids }) =>
    `${name} stands for several loops: ${ids.join(', ')}. Give more letters.`,
  'newer-journal': ({ id }) => `Loop ${id} was written by a newer loop. Update loop.`,
  'not-a-loop': ({ id, is }) => `${id} is not a loop but of the kind ${is}: this command is for loops.`,
  'busy-just-now': ({ id }) => `another process is at loop ${id} just now`,
  'host-silent': ({ id, asked, pid }) =>
    `Loop ${id} was asked to ${asked}, but process ${pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${pid}, then: loop cancel ${id}`,
  'already-driven': ({ id, pid }) =>
    `Loop ${id} is already driven by process ${pid}. Watch it with: loop logs ${id} -f. Let it rest with: loop pause ${id}. Stop it with: loop cancel ${id}`,
  refused: ({ id, asked, because }, say) =>
    `Loop ${id} cannot be ${done[asked] ?? `asked to ${asked}`}: ${say(because)}.`,
  'tree-busy': ({ id, cwd }) =>
    `Loop ${id} is active in ${cwd}. See it with: loop status ${id}. Take it up or end it with: loop resume ${id}, loop cancel ${id}`,
  'which-loop': ({ why }) => `${why}. Say which one is meant: loop is its id, or @last; status lists them.`,
  'unknown-run': ({ id, run }) => `Loop ${id} has no run ${run}.`,
  'unknown-verification': ({ id, verification }) => `Loop ${id} has no verification ${verification}.`,
  'loop-not-rolled-back': ({ id, why }) => `Loop ${id} is not rolled back: ${safeText(why)}`,
  'question-for-human': ({ id }) =>
    `What loop ${id} asks is for a human, not for the agent that works on it. Type it in a terminal of your own: loop answer ${id} yes`,
  'in-own-tree': ({ id }) => `Loop ${id} worked in its own tree: its result is there already.`,
  'not-cancelled': ({ id, why }) => `Loop ${id} is not cancelled yet: ${why}.`,
  'output-discarded': ({ id, at }) => `${outputsGoneWords(id, at)} What is left of it: loop history ${id}`,
  'no-run-in-iteration': ({ iteration, runs }) =>
    `No agent ran in iteration ${iteration}; it has had ${count(runs, 'run')}.`,
  'never-rolled-back': ({ id }) => `Loop ${id} was never rolled back.`,
  'no-loop-here': ({ id, cwd }) =>
    `No loop was started in this directory or in one above it. The newest of all is ${id}, in ${cwd}: name it by its id.`,
  'no-hook-run': () => 'No hook of this loop has been run.',
  'promise-not-run': () => 'The promise has not been run to its end yet.',
  'promise-not-run-in': ({ iteration, known }) =>
    `The promise was not run in iteration ${iteration}. It was run in: ${known.join(', ')} (0 is the baseline).`,
  'no-items': ({ agent }) => `The output of ${agent} is plain text: there are no items to read.`,
  'files-lost': ({ because, why }, say) => `${say(because)} Its files cannot be brought back: ${say(why)}`,
  'way-back': ({ because, id }, say) =>
    `${say(because).replace(/\.$/, '')}. To bring back the files: loop rollback ${id} initial.`,
  'driven-elsewhere': ({ id, pid, because }, say) =>
    `Loop ${id} is driven by process ${pid}. End that first. ${say(because)}`,
  'agent-unkillable': ({ because, pids }, say) =>
    `${say(because)} Its agent cannot be killed: ${pids.join(', ')}.`,
  'stopped-unrecorded': ({ id, because }, say) =>
    `Nothing of the agent of loop ${id} is alive, but that cannot be recorded. ${say(because)}`,
}
