/** Failures: loops inside a session of a person. */

export const sessionFailures = {
  'not-in-session': (d: { id: string }) =>
    `exit_signal is for a loop inside a session, and loop ${d.id} is not one.`,
  'no-session': () =>
    'This server belongs to no session, so it has no task list. There is one in a session of Claude Code, and after: loop init, loop start --session',
  'not-claimable': (d: { dir: string }) =>
    `The report is kept, but ${d.dir} is not a directory, so it cannot be claimed there. Move it away.`,
  'agent-flag-in-session': (d: { flag: string }) =>
    `The work of this loop is done in a session: loop starts no agent. Leave out --${d.flag}.`,
  'tree-taken': (d: { id: string; cwd: string }) =>
    `Loop ${d.id} is active in ${d.cwd}. End it with: loop cancel ${d.id}`,
  'run-under-way': (d: { tree: string; run: string }) =>
    `A run is under way in ${d.tree}: ${d.run}. End it with: loop cancel --session`,
  'session-not-background': (d: { id: string }) =>
    `The work of loop ${d.id} is done in a session, not under loopd. Leave -b out.`,
  'loop-not-session': (d: { id: string }) =>
    `The work of loop ${d.id} is done by an agent that loop starts, not in a session. Leave --session out.`,
  'not-a-directory': (d: { path: string }) => `${d.path} is not a directory. Move it away.`,
  'bad-run-name': (d: { name: string }) =>
    `"${d.name}" is no name for a run: letters, digits, - and _, in lower case. For example: loop init login-feature`,
  'too-many-runs': (d: { path: string }) => `${d.path} has a hundred runs of that name today. Take another.`,
  'no-loop-in-session': () => 'There is no loop in this session, nor in this directory. See: loop status',
  'agent-flag-with-session': (d: { flag: string }) =>
    `--${d.flag} is about an agent that loop starts; with --session it starts none.`,
  'session-of-loop': () => 'This session was itself started by a loop, which decides when it is done.',
}
