/** Failures: invalid options of a start, from any source. */
import type { SandboxTrouble } from '../model/loop/spec.ts'
import { sandboxCures, sandboxTroubleWords } from './machine.ts'

export const optionFailures = {
  'bad-metric': (d: { text: string }) =>
    `--best-of-metric takes min:<command> or max:<command>, and the command prints a number: min:'wc -c < dist/app.js'. It is "${d.text}".`,
  'data-in-tree': (d: { cwd: string; data: string }) =>
    `${d.cwd} holds loop's own data directory, ${d.data}, which cannot be checkpointed. Run in a project directory, or with --checkpoint none.`,
  'no-btrfs': (d: { subject: string; cwd: string; why: string }) =>
    `${d.subject} btrfs is not possible in ${d.cwd}: ${d.why}. Use git.`,
  'criterion-twice': (d: { name: string }) =>
    `There are two criteria of the name ${d.name}. Give each a name of its own.`,
  'empty-promise': () => 'The promise is empty. Give a command that exits 0 when the work is done.',
  'nul-in-promise': () => 'The promise holds a NUL byte, which no command can.',
  'promise-runs-nothing': (d: { text: string }) =>
    `The promise ${d.text} runs nothing: it would always hold. A name in capitals stands in double quotes: -p '"LINT"=npm run lint'`,
  'promise-without-command': (d: { name: string }) =>
    `The promise ${d.name} has no command. Give it as: -p '${d.name}=<command>'`,
  'assumption-with-command': (d: { name: string }) =>
    `An assumption has no command: ${d.name} is then "execution output", or give it to --confirm.`,
  'empty-confirm': () => 'Say what a human is to confirm: --confirm "the page looks right"',
  'verification-needs-command': (d: { type: string; name: string }) =>
    `"${d.type}" needs a command. Give it with: -p '"${d.name}":${d.type}=<command>'`,
  'unknown-verification-type': (d: { typed: string; near: string | null; known: string[] }) =>
    `There is no verification type "${d.typed}". ${d.near ? `Did you mean "${d.near}"?` : `There are: ${d.known.join(', ')}.`}`,
  'bad-must-not': (d: { typed: string }) =>
    `--must-not is name=command: the loop pauses when the command exits 0; not "${d.typed}".`,
  'unreadable-command': (d: { what: string; why: string; command: string }) =>
    `${d.what} is no command that /bin/sh can read: ${d.why}. Check its quotes and brackets: ${d.command}`,
  'globs-without-checkpoints': (d: { flag: string }) =>
    `--${d.flag} needs checkpoints to see what has changed; it does not go with --checkpoint none.`,
  'empty-glob': (d: { flag: string }) => `--${d.flag} is empty. Give a glob: --${d.flag} 'test/**'`,
  'glob-outside': (d: { flag: string; glob: string }) =>
    `--${d.flag} ${d.glob} matches no file of the work tree. Give a glob below it, like 'test/**'.`,
  'no-glob': (d: { flag: string; glob: string }) =>
    `--${d.flag} ${d.glob} is no glob. Give one like 'test/**' or '*.lock'.`,
  'no-promise': (d: { confirms: boolean }) =>
    `Give the command that decides when the work is done: -p "npm test".${d.confirms ? ' --confirm comes on top of it.' : ''}`,
  'copies-need-checkpoints': () => '--best-of and --isolated need checkpoints: leave --checkpoint none out.',
  'session-with-copies': () => '--session works in your own tree: leave --best-of and --isolated out.',
  'attempts-need-command': () => 'Attempts are told apart by a command: give one with -p.',
  'only-with-best-of': (d: { flag: string }) =>
    `--${d.flag} is about --best-of: give that too, or leave it out.`,
  'best-of-isolated': () => '--best-of makes copies by itself: leave --isolated out.',
  'bad-best-of': (d: { most: number; asked: string }) =>
    `--best-of takes a number from 2 to ${d.most}, not ${d.asked}.`,
  'bad-waves': () => '--best-of-waves takes 1 or 2.',
  'agent-flag-of-group': (d: { flag: string }) =>
    `--${d.flag} is for one loop: resume a member of the group with it.`,
  'hook-in-session': (d: { flag: string }) =>
    `--${d.flag} comes after a loop that runs an agent; in a session you see the end yourself.`,
  'empty-hook': (d: { flag: string }) => `--${d.flag} is empty. Give a command, or leave it out.`,
  'injected-into-group': () => 'injected is for one loop: say it in the prompt, which each of them gets.',
  'priority-without-background': () =>
    '--priority is about the queue of loopd: give it with -b, or leave it out.',
  'tree-closed': (d: { cwd: string; why: string }) =>
    `${d.cwd} is ${d.why}: an agent could do nothing there. Check its permissions, or --cwd.`,
  'prompt-from-stdin': () => 'Give the prompt as text: there is no standard input here.',
  'prompt-too-long': () =>
    'The prompt is longer than 10 MB. Put it into a file of the work tree and name that.',
  'nul-in-prompt': () => 'The prompt holds a NUL byte; is it a text file?',
  'no-prompt': () => 'Say what is to be done: loop start "fix the failing tests" -p "npm test"',
  'text-file-unusable': (d: { file: string; most: number; flag: string }) =>
    `${d.file} is not a file of at most ${d.most / 1_000} kB. Check ${d.flag}.`,
  'text-file-empty': (d: { file: string; flag: string }) => `${d.file} is empty. Check ${d.flag}.`,
  'empty-cwd': () => '--cwd is empty. Give a directory, or leave it out.',
  'bad-cwd': (d: { path: string; why: string }) => `${d.path} is ${d.why}. Check --cwd.`,
  'no-sandbox': (d: { why: SandboxTrouble; said: string }) =>
    `--sandbox required, and there is none: ${sandboxTroubleWords(d.why, d.said)}. ${sandboxCures[d.why]} Without one: --sandbox auto, or off.`,
  'sandbox-in-session': () =>
    '--sandbox is about an agent that loop starts; with --session that is you. Leave one of the two out.',
  'sandbox-hides-data': (d: { command: string }) =>
    `--sandbox required does not go with this promise, which asks loop itself: ${d.command}. The sandbox hides what it would read. Give another promise, or --sandbox off.`,
  'network-without-sandbox': () =>
    '--sandbox-network is about a sandbox, and there is none (--sandbox off). Add --sandbox required, or auto.',
  'bad-sandbox-write': (d: { path: string; why: string }) =>
    `--sandbox-write ${d.path} is ${d.why}. Give directories or files that exist, with commas between them.`,
  'unfit-value': (d: { subject: string; expected: string; near: string | null; text: string }) =>
    `${d.subject} is ${d.expected}; not "${d.text}".${d.near ? ` Did you mean ${d.near}?` : ''}`,
}
