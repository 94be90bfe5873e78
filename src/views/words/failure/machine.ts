/** Sentences about the system that loop runs on. */

import type { MachineFailures } from '../../../model/facts/machine.ts'
import { count } from '../message.ts'
import { sandboxCures, sandboxTroubleWords } from '../sandbox.ts'
import type { Sentences } from './words.ts'

export const machineSentences: Sentences<MachineFailures> = {
  'no-such-tool': () => 'There is no such tool.',
  'tool-broken': ({ why }) => `loop could not do that: ${why}. Nothing recorded is lost. See: loop doctor`,
  'directory-gone': ({ path }) => `the directory ${path} is gone; put it back`,
  'shim-ended': ({ why, said }) => (said === '' ? why : `${why}: ${said}`),
  'sandbox-gone': ({ why, said }) =>
    `the loop began in a sandbox, and there is none now: ${sandboxTroubleWords(why, said)}. ${sandboxCures[why]} Without one: loop resume <id> --sandbox off`,
  'tree-in-hidden': ({ tree, hidden }) =>
    `${tree} is in ${hidden}, which the sandbox hides; work elsewhere, or go on without it: loop resume <id> --sandbox off`,
  'holdout-sealed': ({ key }) =>
    `the hold-out cannot be opened: ${key} is gone or holds another key. Put it back; without it, start a new loop`,
  unkillable: ({ command, pids }) => `processes of "${command}" cannot be killed: ${pids.join(', ')}`,
  'tool-missing': ({ tool }) =>
    `The program ${tool} is not on the PATH, and loop needs it. Install it (git, util-linux, coreutils).`,
  'no-such-file': ({ path }) => `There is no ${path}.`,
  unhealthy: ({ checks }) => `${count(checks.length, 'check')} failed: ${checks.join(', ')}.`,
  'changed-while-exported': ({ what }) =>
    `${what} changed while it was read. Nothing was written; try again.`,
  'no-opencode-plugin': () => 'This installation of loop has no plugin for opencode.',
  'link-not-ours': ({ path }) => `${path} is there and is not loop's. Move it away first.`,
  'link-stays': ({ path }) => `${path} is not loop's, so it stays.`,
  'no-directory': () =>
    'The current directory is gone, or you may not read it. Change to one that exists, then try again.',
  'unsupported-system': ({ system }) =>
    `Only Linux is supported so far, and this is ${system}. Run loop on a Linux machine, or in a container.`,
  'system-refused': ({ why }) => `The system refused: ${why}. Nothing recorded is lost.`,
  bug: ({ why }) => `${why}\nThis is a bug in loop. Nothing recorded is lost.`,
  broken: ({ why }) => `${why}.`,
}
