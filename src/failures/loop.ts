/** Failures: one loop: an unclear id, another host, a refused command. */
import { safeText } from '../core/text/plain-text.ts'
import { count } from '../model/units.ts'
import type { Caused, Facts, Say } from './all.ts'
import { outputsGoneWords } from './discarded.ts'

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

/** `why`: what prevented it. */
type LostFiles = { because: Facts; why: Facts }

export const loopFailures = {
  /** `near`: the id that was probably meant, where one is like it. */
  'unknown-loop': (d: { name: string; near?: string }) =>
    `There is no loop ${d.name}. ${d.near ? `Did you mean ${d.near}?` : 'See the ones there are with: loop list'}`,
  'ambiguous-loop': (d: { name: string; ids: string[] }) =>
    `${d.name} stands for several loops: ${d.ids.join(', ')}. Give more letters.`,
  'newer-journal': (d: { id: string }) => `Loop ${d.id} was written by a newer loop. Update loop.`,
  'not-a-loop': (d: { id: string; is: string }) =>
    `${d.id} is not a loop but of the kind ${d.is}: this command is for loops.`,
  'busy-just-now': (d: { id: string }) => `another process is at loop ${d.id} just now`,
  'host-silent': (d: { id: string; asked: string; pid: string }) =>
    `Loop ${d.id} was asked to ${d.asked}, but process ${d.pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${d.pid}, then: loop cancel ${d.id}`,
  'already-driven': (d: { id: string; pid: string }) =>
    `Loop ${d.id} is already driven by process ${d.pid}. Watch it with: loop logs ${d.id} -f. Let it rest with: loop pause ${d.id}. Stop it with: loop cancel ${d.id}`,
  refused: (d: Caused & { id: string; asked: string }, say: Say) =>
    `Loop ${d.id} cannot be ${done[d.asked] ?? `asked to ${d.asked}`}: ${say(d.because)}.`,
  'tree-busy': (d: { id: string; cwd: string }) =>
    `Loop ${d.id} is active in ${d.cwd}. See it with: loop status ${d.id}. Take it up or end it with: loop resume ${d.id}, loop cancel ${d.id}`,
  'which-loop': (d: { why: string }) =>
    `${d.why}. Say which one is meant: loop is its id, or @last; status lists them.`,
  'unknown-run': (d: { id: string; run: number | string }) => `Loop ${d.id} has no run ${d.run}.`,
  'unknown-verification': (d: { id: string; verification: string }) =>
    `Loop ${d.id} has no verification ${d.verification}.`,
  'loop-not-rolled-back': (d: { id: string; why: string }) =>
    `Loop ${d.id} is not rolled back: ${safeText(d.why)}`,
  'question-for-human': (d: { id: string }) =>
    `What loop ${d.id} asks is for a human, not for the agent that works on it. Type it in a terminal of your own: loop answer ${d.id} yes`,
  'in-own-tree': (d: { id: string }) => `Loop ${d.id} worked in its own tree: its result is there already.`,
  'not-cancelled': (d: { id: string; why: string }) => `Loop ${d.id} is not cancelled yet: ${d.why}.`,
  'output-discarded': (d: { id: string; at: number | null }) =>
    `${outputsGoneWords(d.id, d.at)} What is left of it: loop history ${d.id}`,
  'no-run-in-iteration': (d: { iteration: string; runs: number }) =>
    `No agent ran in iteration ${d.iteration}; it has had ${count(d.runs, 'run')}.`,
  'never-rolled-back': (d: { id: string }) => `Loop ${d.id} was never rolled back.`,
  'no-loop-here': (d: { id: string; cwd: string }) =>
    `No loop was started in this directory or in one above it. The newest of all is ${d.id}, in ${d.cwd}: name it by its id.`,
  'no-hook-run': () => 'No hook of this loop has been run.',
  'promise-not-run': () => 'The promise has not been run to its end yet.',
  'promise-not-run-in': (d: { iteration: string; known: number[] }) =>
    `The promise was not run in iteration ${d.iteration}. It was run in: ${d.known.join(', ')} (0 is the baseline).`,
  'no-items': (d: { agent: string }) => `The output of ${d.agent} is plain text: there are no items to read.`,
  'files-lost': (d: LostFiles, say: Say) =>
    `${say(d.because)} Its files cannot be brought back: ${say(d.why)}`,
  'way-back': (d: Caused & { id: string }, say: Say) =>
    `${say(d.because).replace(/\.$/, '')}. To bring back the files: loop rollback ${d.id} initial.`,
  'driven-elsewhere': (d: Caused & { id: string; pid: string }, say: Say) =>
    `Loop ${d.id} is driven by process ${d.pid}. End that first. ${say(d.because)}`,
  'agent-unkillable': (d: Caused & { pids: number[] }, say: Say) =>
    `${say(d.because)} Its agent cannot be killed: ${d.pids.join(', ')}.`,
  'stopped-unrecorded': (d: Caused & { id: string }, say: Say) =>
    `Nothing of the agent of loop ${d.id} is alive, but that cannot be recorded. ${say(d.because)}`,
}
