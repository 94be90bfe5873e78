/** The real machine, for the rules of options: agents, checkpoint backends, files and programs as they are here. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { agents, isInstalled, orInstalled } from '../adapters/agents/agent.ts'
import { detect } from '../checkpoints/detect.ts'
import { writeWhole } from '../options/config/write.ts'
import type { System } from '../options/system.ts'
import { pathsFrom } from '../store/files/paths.ts'

/** Where a request was made; without `readStdin` there is no standard input to read it from. */
type Place = Pick<System, 'cwd' | 'env'> &
  Partial<Pick<System, 'isAttended' | 'readStdin'>> & {
    /** Asks the person at the terminal; without it nobody is asked. */
    ask?: ((question: string) => boolean) | null
  }

export function systemAt({ cwd, env, isAttended = false, readStdin = null, ask = null }: Place): System {
  return {
    cwd,
    env,
    isAttended,
    readStdin,
    directory(path) {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory()) return { real: realpathSync(path) }
      return { problem: stat ? 'not a directory' : 'not there' }
    },
    realpath,
    readText(path, mostBytes) {
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isFile() && found.size <= mostBytes ? readFileSync(path, 'utf8') : null
    },
    hasProgram: name => (env['PATH'] ?? '').split(delimiter).some(place => existsSync(join(place, name))),
    detectCheckpoint: tree => detect(tree, env),
    agent: name => ({
      capabilities: agents[name].capabilities,
      isProgram: agents[name].program !== null,
      isInstalled: () => isInstalled(name, env),
      signedIn: tree => agents[name].signedIn({ cwd: tree, env }),
      find: (agentCmd, tree) => orInstalled(agents[name].check(agentCmd, { cwd: tree, env }), name, env),
    }),
    agreesToHostedModel(question) {
      const record = pathsFrom(env).hostedModel
      if (existsSync(record)) return true
      if (!ask?.(question)) return false
      // Not written, it is asked again: no reason to refuse this start.
      writeWhole(record, { text: 'yes\n', fileMode: 0o600, directoryMode: 0o700 })
      return true
    },
  }
}

function realpath(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path)
  return join(realpath(dirname(path)), basename(path))
}
