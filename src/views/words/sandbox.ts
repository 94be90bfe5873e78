/** The sandbox of an agent and its promise in words: where they may write, or why there is none. */
import type { Sandbox, SandboxTrouble } from '../../model/loop/sandbox.ts'

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

/** `files`: what that means; `none`: and why. */
export function sandboxWords(sandbox: Sandbox | undefined): string {
  if (sandbox?.level === 'files') {
    const more = sandbox.write ? `, ${sandbox.write.join(', ')}` : ''
    return `files: it writes only to the work tree${more} and its own settings; keys are hidden, the network is open`
  }
  return sandbox?.why === undefined
    ? 'none (--sandbox off)'
    : `none: ${sandboxTroubleWords(sandbox.why, sandbox.said)}`
}

/** The same for programs. */
export function sandboxJson(sandbox: Sandbox | undefined): { level: Sandbox['level']; why: string | null } {
  if (sandbox?.level === 'files') return { level: 'files', why: null }
  const why = sandbox?.why === undefined ? '--sandbox off' : sandboxTroubleWords(sandbox.why, sandbox.said)
  return { level: 'none', why }
}
