/** Sentences about loops inside a session of a person. */
import type { SessionFailures } from '../../../model/facts/session.ts'
import type { Sentences } from './words.ts'

export const sessionSentences: Sentences<SessionFailures> = {
  'not-in-session': ({ id }) => `exit_signal is for a loop inside a session, and loop ${id} is not one.`,
  'no-session': () =>
    'This server belongs to no session, so it has no task list. There is one in a session of Claude Code, and after: loop init, loop start --session',
  'not-claimable': ({ dir }) =>
    `The report is kept, but ${dir} is not a directory, so it cannot be claimed there. Move it away.`,
  'agent-flag-in-session': ({ flag }) =>
    `The work of this loop is done in a session: loop starts no agent. Leave out --${flag}.`,
  'tree-taken': ({ id, cwd }) => `Loop ${id} is active in ${cwd}. End it with: loop cancel ${id}`,
  'run-under-way': ({ tree, run }) =>
    `A run is under way in ${tree}: ${run}. End it with: loop cancel --session`,
  'session-not-background': ({ id }) =>
    `The work of loop ${id} is done in a session, not under loopd. Leave -b out.`,
  'loop-not-session': ({ id }) =>
    `The work of loop ${id} is done by an agent that loop starts, not in a session. Leave --session out.`,
  'not-a-directory': ({ path }) => `${path} is not a directory. Move it away.`,
  'bad-run-name': ({ name }) =>
    `"${name}" is no name for a run: letters, digits, - and _, in lower case. For example: loop init login-feature`,
  'too-many-runs': ({ path }) => `${path} has a hundred runs of that name today. Take another.`,
  'no-loop-in-session': () => 'There is no loop in this session, nor in this directory. See: loop status',
  'agent-flag-with-session': ({ flag }) =>
    `--${flag} is about an agent that loop starts; with --session it starts none.`,
  'session-of-loop': () => 'This session was itself started by a loop, which decides when it is done.',
}
