/** A made-up machine: a work tree, some programs and files, and agents that can all run. */
import { agents } from '../../src/adapters/agents/agent.ts'
import { ok } from '../../src/model/failure.ts'
import type { System } from '../../src/options/system.ts'

export const tree = '/made-up/tree'

/** `files` are those that can be read, by their path. */
type Wish = Partial<System> & { files?: Record<string, string> }

export function madeUpMachine({ files = {}, ...more }: Wish = {}): System {
  return {
    cwd: tree,
    env: { HOME: '/made-up/home' },
    isAttended: false,
    readStdin: () => 'from stdin',
    directory: path =>
      path.startsWith(tree)
        ? { real: path }
        : { problem: path.endsWith('.txt') ? 'not a directory' : 'not there' },
    workProblem: path => (path.endsWith('read-only') ? 'read-only' : null),
    realpath: path => path,
    readText: path => files[path] ?? null,
    entries: () => [],
    hasProgram: () => true,
    neededPrograms: ['made-up-program'],
    shellProblem: command => (command.startsWith('if ') ? 'Syntax error: end of file unexpected' : null),
    seal: text => `sealed ${text}`,
    detectCheckpoint: () => ({ backend: 'git', why: 'it is made up' }),
    agent: name => ({
      capabilities: agents[name].capabilities,
      isProgram: agents[name].program !== null,
      outdated: () => null,
      isInstalled: () => agents[name].program !== null,
      signedIn: () => 'yes',
      keys: () => agents[name].keys({}),
      find: agentCmd => ok(agentCmd ?? `/bin/${name}`),
    }),
    sandbox: () => null,
    agreesToHostedModel: () => false,
    ...more,
  }
}
