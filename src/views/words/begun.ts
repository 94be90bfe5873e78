/** What a person is told about a loop whose work is done in a session: that it began, goes on or was forgotten. */
import type { Summary } from '../../core/summary.ts'
import { reasonWords } from './message.ts'

/** `isHere`: typed inside a session, which then works on it. */
function whose(isHere: boolean): string {
  return isHere ? 'this session' : 'the first session that stops in its work tree'
}

export const sessionWords = {
  goesOn: (id: string, isHere: boolean, promise: string) =>
    `Loop ${id} goes on in ${whose(isHere)}: ${promise}`,
  rests: ({ id, status }: Summary, why: string) => `Loop ${id} ${status}: ${why}.`,
  /** Without a journal; `run`: its directory. */
  runGoesOn: (run: string | null, isHere: boolean) =>
    `${run ?? 'The loop of .loop/state.json'} goes on in ${whose(isHere)}.`,
  forgotten: 'The loop of this session is cancelled; its files stay as they are.',
}

/** `isHeld`: a plugin sends the session back to its promise. A promise that nobody enforces would be worse than none. */
export function begunLines(
  summary: Summary,
  now: number,
  { isHere, isHeld }: Record<'isHere' | 'isHeld', boolean>,
) {
  const { id, promise } = summary
  if (!isHeld)
    return [
      `Loop ${id} is under way, but no plugin is installed, so nothing holds a session to its promise: ${promise}`,
      'Install it: loop plugin install claude (or: loop plugin install opencode). Sessions that begin then are held in this work tree.',
      `Or let loop start the agent itself: loop cancel ${id}, then loop start without --session.`,
    ]
  const held = isHere ? 'This session' : 'The first session that stops in this work tree'
  return [
    `Loop ${id} is under way. ${held} is held to its promise: ${promise}`,
    `State: .loop/state.json${reasonWords(summary, now)}`,
    'Set each criterion to true in criteriaStatus when you have verified it; when all are, set exit_signal to true and stop. loop then runs the promise itself.',
    `Only the user ends it otherwise: loop cancel ${id}`,
  ]
}
