/** Sentences about invalid options of a start, from any source. */
import type { OptionFailures } from '../../../model/facts/options.ts'
import { sandboxCures, sandboxTroubleWords } from '../sandbox.ts'
import type { Sentences } from './words.ts'

export const optionSentences: Sentences<OptionFailures> = {
  'bad-metric': ({ text }) =>
    `--best-of-metric takes min:<command> or max:<command>, and the command prints a number: min:'wc -c < dist/app.js'. It is "${text}".`,
  'data-in-tree': ({ cwd, data }) =>
    `${cwd} holds loop's own data directory, ${data}, which cannot be checkpointed. Run in a project directory, or with --checkpoint none.`,
  'no-btrfs': ({ subject, cwd, why }) => `${subject} btrfs is not possible in ${cwd}: ${why}. Use git.`,
  'criterion-twice': ({ name }) => `There are two criteria of the name ${name}. Give each a name of its own.`,
  'empty-promise': () => 'The promise is empty. Give a command that exits 0 when the work is done.',
  'nul-in-promise': () => 'The promise holds a NUL byte, which no command can.',
  'promise-runs-nothing': ({ text }) =>
    `The promise ${text} runs nothing: it would always hold. A name in capitals stands in double quotes: -p '"LINT"=npm run lint'`,
  'promise-without-command': ({ name }) =>
    `The promise ${name} has no command. Give it as: -p '${name}=<command>'`,
  'assumption-with-command': ({ name }) =>
    `An assumption has no command: ${name} is then "execution output", or give it to --confirm.`,
  'empty-confirm': () => 'Say what a human is to confirm: --confirm "the page looks right"',
  'verification-needs-command': ({ type, name }) =>
    `"${type}" needs a command. Give it with: -p '"${name}":${type}=<command>'`,
  'unknown-verification-type': ({ typed, near, known }) =>
    `There is no verification type "${typed}". ${near ? `Did you mean "${near}"?` : `There are: ${known.join(', ')}.`}`,
  'bad-must-not': ({ typed }) =>
    `--must-not is name=command: the loop pauses when the command exits 0; not "${typed}".`,
  'unreadable-command': ({ what, why, command }) =>
    `${what} is no command that /bin/sh can read: ${why}. Check its quotes and brackets: ${command}`,
  'globs-without-checkpoints': ({ flag }) =>
    `--${flag} needs checkpoints to see what has changed; it does not go with --checkpoint none.`,
  'empty-glob': ({ flag }) => `--${flag} is empty. Give a glob: --${flag} 'test/**'`,
  'glob-outside': ({ flag, glob }) =>
    `--${flag} ${glob} matches no file of the work tree. Give a glob below it, like 'test/**'.`,
  'no-glob': ({ flag, glob }) => `--${flag} ${glob} is no glob. Give one like 'test/**' or '*.lock'.`,
  'no-promise': ({ confirms }) =>
    `Give the command that decides when the work is done: -p "npm test".${confirms ? ' --confirm comes on top of it.' : ''}`,
  'copies-need-checkpoints': () => '--best-of and --isolated need checkpoints: leave --checkpoint none out.',
  'session-with-copies': () => '--session works in your own tree: leave --best-of and --isolated out.',
  'attempts-need-command': () => 'Attempts are told apart by a command: give one with -p.',
  'only-with-best-of': ({ flag }) => `--${flag} is about --best-of: give that too, or leave it out.`,
  'best-of-isolated': () => '--best-of makes copies by itself: leave --isolated out.',
  'bad-best-of': ({ most, asked }) => `--best-of takes a number from 2 to ${most}, not ${asked}.`,
  'bad-waves': () => '--best-of-waves takes 1 or 2.',
  'agent-flag-of-group': ({ flag }) => `--${flag} is for one loop: resume a member of the group with it.`,
  'hook-in-session': ({ flag }) =>
    `--${flag} comes after a loop that runs an agent; in a session you see the end yourself.`,
  'empty-hook': ({ flag }) => `--${flag} is empty. Give a command, or leave it out.`,
  'injected-into-group': () => 'injected is for one loop: say it in the prompt, which each of them gets.',
  'priority-without-background': () =>
    '--priority is about the queue of loopd: give it with -b, or leave it out.',
  'tree-closed': ({ cwd, why }) =>
    `${cwd} is ${why}: an agent could do nothing there. Check its permissions, or --cwd.`,
  'prompt-from-stdin': () => 'Give the prompt as text: there is no standard input here.',
  'prompt-too-long': () =>
    'The prompt is longer than 10 MB. Put it into a file of the work tree and name that.',
  'nul-in-prompt': () => 'The prompt holds a NUL byte; is it a text file?',
  'no-prompt': () => 'Say what is to be done: loop start "fix the failing tests" -p "npm test"',
  'text-file-unusable': ({ file, most, flag }) =>
    `${file} is not a file of at most ${most / 1_000} kB. Check ${flag}.`,
  'text-file-empty': ({ file, flag }) => `${file} is empty. Check ${flag}.`,
  'empty-cwd': () => '--cwd is empty. Give a directory, or leave it out.',
  'bad-cwd': ({ path, why }) => `${path} is ${why}. Check --cwd.`,
  'no-sandbox': ({ why, said }) =>
    `--sandbox required, and there is none: ${sandboxTroubleWords(why, said)}. ${sandboxCures[why]} Without one: --sandbox auto, or off.`,
  'sandbox-in-session': () =>
    '--sandbox is about an agent that loop starts; with --session that is you. Leave one of the two out.',
  'sandbox-hides-data': ({ command }) =>
    `--sandbox required does not go with this promise, which asks loop itself: ${command}. The sandbox hides what it would read. Give another promise, or --sandbox off.`,
  'network-without-sandbox': () =>
    '--sandbox-network is about a sandbox, and there is none (--sandbox off). Add --sandbox required, or auto.',
  'bad-sandbox-write': ({ path, why }) =>
    `--sandbox-write ${path} is ${why}. Give directories or files that exist, with commas between them.`,
  'unfit-value': ({ subject, expected, near, text }) =>
    `${subject} is ${expected}; not "${text}".${near ? ` Did you mean ${near}?` : ''}`,
}
