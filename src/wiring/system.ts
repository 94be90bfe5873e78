/** The real machine for the options: agents, checkpoint backends, files and programs. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { agents, isInstalled, keysOf, orInstalled } from '../adapters/agents/agent.ts'
import { findProgram, outdated } from '../adapters/agents/program.ts'
import { maySandbox } from '../adapters/process/contain.ts'
import { detect } from '../checkpoints/backend-choice.ts'
import { writeWhole } from '../options/config/file.ts'
import type { System } from '../options/system.ts'
import { platform } from '../platform/platform.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { seal } from '../store/files/sealed.ts'

/** The place of a request; without `readStdin` there is no standard input. */
type Request = Pick<System, 'cwd' | 'env'> &
  Partial<Pick<System, 'isAttended' | 'readStdin'>> & {
    /** Asks the person at the terminal; without it nobody is asked. */
    ask?: ((question: string) => boolean) | null
  }

export function systemAt({ cwd, env, isAttended = false, readStdin = null, ask = null }: Request): System {
  return {
    cwd,
    env,
    isAttended,
    readStdin,
    directory(path) {
      try {
        const stat = statSync(path, { throwIfNoEntry: false })
        if (stat?.isDirectory()) return { real: realpathSync(path) }
        return { problem: stat ? 'not a directory' : 'not there' }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
        return { problem: 'closed to you' }
      }
    },
    workProblem(path) {
      if (!isPermitted(path, constants.R_OK | constants.X_OK)) return 'closed to you'
      return isPermitted(path, constants.W_OK) ? null : 'read-only'
    },
    realpath,
    readText(path, mostBytes) {
      const found = statSync(path, { throwIfNoEntry: false })
      const isText = found?.isFile() && found.size <= mostBytes && isPermitted(path, constants.R_OK)
      return isText ? readFileSync(path, 'utf8') : null
    },
    entries,
    hasProgram: name => findProgram(name, env) !== null,
    neededPrograms: platform.programs.needed,
    shellProblem,
    // With the key of this process's own data: a request to loopd brings an environment of its own.
    seal: text => seal(pathsFrom(process.env), text),
    detectCheckpoint: tree => detect(tree, env),
    agent: name => ({
      capabilities: agents[name].capabilities,
      isProgram: agents[name].program !== null,
      isInstalled: () => isInstalled(name, env),
      signedIn: tree => agents[name].signedIn({ cwd: tree, env }),
      keys: model => keysOf(name, { env, model }),
      outdated: program => outdated(agents[name], program),
      find: (agentCmd, tree) => orInstalled(agents[name].check(agentCmd, { cwd: tree, env }), name, env),
    }),
    sandbox(network) {
      const rights = maySandbox(env, { network })
      return rights.works ? null : { why: rights.why, said: rights.said }
    },
    agreesToHostedModel(question) {
      const record = pathsFrom(env).hostedModel
      if (existsSync(record)) return true
      if (!ask?.(question)) return false
      // If the answer cannot be saved it is asked again; that is no reason to refuse this start.
      writeWhole(record, { text: 'yes\n', fileMode: 0o600, directoryMode: 0o700 })
      return true
    },
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map(entry => {
      const leads = entry.isSymbolicLink() && statSync(join(path, entry.name), { throwIfNoEntry: false })
      return entry.isDirectory() || (leads && leads.isDirectory()) ? `${entry.name}/` : entry.name
    })
  } catch {
    return [] // not there, or closed to you: nothing is known of it
  }
}

/** Asked of the kernel, which also knows read-only mounts. */
function isPermitted(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

const readMs = 5_000

/** Words without quotes and operators, the first of which is no reserved word: sh has nothing to refuse. */
const plainCommand =
  /^(?!(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc)\b)[\w./-]+(?: [\w./:=@%+,-]+)*$/

/** `sh -n` parses and runs nothing. If it takes too long, or there is no sh, the run itself will show. */
function shellProblem(command: string): string | null {
  if (plainCommand.test(command)) return null
  const read = spawnSync('/bin/sh', ['-n'], { input: command, timeout: readMs, encoding: 'utf8' })
  if (read.error || read.status === null || read.status === 0) return null
  const said = read.stderr.trim().split('\n')[0] ?? ''
  // dash: "/bin/sh: 1: Syntax error: …"; bash: "/bin/sh: line 1: syntax error …".
  return said.replace(/^\S*sh: (?:line )?\d+: /, '') || `exit ${read.status}`
}

function realpath(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path)
  return join(realpath(dirname(path)), basename(path))
}
