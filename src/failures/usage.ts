/** Failures: mistyped commands, arguments and flags. */
import { momentForms } from '../model/moment.ts'
import { count } from '../model/units.ts'

const pluginUsage = 'Say what and where: loop plugin install claude, loop plugin uninstall opencode'

export const usageFailures = {
  'empty-text': () => 'The text is empty.',
  'unknown-status': (d: { status: string; known: string[] }) =>
    `There is no status ${d.status}. There are: ${d.known.join(', ')}`,
  exclusive: (d: { one: string; other: string }) => `--${d.one} and --${d.other} exclude each other.`,
  'check-outside-promise': () => 'loop check is a part of a promise: it says nothing outside of one.',
  'one-argument': (d: { what: string }) => `The ${d.what} is one argument: put it in quotes.`,
  'empty-answer': (d: { form: string }) => `The answer is empty. ${d.form}`,
  'unknown-check': (d: { name: string; near: string | null; known: string[] }) =>
    `${d.name === '' ? 'Say what to check.' : `There is no check ${d.name}.`} ${d.near ? `Did you mean: loop check ${d.near}` : `Name one of: ${d.known.join(', ')}.`}`,
  'one-checkpoint-name': () => 'Give one name: loop checkpoint <id> <name>',
  'one-shell': () => 'Name one shell: loop completion bash, zsh or fish.',
  'unknown-action': (d: { command: string; name: string; near: string | null; known: string[] }) =>
    `${d.name === '' ? 'Say what to do.' : `${d.command} has no ${d.name}.`} ${d.near ? `Did you mean: ${d.command} ${d.near}` : `Give one of: ${d.known.join(', ')}.`}`,
  'unknown-demo': (d: { near: string | null }) =>
    `loop demo takes nothing, best-of, workflow or plan.${d.near ? ` Did you mean: loop demo ${d.near}` : ''}`,
  'one-range': () => 'Name one range: loop diff <id> 1..3',
  'after-without-range': () => '--after goes with a range: loop diff <id> 1..3 --after',
  'no-arguments': (d: { command: string }) => `${d.command} takes no arguments.`,
  'archive-with-json': () => 'With -o - the archive is on stdout, and --json has no place there.',
  'archive-to-terminal': () => 'The archive is not for a terminal. Give a file with -o, or a pipe.',
  'no-directory-for-archive': (d: { path: string }) => `${d.path} is not there. Check -o.`,
  'archive-there': (d: { path: string }) =>
    `${d.path} is there already. Give another name with -o, or --force.`,
  'gc-takes-no-names': () => 'loop gc takes no names: it looks at all loops.',
  'bad-retention': (d: { flag: string; text: string }) =>
    `--${d.flag} is a time like 24h or 7d; not "${d.text}".`,
  'diff-with-after': (d: { iteration: string }) =>
    `--diff ${d.iteration} already shows what iteration ${d.iteration} left: leave --after out.`,
  'run-name-missing': () => 'Name the run: loop init login-feature',
  'one-text': () => 'Give the text to tell the agent, - for stdin, or --file <path>: one of them.',
  'takes-no-names': (d: { command: string }) => `${d.command} takes no names; for one loop: loop status <id>`,
  'bad-status-flag': (d: { known: string[]; near: string | null; text: string }) =>
    `--status is one of ${d.known.join(', ')}; not "${d.text}".${d.near ? ` Did you mean ${d.near}?` : ''}`,
  'bad-since': (d: { text: string }) => `--since is ${momentForms}; not "${d.text}".`,
  'bad-limit': (d: { text: string }) => `--limit is a whole number of at least 1; not "${d.text}".`,
  'bad-iteration': (d: { text: string }) =>
    `--iteration is the number of an iteration, like 2; not "${d.text}".`,
  'service-action-missing': () => 'Say what to do: loopd service install, uninstall or print',
  'group-and-attempt': () => 'Name a group and an attempt: loop pick a1b2c3 2. See: loop compare a1b2c3',
  'unknown-plugin': () => `There is a plugin for claude and for opencode. ${pluginUsage}`,
  'plugin-action-missing': () => pluginUsage,
  'one-checkpoint': () => 'Name one checkpoint: loop rollback <id> 3',
  'undo-with-checkpoint': () => '--undo takes no checkpoint: it restores the state before the last rollback.',
  'checkpoint-missing': () => 'Name a checkpoint: an iteration, initial, or a name of: loop history.',
  'after-without-iteration': () => '--after goes with the number of an iteration.',
  'text-to-score': () => 'Give the text to score as one argument, in quotes, or - for stdin.',
  'set-without-template': () => '--set goes with --template, or with loop workflow run.',
  'prompt-in-pieces': (d: { rest: string[] }) =>
    `The prompt is one argument: put it in quotes. What follows it: ${d.rest.join(' ')}`,
  form: (d: { form: string }) => `The form is: ${d.form}`,
  'from-without-create': () => '--from goes with loop template create.',
  'one-loop': () => 'Name one loop: its id, the beginning of it, or @last. See: loop status',
  'flag-twice': (d: { flag: string }) => `${d.flag} is given twice. Give it once.`,
  'unknown-flag': (d: { command: string; flag: string; near: string | null }) =>
    `${d.command} has no flag ${d.flag}. ${d.near ? `Did you mean --${d.near}?` : `See: ${d.command} --help`}`,
  'value-missing': (d: { flag: string; takes: string }) => `${d.flag} needs a value: ${d.flag} <${d.takes}>`,
  'value-not-taken': (d: { flag: string; yesNo: boolean }) =>
    `${d.flag} takes no value${d.yesNo ? ' but =true and =false' : ''}.`,
  'not-yet': (d: { what: string }) =>
    `${d.what} is not available in this version of loop yet; nothing was done.`,
  'not-in-tree': (d: { file: string; tree: string }) => `${d.file} is not a file in ${d.tree}.`,
  'flag-of-agent-logs': (d: { flag: string; other: string }) =>
    `--${d.flag} is for what the agent prints; leave it or --${d.other} out.`,
  'unknown-command': (d: { program: string; name: string; near: string | null }) =>
    `There is no command ${d.name}. ${d.near ? `Did you mean: ${d.program} ${d.near}` : `See: ${d.program} --help`}`,
  'not-a-range': (d: { range: string | null }) =>
    `${d.range ?? 'It'} is not a range of checkpoints, like 1..3 or initial..iter-002-after.`,
  'after-range-without-iteration': () => '--after goes with a range that ends with an iteration, like 1..3.',
  'for-people': (d: { what: string; id: string }) =>
    `${d.what} is for the user, and this is inside a run of loop ${d.id}. Type it in a terminal of your own.`,
  'line-with': (d: { flag: string }) => `--line and --${d.flag} do not go together.`,
  'bad-line': (d: { text: string }) =>
    `--line is the number of a line, like 120, or two, like 120..160; not "${d.text}".`,
  'no-such-line': (d: { line: number; lines: number }) =>
    `There is no line ${d.line}: the output has ${count(d.lines, 'line')}.`,
  'bad-feed': (d: { form: string; most: number }) =>
    `A request for a feed has the form ${d.form}; at most ${d.most} of each.`,
  'bad-cursor': () => 'The cursor is not from this list. Begin without one.',
  'after-of-group': () => '--after goes with iterations: name one of the loops of the group.',
  'text-to-recall': () => 'Give the text as one argument, in quotes, or - for stdin.',
}
