/** The dependencies of the screens in src/tui: the store, the checkpoints, the commands of loop, the terminal. */
import { execFile } from 'node:child_process'
import { oneLine } from '../../core/text/plain-text.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import type { Watched } from '../../engine/watched.ts'
import { allOf, fail } from '../../model/failure.ts'
import { secretsIn } from '../../secrets/redact.ts'
import { loopDir, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { LoopSources } from '../../tui/loop-view.ts'
import type { ScreenProgram } from '../../tui/program.ts'
import type { StatusWatching } from '../../tui/status-screen.ts'
import type { Watching } from '../../tui/watch-screen.ts'
import { checkpointsOf } from '../../wiring/world.ts'
import { directoryHere } from '../find-loop.ts'
import { lookOf } from '../terminal.ts'
import { promiseTexts } from './outputs.ts'

type Shared = Pick<ScreenProgram, 'look' | 'secrets' | 'now' | 'open' | 'command'>

function screenSources(env: NodeJS.ProcessEnv): Shared {
  const paths = pathsFrom(env)
  return {
    look: lookOf(env),
    secrets: secretsIn(env),
    now: Date.now,
    open: () => openStoreToRead(paths),
    command: args => run(args, env),
  }
}

export function watching(id: string, env: NodeJS.ProcessEnv): Watching {
  return { ...screenSources(env), id, sources: loopSources(env) }
}

/** For `loop status -w`. */
export function watchingAll(env: NodeJS.ProcessEnv): StatusWatching {
  const { id: _, ...rest } = watching('', env)
  return { ...rest, here: directoryHere(), home: env['HOME'] ?? null }
}

function loopSources(env: NodeJS.ProcessEnv): LoopSources {
  const paths = pathsFrom(env)
  const secrets = secretsIn(env)
  return {
    tabs: ({ state }: Watched) => ({
      paths,
      secrets,
      promise: (events, n) => promiseTexts({ root: loopDir(paths, state.id), events, secrets }, n),
      async diff({ from, to }, take) {
        const saved = allOf({
          from: savedTree(paths, state, { name: from }),
          to: savedTree(paths, state, { name: to }),
        })
        if (!saved.ok) return saved
        return checkpointsOf(paths, state.spec).diff({ ...saved.value, binary: false, take })
      },
    }),
    async preview({ id, spec, name, tree }) {
      if (!tree) return fail('not-allowed', { kind: 'nothing-to-bring-back', name })
      return checkpointsOf(paths, spec).preview({ loop: id, tree })
    },
  }
}

/** Runs a command as typed in a terminal without a person; returns its message in one line. */
function run(args: string[], env: NodeJS.ProcessEnv): ReturnType<ScreenProgram['command']> {
  const [, program = ''] = process.argv
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [...process.execArgv, program, ...args],
      { env, encoding: 'utf8', maxBuffer: 1 << 20 },
      (error, stdout, stderr) => {
        const said = (error ? stderr || stdout : stdout || stderr).trim().split('\n')
        const text = oneLine((error ? said.at(-1) : said[0]) ?? '')
        resolve({ ok: error === null, text: text || (error ? error.message : 'done') })
      },
    )
    // A typed `-` means standard input, which would never end here.
    child.stdin?.end()
  })
}
