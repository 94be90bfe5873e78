/** Failures: the system that loop runs on. */
import type { SandboxTrouble } from '../model/loop/spec.ts'
import { count } from '../model/units.ts'

export const machineFailures = {
  'no-such-tool': () => 'There is no such tool.',
  'tool-broken': (d: { why: string }) =>
    `loop could not do that: ${d.why}. Nothing recorded is lost. See: loop doctor`,
  'directory-gone': (d: { path: string }) => `the directory ${d.path} is gone; put it back`,
  'shim-ended': (d: { why: string; said: string }) => (d.said === '' ? d.why : `${d.why}: ${d.said}`),
  'sandbox-gone': (d: { why: SandboxTrouble; said: string }) =>
    `the loop began in a sandbox, and there is none now: ${sandboxTroubleWords(d.why, d.said)}. ${sandboxCures[d.why]} Without one: loop resume <id> --sandbox off`,
  'tree-in-hidden': (d: { tree: string; hidden: string }) =>
    `${d.tree} is in ${d.hidden}, which the sandbox hides; work elsewhere, or go on without it: loop resume <id> --sandbox off`,
  'holdout-sealed': (d: { key: string }) =>
    `the hold-out cannot be opened: ${d.key} is gone or holds another key. Put it back; without it, start a new loop`,
  unkillable: (d: { command: string; pids: number[] }) =>
    `processes of "${d.command}" cannot be killed: ${d.pids.join(', ')}`,
  'tool-missing': (d: { tool: string }) =>
    `The program ${d.tool} is not on the PATH, and loop needs it. Install it (git, util-linux, coreutils).`,
  'no-such-file': (d: { path: string }) => `There is no ${d.path}.`,
  unhealthy: (d: { checks: string[] }) =>
    `${count(d.checks.length, 'check')} failed: ${d.checks.join(', ')}.`,
  'changed-while-exported': (d: { what: string }) =>
    `${d.what} changed while it was read. Nothing was written; try again.`,
  'no-opencode-plugin': () => 'This installation of loop has no plugin for opencode.',
  'link-not-ours': (d: { path: string }) => `${d.path} is there and is not loop's. Move it away first.`,
  'link-stays': (d: { path: string }) => `${d.path} is not loop's, so it stays.`,
  'no-directory': () =>
    'The current directory is gone, or you may not read it. Change to one that exists, then try again.',
  'unsupported-system': (d: { system: string }) =>
    `Only Linux is supported so far, and this is ${d.system}. Run loop on a Linux machine, or in a container.`,
  'system-refused': (d: { why: string }) => `The system refused: ${d.why}. Nothing recorded is lost.`,
  bug: (d: { why: string }) => `${d.why}\nThis is a bug in loop. Nothing recorded is lost.`,
  broken: (d: { why: string }) => `${d.why}.`,
}

/** `said`: by the program that was tried. */
export function sandboxTroubleWords(why: SandboxTrouble, said = ''): string {
  const named = said === '' ? '' : ` (${said})`
  return {
    'no-program': 'bubblewrap (bwrap) is not on the PATH',
    apparmor: `AppArmor does not permit bubblewrap to make one${named}`,
    refused: `bubblewrap cannot make one here${named}`,
    check: 'the promise asks "loop check", which reads the data of loop, and a sandbox hides that',
    session: 'a session is started by you, not by loop',
  }[why]
}

/** How to get a sandbox; no remedy makes the system weaker. */
export const sandboxCures: Record<SandboxTrouble, string> = {
  'no-program': 'Install bubblewrap (apt install bubblewrap, dnf install bubblewrap).',
  apparmor:
    'Load the profile that Ubuntu has for it: sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
  refused:
    'In a container, run loop on the host or in a virtual machine; else ask who looks after this system for user namespaces.',
  check: 'Give a promise that does not ask loop, or --sandbox off.',
  session: 'Use the sandbox of the program that you work in.',
}
