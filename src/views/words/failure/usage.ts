/** Sentences about mistyped commands, arguments and flags. */
import type { UsageFailures } from '../../../model/facts/usage.ts'
import { momentForms } from '../../../model/moment.ts'
import { count } from '../message.ts'
import type { Sentences } from './words.ts'

const pluginUsage = 'Say what and where: loop plugin install claude, loop plugin uninstall opencode'

export const usageSentences: Sentences<UsageFailures> = {
  'empty-text': () => 'The text is empty.',
  'unknown-status': ({ status, known }) => `There is no status ${status}. There are: ${known.join(', ')}`,
  exclusive: ({ one, other }) => `--${one} and --${other} exclude each other.`,
  'check-outside-promise': () => 'loop check is a part of a promise: it says nothing outside of one.',
  'one-argument': ({ what }) => `The ${what} is one argument: put it in quotes.`,
  'empty-answer': ({ form }) => `The answer is empty. ${form}`,
  'unknown-check': ({ name, near, known }) =>
    `${name === '' ? 'Say what to check.' : `There is no check ${name}.`} ${near ? `Did you mean: loop check ${near}` : `Name one of: ${known.join(', ')}.`}`,
  'one-checkpoint-name': () => 'Give one name: loop checkpoint <id> <name>',
  'one-shell': () => 'Name one shell: loop completion bash, zsh or fish.',
  'unknown-action': ({ command, name, near, known }) =>
    `${name === '' ? 'Say what to do.' : `${command} has no ${name}.`} ${near ? `Did you mean: ${command} ${near}` : `Give one of: ${known.join(', ')}.`}`,
  'unknown-demo': ({ near }) =>
    `loop demo takes nothing, best-of, workflow or plan.${near ? ` Did you mean: loop demo ${near}` : ''}`,
  'one-range': () => 'Name one range: loop diff <id> 1..3',
  'after-without-range': () => '--after goes with a range: loop diff <id> 1..3 --after',
  'no-arguments': ({ command }) => `${command} takes no arguments.`,
  'archive-with-json': () => 'With -o - the archive is on stdout, and --json has no place there.',
  'archive-to-terminal': () => 'The archive is not for a terminal. Give a file with -o, or a pipe.',
  'no-directory-for-archive': ({ path }) => `${path} is not there. Check -o.`,
  'archive-there': ({ path }) => `${path} is there already. Give another name with -o, or --force.`,
  'gc-takes-no-names': () => 'loop gc takes no names: it looks at all loops.',
  'bad-retention': ({ flag, text }) => `--${flag} is a time like 24h or 7d; not "${text}".`,
  'diff-with-after': ({ iteration }) =>
    `--diff ${iteration} already shows what iteration ${iteration} left: leave --after out.`,
  'run-name-missing': () => 'Name the run: loop init login-feature',
  'one-text': () => 'Give the text to tell the agent, - for stdin, or --file <path>: one of them.',
  'takes-no-names': ({ command }) => `${command} takes no names; for one loop: loop status <id>`,
  'bad-status-flag': ({ known, near, text }) =>
    `--status is one of ${known.join(', ')}; not "${text}".${near ? ` Did you mean ${near}?` : ''}`,
  'bad-since': ({ text }) => `--since is ${momentForms}; not "${text}".`,
  'bad-limit': ({ text }) => `--limit is a whole number of at least 1; not "${text}".`,
  'bad-iteration': ({ text }) => `--iteration is the number of an iteration, like 2; not "${text}".`,
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
  'prompt-in-pieces': ({ rest }) =>
    `The prompt is one argument: put it in quotes. What follows it: ${rest.join(' ')}`,
  form: ({ form }) => `The form is: ${form}`,
  'from-without-create': () => '--from goes with loop template create.',
  'one-loop': () => 'Name one loop: its id, the beginning of it, or @last. See: loop status',
  'flag-twice': ({ flag }) => `${flag} is given twice. Give it once.`,
  'unknown-flag': ({ command, flag, near }) =>
    `${command} has no flag ${flag}. ${near ? `Did you mean --${near}?` : `See: ${command} --help`}`,
  'value-missing': ({ flag, takes }) => `${flag} needs a value: ${flag} <${takes}>`,
  'value-not-taken': ({ flag, yesNo }) => `${flag} takes no value${yesNo ? ' but =true and =false' : ''}.`,
  'not-yet': ({ what }) => `${what} is not available in this version of loop yet; nothing was done.`,
  'not-in-tree': ({ file, tree }) => `${file} is not a file in ${tree}.`,
  'flag-of-agent-logs': ({ flag, other }) =>
    `--${flag} is for what the agent prints; leave it or --${other} out.`,
  'unknown-command': ({ program, name, near }) =>
    `There is no command ${name}. ${near ? `Did you mean: ${program} ${near}` : `See: ${program} --help`}`,
  'not-a-range': ({ range }) =>
    `${range ?? 'It'} is not a range of checkpoints, like 1..3 or initial..iter-002-after.`,
  'after-range-without-iteration': () => '--after goes with a range that ends with an iteration, like 1..3.',
  'for-people': ({ what, id }) =>
    `${what} is for the user, and this is inside a run of loop ${id}. Type it in a terminal of your own.`,
  'line-with': ({ flag }) => `--line and --${flag} do not go together.`,
  'bad-line': ({ text }) => `--line is the number of a line, like 120, or two, like 120..160; not "${text}".`,
  'no-such-line': ({ line, lines }) => `There is no line ${line}: the output has ${count(lines, 'line')}.`,
  'bad-feed': ({ form, most }) => `A request for a feed has the form ${form}; at most ${most} of each.`,
  'bad-cursor': () => 'The cursor is not from this list. Begin without one.',
  'after-of-group': () => '--after goes with iterations: name one of the loops of the group.',
  'text-to-recall': () => 'Give the text as one argument, in quotes, or - for stdin.',
}
